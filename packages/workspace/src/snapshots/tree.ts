// A snapshot's tree as plain data: which files and links, which empty folders.

import { createHash } from "node:crypto";
import { dirname } from "node:path";
import type { Kept } from "@loopwright/git/branch";

export interface Tree {
  files: Map<string, Kept>;
  emptyFolders: string[];
}

/** The name that git gives to bytes. */
export function blobOf(bytes: Uint8Array): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

/** Whether two files of a tree are the same, or both none. */
export function isSame(one: Kept | undefined, other: Kept | undefined): boolean {
  return one?.blob === other?.blob && one?.mode === other?.mode;
}

/** Whether a path is the same in two trees: the same file, or none. */
export function isAlike(one: Tree, other: Tree, path: string): boolean {
  return isSame(one.files.get(path), other.files.get(path));
}

/** The paths whose file differs, or is in one of two trees only. */
export function changedPaths(one: Tree, other: Tree): string[] {
  const paths = new Set([...one.files.keys(), ...other.files.keys()]);
  return [...paths].filter((path) => !isAlike(one, other, path)).sort();
}

/** Every folder that must be there for a tree. */
export function foldersOf({ files, emptyFolders }: Tree): Set<string> {
  const folders = new Set<string>();
  for (let path of [...[...files.keys()].map((each) => dirname(each)), ...emptyFolders]) {
    for (; path !== "." && !folders.has(path); path = dirname(path)) folders.add(path);
  }
  return folders;
}
