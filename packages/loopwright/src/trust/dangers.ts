// A danger: something that a folder's files ask for and that only a trusted project gets, because it runs a program, sends a
// key somewhere, or widens the sandbox.

import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { resolve } from "node:path";

export interface Danger {
  /** The key that asks for it, such as `notify.command`. */
  key: string;
  /** What it asks for, in one line. */
  words: string;
  /** The file that asks, as it is seen from the project's folder. */
  file: string;
  /** The project's real folder. */
  project: string;
  /** What trust in it is remembered by: the folder, the key and the value, so that another value is another danger. */
  id: string;
}

/** What is asked for, before it is known where. */
export interface ProjectRequest extends Pick<Danger, "key" | "file"> {
  /** All that it depends on. */
  value: unknown;
  /** `key: value` where it is left out. */
  words?: string;
}

/** A request of a project's files. */
export function toDanger(project: string, { key, file, value, words = `${key}: ${value}` }: ProjectRequest): Danger {
  const id = createHash("sha256")
    .update(JSON.stringify([project, key, value]))
    .digest("hex");
  return { key, words, file, project, id };
}

/** The folder that trust is remembered for: a link to it is the same project, a project inside it is another. */
export function realProject(dir: string): string {
  try {
    return realpathSync(dir);
  } catch {
    return resolve(dir);
  }
}
