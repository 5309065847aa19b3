// Reading the files of a project: what is not there is undefined; what is no text is said with its path.

import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { leadsOut, UsageError } from "@loopwright/core";
import { invalid } from "./json-file.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/** Bytes of the longest file that is read: a novel ten times over. */
const LONGEST = 20_000_000;

/** The text of a file, byte for byte; undefined where there is none. */
export async function readText(folder: string, path: string): Promise<string | undefined> {
  await refuseStrange(folder, path);
  const bytes = await readFile(join(folder, path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw new UsageError("NOVEL_FILE_UNREADABLE", `${join(folder, path)} cannot be read: ${error.message}`, {
      cause: error,
    });
  });
  if (bytes === undefined) return undefined;
  if (bytes.length > LONGEST)
    throw invalid(`${join(folder, path)} is larger than ${LONGEST / 1e6} MB: it is no text of a novel`);
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    const line = bytes.subarray(0, faultAt(bytes)).filter((byte) => byte === 10).length + 1;
    throw invalid(`${join(folder, path)}:${line}: this is not UTF-8: save the file as UTF-8 and try again`, cause);
  }
}

/** A book may come from elsewhere: a pipe in it would be waited for, and what a link leads to is told to models. */
async function refuseStrange(folder: string, path: string): Promise<void> {
  const found = await stat(join(folder, path)).catch(() => undefined);
  if (!found) return;
  const refuse = (why: string) => new UsageError("NOVEL_FILE_UNREADABLE", `${join(folder, path)} ${why}`);
  if (!found.isFile() && !found.isDirectory()) throw refuse("is no plain file");
  if (leadsOut(folder, join(folder, path)))
    throw refuse("is a link that leads out of the book: put the file itself there");
}

/** The names in a folder; none where there is no such folder. */
export async function listNames(folder: string, path: string): Promise<string[]> {
  return readdir(join(folder, path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
    throw new UsageError("NOVEL_FILE_UNREADABLE", `${join(folder, path)} cannot be read: ${error.message}`, {
      cause: error,
    });
  });
}

/** The first byte that is no UTF-8: the text before it decodes. */
function faultAt(bytes: Uint8Array): number {
  let good = 0;
  let bad = bytes.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (decodes(bytes.subarray(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

/** Whether bytes are UTF-8, a sign that is truncated at the end aside. */
function decodes(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
