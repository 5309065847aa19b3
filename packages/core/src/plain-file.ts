// Files of a folder that may have come from elsewhere: a pipe there would be waited for without end, a device read without
// end, and a link followed to what is none of the folder's.

import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { LoopwrightError } from "./errors.ts";

/** The text of a plain file for people. Throws as Node does, and where it is something else or larger than 4 MiB. */
export function readPlainFile(path: string): string {
  // Looked at before it is opened: opening a device can do something.
  const found = statSync(path);
  if (!found.isFile()) {
    const message = `${path} is no plain file but a folder, a pipe or a device, and is not read`;
    throw new LoopwrightError("FILE_NOT_PLAIN", message);
  }
  if (found.size > 2 ** 22) throw new LoopwrightError("FILE_TOO_LARGE", `${path} is too large to be read`);
  return readFileSync(path, "utf8");
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
