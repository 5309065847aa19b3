// Files of a folder that may have come from elsewhere: a pipe there would be waited for without end, a device read without
// end, and a link followed to what is none of the folder's.

import { closeSync, constants, existsSync, fstatSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { LoopwrightError } from "./errors.ts";

/** What a file for people may hold at most. */
const LARGEST = 2 ** 22;

/** The text of a plain file. Throws as Node does, and where it is something else or too large. */
export function readPlainFile(path: string, largest = LARGEST): string {
  // Looked at before it is opened: opening a device can do something.
  if (!statSync(path).isFile()) throw notPlain(path);
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = fstatSync(file);
    if (!found.isFile()) throw notPlain(path);
    // What says nothing of its size, as in /proc, is read to its end.
    const bytes = Buffer.alloc(Math.min(found.size, largest) + 2 ** 12);
    let length = 0;
    for (let read = 1; read > 0 && length < bytes.length; length += read)
      read = readSync(file, bytes, length, bytes.length - length, null);
    if (length > largest || length === bytes.length)
      throw new LoopwrightError("FILE_TOO_LARGE", `${path} is too large to be read`);
    return bytes.toString("utf8", 0, length);
  } finally {
    closeSync(file);
  }
}

/** Whether a path of a folder leads out of it by a link. */
export function leadsOut(folder: string, path: string): boolean {
  const inside = relative(real(folder), real(path));
  return inside === ".." || inside.startsWith(`..${sep}`);
}

function real(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  return dirname(path) === path ? path : join(real(dirname(path)), basename(path));
}

function notPlain(path: string): LoopwrightError {
  return new LoopwrightError(
    "FILE_NOT_PLAIN",
    `${path} is no plain file but a folder, a pipe or a device, and is not read`,
  );
}
