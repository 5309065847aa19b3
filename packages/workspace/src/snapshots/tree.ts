// A snapshot's tree as plain data: which files and links, which empty folders.

import { createHash, type Hash } from "node:crypto";
import { dirname } from "node:path";

/** A file or link of a snapshot. */
export interface Kept {
  mode: "100644" | "100755" | "120000";
  blob: string;
  /** Bytes. */
  size: number;
}

export interface Tree {
  files: Map<string, Kept>;
  emptyFolders: string[];
}

/** The beginning of the name that git gives to so many bytes; the bytes follow. */
export function blobHash(size: number): Hash {
  return createHash("sha1").update(`blob ${size}\0`);
}

/** Whether two files of a tree are the same. */
export function isSame(one: Kept | undefined, other: Kept): boolean {
  return one?.blob === other.blob && one.mode === other.mode;
}

/** The paths whose file differs, or is in one of two trees only. */
export function changedPaths(one: Tree, other: Tree): string[] {
  const paths = new Set([...one.files.keys(), ...other.files.keys()]);
  return [...paths].filter((path) => !isAlike(one, other, path)).sort();
}

/** Whether a path is the same in two trees: the same file, or none. */
export function isAlike(one: Tree, other: Tree, path: string): boolean {
  const [a, b]: (Kept | undefined)[] = [one.files.get(path), other.files.get(path)];
  return a === b || (a !== undefined && b !== undefined && isSame(a, b));
}

/** Those of the paths that a tree does not have, where there are any. */
export function deletedOf(paths: readonly string[], tree: Tree): { deleted?: string[] } {
  const deleted = paths.filter((path) => !tree.files.has(path));
  return deleted.length > 0 ? { deleted } : {};
}

/** Every folder that must be there for a tree. */
export function foldersOf({ files, emptyFolders }: Tree): Set<string> {
  const folders = new Set<string>();
  for (let path of [...[...files.keys()].map((each) => dirname(each)), ...emptyFolders]) {
    for (; path !== "." && !folders.has(path); path = dirname(path)) folders.add(path);
  }
  return folders;
}

/** A tree in a short text: equal texts are equal trees. */
export function treeToText({ files, emptyFolders }: Tree, message: string): string {
  const hash = createHash("sha256").update(JSON.stringify([emptyFolders, message]));
  for (const path of [...files.keys()].sort()) {
    const { mode, blob } = files.get(path)!;
    hash.update(`${mode} ${blob} ${path}\0`);
  }
  return hash.digest("hex");
}

/** A path as fast-import reads it. */
export function quotePath(path: string): string {
  return `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}
