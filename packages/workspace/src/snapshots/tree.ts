// A snapshot's tree as plain data: which files and links, which empty folders.

import { createHash, type Hash } from "node:crypto";
import { dirname } from "node:path";
import type { Work } from "@loopwright/sandbox";

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

/** Every folder that must be there for a tree. */
export function foldersOf({ files, emptyFolders }: Tree): Set<string> {
  const folders = new Set<string>();
  for (let path of [...[...files.keys()].map((each) => dirname(each)), ...emptyFolders]) {
    for (; path !== "." && !folders.has(path); path = dirname(path)) folders.add(path);
  }
  return folders;
}

/** A tree in a short text: equal texts are equal trees. */
export function* treeToText({ files, emptyFolders }: Tree, message: string): Work<string> {
  const hash = createHash("sha256").update(JSON.stringify([emptyFolders, message]));
  for (const path of [...files.keys()].sort()) {
    const { mode, blob } = files.get(path)!;
    hash.update(`${mode} ${blob} ${path}\0`);
    yield;
  }
  return hash.digest("hex");
}

/** A path as fast-import reads it. */
export function quotePath(path: string): string {
  return `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}
