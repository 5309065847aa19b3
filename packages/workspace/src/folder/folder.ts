// The workspace's folder: writing blocks into it, reading and listing what stands there.

import { isUtf8 } from "node:buffer";
import { SECRET_MARK } from "@loopwright/core";
import { foldPath, plainPath, shownPath } from "@loopwright/git";
import { takeTurns } from "@loopwright/sandbox";
import type { BlockResult, FileBlock } from "../options.ts";
import { MAX_FILE_CHARS } from "../options.ts";
import { blockerOf, lookIn, placeFile, readPlain } from "./files.ts";
import type { ProtectedFiles } from "./protected.ts";
import { type Entry, isIgnored, isWithin, walk } from "./walk.ts";

export interface WorkspacePlace {
  folder: string;
  protected: ProtectedFiles;
  /** Paths of the workspace that no model may see. */
  hidden: readonly string[];
  ignore: readonly string[];
}

const LARGEST_READ = 200_000;
/** What is read at a time, in bytes: no prompt could hold a part of it. */
const LARGEST_SUM = 64 * 2 ** 20;

/** Writes blocks, each on its own: a refused one does not keep the others from being written. */
export function writeBlocks(place: WorkspacePlace, blocks: readonly FileBlock[]): BlockResult<FileBlock>[] {
  return blocks.map(({ path, content }) => {
    const { path: plain, refused } = plainPath(path);
    const reason = refused ?? refusalOf(place, plain, content);
    if (plain === undefined || reason) return { refused: `'${shownPath(path)}' ${reason}` };
    const found = lookIn(place.folder, plain);
    placeFile(place.folder, plain, Buffer.from(content), found?.isFile() && (found.mode & 0o100) !== 0);
    return { done: { path: plain, content } };
  });
}

function refusalOf(place: WorkspacePlace, path: string, content: string): string | undefined {
  if (content.length > MAX_FILE_CHARS) return `is longer than ${MAX_FILE_CHARS} characters`;
  const folded = foldPath(path);
  if (isIgnored(folded)) return "lies in a git directory, a cache or a folder of installed packages";
  if (isIgnored(folded, place.ignore.map(foldPath)))
    return "controls the run, or is installed, and is not yours to write";
  if (place.hidden.some((hidden) => isWithin(folded, foldPath(hidden)))) return "is not yours to write";
  const protection = place.protected.refusal(path);
  if (protection) return protection;
  const blocker = blockerOf(place.folder, path);
  if (blocker !== undefined) return `would go through '${shownPath(blocker)}', which is a link or a file`;
  if (lookIn(place.folder, path)?.isDirectory()) return "is a folder";
  const isAdded = marksIn(content) > marksIn(readPlain(place.folder, path)?.toString() ?? "");
  return isAdded ? `holds ${MARK_REFUSED}` : undefined;
}

/** What a model is told that takes the mark for the value. */
export const MARK_REFUSED = `'${SECRET_MARK}', which only stands where a value was taken out of what you were shown: leave the value out, and have the program read it from its environment`;

function marksIn(text: string): number {
  return text.split(SECRET_MARK).length - 1;
}

/** Every file that a model may see, by path. */
export async function listFiles(place: WorkspacePlace): Promise<string[]> {
  return (await filesIn(place)).map(({ path }) => path).sort();
}

async function filesIn({ folder, hidden, ignore }: WorkspacePlace): Promise<Entry[]> {
  return (await walk(folder, [...ignore, ...hidden])).filter(({ kind }) => kind === "file");
}

/** Small text files; what is large, binary, hidden, a link or not there is left out. */
export async function readFiles(place: WorkspacePlace, paths?: readonly string[]): Promise<FileBlock[]> {
  const small = (await filesIn(place)).filter(({ size }) => size <= LARGEST_READ).map(({ path }) => path);
  const named = paths && new Set(paths.map((each) => plainPath(each).path));
  const turn = takeTurns();
  const found: FileBlock[] = [];
  let sum = 0;
  for (const path of (named ? small.filter((each) => named.has(each)) : small).sort()) {
    await turn();
    const bytes = readPlain(place.folder, path);
    if (!bytes || bytes.includes(0) || !isUtf8(bytes)) continue;
    sum += bytes.length;
    if (sum > LARGEST_SUM) break;
    found.push({ path, content: bytes.toString() });
  }
  return found;
}
