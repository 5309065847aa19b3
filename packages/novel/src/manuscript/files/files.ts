// Reading the files of a project: what is not there is undefined; what is no text is said with its path.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { leadsOut, UsageError } from "@loopwright/core";
import { invalid } from "./json-file.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of a file, byte for byte; undefined where there is none. */
export async function readText(folder: string, path: string): Promise<string | undefined> {
  refuseLinks(folder, path);
  const bytes = await readFile(join(folder, path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw new UsageError("NOVEL_FILE_UNREADABLE", `${join(folder, path)} cannot be read: ${error.message}`, {
      cause: error,
    });
  });
  if (bytes === undefined) return undefined;
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    const line = new TextDecoder().decode(bytes).split("\ufffd", 1)[0]!.split("\n").length;
    throw invalid(`${join(folder, path)}:${line}: this is not UTF-8: save the file as UTF-8 and try again`, cause);
  }
}

/** A book may come from elsewhere: what a link leads to is told to models. */
function refuseLinks(folder: string, path: string): void {
  if (leadsOut(folder, join(folder, path)))
    throw new UsageError(
      "NOVEL_FILE_UNREADABLE",
      `${join(folder, path)} is a link that leads out of the book: put the file itself there`,
    );
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
