// The lines that were typed, kept in a file of the project so that the next session can call them back. Losing it costs
// nothing: a file that cannot be read or written is as none, and so is a link, which may have come with the folder.

import { appendFileSync, lstatSync, mkdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readPlainFile } from "@loopwright/core";

/** How many lines are called back. */
export const HISTORY_SIZE = 1_000;

/** Where a project keeps them. */
export function historyFile(project: string): string {
  return join(project, ".loopwright", "novel-history");
}

/** The lines of a file, newest first, each once. A file that has grown long is cut. */
export async function readHistory(file: string): Promise<string[]> {
  const lines = readOwn(file)
    .split("\n")
    .filter((line) => line !== "");
  const newest = [...new Set(lines.toReversed())].slice(0, HISTORY_SIZE);
  if (lines.length > 2 * HISTORY_SIZE) await writeFile(file, `${newest.toReversed().join("\n")}\n`).catch(() => {});
  return newest;
}

function readOwn(file: string): string {
  try {
    return isOwn(file) ? readPlainFile(file) : "";
  } catch {
    return "";
  }
}

/** Keeps a line. */
export function appendHistory(file: string, line: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    if (isOwn(file, true)) appendFileSync(file, `${line}\n`, { mode: 0o600 });
  } catch {
    // It can still be called back in this session.
  }
}

/** Whether a file is a plain one; of one that is not there yet, what is said. */
function isOwn(file: string, isNew = false): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? isNew;
}
