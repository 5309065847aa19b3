// What is known of a workspace's files from the last look: they are not read again. It is kept in our git directory, where
// no job can write, so that the next process knows it too.

import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Entry } from "../folder/walk.ts";
import type { Kept } from "./tree.ts";

/** Clocks of file systems are coarse: an entry hashed this soon after its change may change again under one stamp. */
const COARSE_MS = 100;

export class Hashes {
  readonly #file: string;
  #known: Map<string, { stamp: string; blob: string }> | undefined;
  /** Blobs that our git directory is known to hold: their bytes are not sent again. */
  #stored = new Set<string>();
  #isChanged = false;

  constructor(gitDir: string, name: string) {
    this.#file = join(gitDir, `loopwright-hashes-${name}`);
  }

  get({ path, stamp }: Entry): string | undefined {
    const known = this.#all().get(path);
    return known?.stamp === stamp ? known.blob : undefined;
  }

  /** Remembers what was read at a time, unless it may have changed since without a trace. */
  set({ path, stamp, size, changedMs }: Entry, found: { blob: string; size: number }, now: number): void {
    if (found.size === size && changedMs < now - COARSE_MS) this.#all().set(path, { stamp, blob: found.blob });
    else this.#all().delete(path);
    this.#isChanged = true;
  }

  forget(path: string): void {
    this.#isChanged = this.#all().delete(path) || this.#isChanged;
  }

  isStored(blob: string): boolean {
    return this.#stored.has(blob);
  }

  /** Takes nothing to be stored; tells whether anything was. */
  forgetStored(): boolean {
    const had = this.#stored.size > 0;
    this.#stored.clear();
    return had;
  }

  /** All files of a tree are in git now; what else was known is of no use. */
  async store(files: ReadonlyMap<string, Kept>): Promise<void> {
    const text = this.#storing(files);
    if (text === undefined) return;
    // A link of that name may have come with the folder; and another process may be at it too.
    const fresh = `${this.#file}.${randomUUID()}.new`;
    await writeFile(fresh, text, { flag: "wx" });
    await rename(fresh, this.#file);
  }

  #storing(files: ReadonlyMap<string, Kept>): string | undefined {
    for (const { blob } of files.values()) this.#stored.add(blob);
    if (!this.#isChanged) return undefined;
    const known = this.#all();
    let text = "";
    for (const [path, { stamp, blob }] of known) {
      if (files.has(path)) text += `${blob} ${stamp} ${path}\0`;
      else known.delete(path);
    }
    this.#isChanged = false;
    return text;
  }

  #all(): Map<string, { stamp: string; blob: string }> {
    if (this.#known) return this.#known;
    this.#known = new Map();
    const text = existsSync(this.#file) ? readFileSync(this.#file, "utf8") : "";
    for (const line of text.split("\0")) {
      const [, blob, stamp, path] = /^([0-9a-f]{40}) (\S+) ([\s\S]+)$/.exec(line) ?? [];
      if (blob === undefined || stamp === undefined || path === undefined) continue;
      this.#known.set(path, { stamp, blob });
      this.#stored.add(blob);
    }
    return this.#known;
  }
}
