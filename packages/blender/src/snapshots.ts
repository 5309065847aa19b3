// Scenes that were saved, by the hash of their bytes, in a folder that Blenders see read-only.

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InfrastructureError, sha256 } from "@loopwright/core";
import { isCode } from "@loopwright/sandbox";

/** How many steps can be undone. */
const MOST_STEPS = 32;

export class Snapshots {
  readonly folder: string;
  /** The scene as it is, and where it begins and can always go back to. */
  at = "";
  first = "";
  /** The scenes before it, as many as can be gone back to. */
  steps: string[] = [];

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** Puts a scene in; gives back its name, which is also that of its file. */
  add(bytes: Uint8Array): string {
    return saveScene(this.folder, bytes);
  }

  read(name: string): Buffer {
    try {
      return readFileSync(join(this.folder, name));
    } catch (cause) {
      throw new InfrastructureError("BLENDER_SNAPSHOT_GONE", `the scene ${name} is not there to be restored`, {
        cause,
      });
    }
  }

  /** A step to another scene, which can be taken back. */
  step(to: string): void {
    this.steps.push(this.at);
    this.at = to;
    while (this.steps.length > MOST_STEPS) this.#forget(this.steps.shift()!);
  }

  /** Takes the last step back. */
  back(): void {
    const after = this.at;
    this.at = this.steps.pop() ?? after;
    this.#forget(after);
  }

  /** A scene that cannot be opened is none: what was before it holds. */
  lose(name: string): void {
    this.steps = this.steps.filter((step) => step !== name);
    if (this.at === name) this.at = this.steps.pop() ?? this.first;
    this.#forget(name);
  }

  /** Removes them all. */
  close(): void {
    const all = [...this.steps, this.at, this.first];
    this.steps = [];
    this.at = "";
    this.first = "";
    for (const name of all.filter((each) => each !== "")) this.#forget(name);
  }

  /** Removes a scene that no step leads back to. */
  #forget(name: string): void {
    const isNeeded = [this.at, this.first, ...this.steps].includes(name);
    if (isNeeded) return;
    try {
      rmSync(join(this.folder, name));
    } catch (error) {
      if (!isCode(error, "ENOENT")) throw error;
    }
  }
}

/** Saves a scene in a folder; gives back its name, which is the hash of its bytes. */
export function saveScene(folder: string, bytes: Uint8Array): string {
  const name = `${sha256(bytes)}.blend`;
  const unfinished = join(folder, `${name}.${process.pid}`);
  writeFileSync(unfinished, bytes);
  renameSync(unfinished, join(folder, name));
  return name;
}
