// Whether the user's folders can be written, and what is said where they cannot.

import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";
import { LoopwrightError } from "@loopwright/core";
import { isCode } from "@loopwright/sandbox";

/** Whether files can be made in a folder, or it can be made itself where it is not there. */
export function isWritable(folder: string): boolean {
  if (!existsSync(folder)) return dirname(folder) === folder ? false : isWritable(dirname(folder));
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether an error says that something may not be written. */
export function isForbidden(error: unknown): boolean {
  return isCode(error, "EACCES", "EPERM", "EROFS");
}

/** A folder of the user's could not be written when a result was on its way there. */
export function readOnlyError(folder: string, cause: unknown): LoopwrightError {
  const message = `${folder} cannot be written to, and what was to change in it has not changed: give yourself the right to write there`;
  return new LoopwrightError("WORKSPACE_READ_ONLY", message, { cause });
}
