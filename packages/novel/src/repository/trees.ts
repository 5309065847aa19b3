// Trees of the repository compared and read. A path here is the repository's, not the project's.

import { git, gitLine, type Place } from "./place.ts";

/** A file in a tree. */
export interface TreeEntry {
  mode: string;
  blob: string;
}

/** A path at which two trees differ; absent where the tree has no file there. */
export interface TreeChange {
  path: string;
  before?: TreeEntry | undefined;
  after?: TreeEntry | undefined;
}

const ABSENT = "000000";

/** Where two trees (or commits) differ. Undefined is the tree with nothing in it. */
export async function compareTrees(
  place: Place,
  before: string | undefined,
  after: string | undefined,
): Promise<TreeChange[]> {
  if (before === after) return [];
  const [from, to] = await Promise.all([before ?? emptyTree(place), after ?? emptyTree(place)]);
  const output = await git(place, ["diff-tree", "-r", "-z", "--raw", "--no-renames", "--full-index", from, to]);
  const fields = output.toString().split("\0");
  const changes: TreeChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [oldMode = "", newMode = "", oldBlob = "", newBlob = ""] = fields[at]!.slice(1).split(" ");
    changes.push({ path: fields[at + 1]!, before: entryOf(oldMode, oldBlob), after: entryOf(newMode, newBlob) });
  }
  return changes;
}

/** Whether two entries are the same file, or both none. */
export function isSameEntry(a: TreeEntry | undefined, b: TreeEntry | undefined): boolean {
  return a?.blob === b?.blob && a?.mode === b?.mode;
}

/** The entries of a tree at some paths; paths without a file are left out. */
export async function entriesAt(
  place: Place,
  tree: string | undefined,
  paths: readonly string[],
): Promise<Map<string, TreeEntry>> {
  const entries = new Map<string, TreeEntry>();
  if (tree === undefined || paths.length === 0) return entries;
  const output = await git(place, ["ls-tree", "-r", "-z", "--full-tree", tree]);
  const wanted = new Set(paths);
  for (const line of output.toString().split("\0")) {
    const [facts = "", path = ""] = line.split("\t");
    const [mode = "", , blob = ""] = facts.split(" ");
    if (wanted.has(path)) entries.set(path, { mode, blob });
  }
  return entries;
}

/** The bytes of blobs, in their order. */
export async function readBlobs(place: Place, blobs: readonly string[]): Promise<Buffer[]> {
  if (blobs.length === 0) return [];
  const output = await git(place, ["cat-file", "--batch"], { input: blobs.map((blob) => `${blob}\n`) });
  let at = 0;
  return blobs.map(() => {
    const end = output.indexOf(10, at);
    const size = Number(output.toString("latin1", at, end).split(" ")[2]);
    at = end + 1 + size + 1;
    return output.subarray(end + 1, end + 1 + size);
  });
}

function emptyTree(place: Place): Promise<string> {
  return gitLine(place, ["hash-object", "-t", "tree", "--stdin"]);
}

function entryOf(mode: string, blob: string): TreeEntry | undefined {
  return mode === ABSENT ? undefined : { mode, blob };
}
