// The work tree brought to a commit, file by file. Each file is replaced whole, by a rename, so that it is the old one
// or the new one at any moment; and only where it is known what is replaced, so that nothing of a person's is lost.

import { randomUUID } from "node:crypto";
import { copyFile, lstat, mkdir, open, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { UsageError } from "@loopwright/core";
import { git, type Place, pathList, toProjectPath } from "../place.ts";
import { compareTrees, type TreeChange, type TreeEntry } from "../trees.ts";
import { Draft } from "./draft.ts";

export interface Bringing {
  /** The tree to bring the work tree to; undefined is nothing at all. */
  target: string | undefined;
  /** The trees whose files may be replaced. A file that is none of theirs is a person's, and stays. */
  sources: readonly (string | undefined)[];
  /** The paths that it is about; others stay as they are. */
  only?: ReadonlySet<string>;
  /** Files that are known to be nobody's: they are replaced whatever they hold. */
  isForced?: boolean;
}

/** What lies at a path: a blob as git would store it, nothing, or something that is no plain file. */
type OnDisk = string | "nothing" | "something else";

/** Brings the files at which the sources differ from the target to the target. */
export async function bringWorkTree(place: Place, { target, sources, only, isForced }: Bringing): Promise<void> {
  const wanted = new Map<string, TreeEntry | undefined>();
  const known = new Map<string, Set<OnDisk>>();
  for (const source of sources) {
    for (const { path, before, after } of await compareTrees(place, source, target)) {
      if (only && !only.has(path)) continue;
      wanted.set(path, after);
      known.set(path, (known.get(path) ?? new Set()).add(before?.blob ?? "nothing"));
    }
  }
  const now = await look(place, [...wanted.keys()]);
  const due = [...wanted].filter(([path, entry]) => {
    const found = now.get(path)!;
    return found !== (entry?.blob ?? "nothing") && (isForced || known.get(path)!.has(found));
  });
  await write(
    place,
    target,
    due.flatMap(([path, entry]) => (entry ? [path] : [])),
  );
  for (const [path, entry] of due) if (!entry) await remove(place, path);
}

/** What lies at paths of the work tree. */
export async function look(place: Place, paths: readonly string[]): Promise<Map<string, OnDisk>> {
  const found = new Map<string, OnDisk>();
  await Promise.all(paths.map(async (path) => found.set(path, await kindAt(join(place.root, path)))));
  const files = paths.filter((path) => found.get(path) === "file");
  if (files.length === 0) return found;
  const input = files.map((path) => `${path}\n`);
  const blobs = (await git(place, ["hash-object", "--stdin-paths"], { input })).toString().split("\n");
  files.forEach((path, at) => {
    found.set(path, blobs[at]!);
  });
  return found;
}

/** Throws where a path cannot be written: a folder lies there, or a link or a file where a folder should. */
export async function checkWritable(place: Place, paths: readonly string[]): Promise<void> {
  const parents = new Set<string>();
  for (const path of paths) for (let at = dirname(path); at !== "."; at = dirname(at)) parents.add(at);
  for (const parent of parents) {
    const found = await lstat(join(place.root, parent)).catch(() => undefined);
    if (found && !found.isDirectory()) throw notWritable(join(place.root, parent), "is a folder of the project, but");
  }
  for (const path of paths) {
    const found = await lstat(join(place.root, path)).catch(() => undefined);
    if (found?.isDirectory()) throw notWritable(join(place.root, path), "is to be a file, but a folder");
  }
}

/** Throws where a file that would be replaced is not the one that git knows: it is a person's, and nowhere else. */
export async function checkOnDisk(place: Place, changes: readonly TreeChange[]): Promise<void> {
  const found = await look(
    place,
    changes.map(({ path }) => path),
  );
  const foreign = changes.filter(({ path, before }) => found.get(path) !== (before?.blob ?? "nothing"));
  if (foreign.length > 0) throw handEdited(foreign.flatMap(({ path }) => toProjectPath(place, path) ?? path));
}

/** The error of a commit that would write over what a person wrote. */
export function handEdited(paths: readonly string[]): UsageError {
  const [one, ...more] = paths;
  const names = more.length > 3 ? `${one} and ${more.length} other files` : paths.join(", ");
  return new UsageError(
    "HAND_EDITED",
    `${names} changed by hand meanwhile, and would be written over. Nothing was changed: keep a copy of your version elsewhere and type git checkout -- <file> (or remove a file that is new), then go on`,
    { data: { paths: paths.join("\n") } },
  );
}

async function write(place: Place, target: string | undefined, paths: readonly string[]): Promise<void> {
  if (paths.length === 0 || target === undefined) return;
  const draft = await Draft.open(place, target);
  try {
    const out = join(draft.folder, "files");
    const args = ["checkout-index", "--force", "-z", "--stdin", `--prefix=${out}/`];
    await git(place, args, { index: draft.index, input: pathList(paths) });
    await Promise.all(paths.map((path) => settleBytes(join(out, path))));
    for (const path of paths) {
      await mkdir(dirname(join(place.root, path)), { recursive: true });
      await move(join(out, path), join(place.root, path));
    }
  } finally {
    await draft.close();
  }
}

/** Gives a file its name in one step, also where the git directory lies on another disk than the work tree. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    const beside = join(dirname(to), `.loopwright-${randomUUID()}`);
    await copyFile(from, beside);
    await settleBytes(beside);
    await rename(beside, to);
  }
}

/** Bytes on the disk before the name: a machine that loses power finds the old file or the new one. */
async function settleBytes(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Removes a file, and the folders of the project that it leaves empty. */
async function remove(place: Place, path: string): Promise<void> {
  await rm(join(place.root, path), { force: true });
  const top = join(place.root, place.prefix);
  for (let at = dirname(join(place.root, path)); relative(top, at) !== "" && !relative(top, at).startsWith(".."); ) {
    try {
      await rmdir(at);
    } catch {
      return;
    }
    at = dirname(at);
  }
}

async function kindAt(path: string): Promise<"file" | "nothing" | "something else"> {
  try {
    return (await lstat(path)).isFile() ? "file" : "something else";
  } catch {
    return "nothing";
  }
}

function notWritable(path: string, what: string): UsageError {
  return new UsageError(
    "NOT_WRITABLE",
    `${path} ${what} lies there: move it away, then try again. Nothing was changed`,
  );
}
