// What a file is refused with, and how much a file may hold.

import { UsageError } from "@loopwright/core";

/** The error that a file which is no sound binary glTF is refused with. */
export function unreadableGlb(why: string, cause?: unknown): UsageError {
  return new UsageError("GLB_UNREADABLE", `the model cannot be read: ${why}. Export it again as a binary glTF 2.0`, {
    cause,
  });
}

/** The error that a file which holds, or announces, too much is refused with. */
export function tooLargeGlb(why: string): UsageError {
  return new UsageError("GLB_TOO_LARGE", `the model is too large: ${why}. Simplify it and export it again`);
}

export const most = {
  bytes: 512 * 2 ** 20,
  /** Of the description, data that stands in it as text included. */
  description: 64 * 2 ** 20,
  /** Numbers, all accessors together, and again when every part stands in its place: a small file can announce any count. */
  numbers: 30_000_000,
  /** Entries of each list of the description, and parts that stand in the scene. */
  entries: 100_000,
} as const;
