// Where a project's repository lies, and git run there.

import { randomUUID } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { lstat, mkdir, open, readFile, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { sha256, UsageError } from "@loopwright/core";
import { runUserGit, tryUserGit } from "@loopwright/git";

/** A repository with a work tree that holds the project's folder. */
export interface Place {
  /** The project's folder. */
  folder: string;
  /** The top of the work tree. */
  root: string;
  /** Of this work tree; and of all work trees of the repository. */
  gitDir: string;
  commonDir: string;
  /** The project's folder from the top: "" where it is the top, else with a slash at its end. */
  prefix: string;
}

/** What git said of a folder, as long as what it named is there. */
const known = new Map<string, Place>();

/** Finds the repository of a folder; where there is none that can be used, git's own words say why. */
export async function findPlace(folder: string): Promise<Place | { fault: string }> {
  const found = known.get(folder);
  if (found && existsSync(join(found.gitDir, "HEAD")) && (found.prefix === "" || !existsSync(join(folder, ".git"))))
    return found;
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return { fault: "there is no such folder" };
  const questions = ["--show-toplevel", "--absolute-git-dir", "--git-common-dir", "--show-prefix"];
  const { code, output, complaint } = await tryUserGit(["rev-parse", ...questions], { folder });
  if (code !== 0) return { fault: complaint.trim() };
  const [root = "", gitDir = "", commonDir = "", prefix = ""] = output.toString().split("\n");
  const place = { folder, root, gitDir, commonDir: resolve(folder, commonDir), prefix };
  known.set(folder, place);
  return place;
}

/** Our own folder inside the git directory. */
export function ownFolder({ gitDir }: Place): string {
  return join(gitDir, "loopwright");
}

/** What git prints; it runs in the project's folder, so that paths are the project's. */
export async function git({ folder }: Place, args: readonly string[]): Promise<string> {
  return (await runUserGit(args, { folder })).toString().trimEnd();
}

/** What git prints, or undefined where it ends with a failure. */
export async function askGit({ folder }: Place, args: readonly string[]): Promise<string | undefined> {
  const { code, output } = await tryUserGit(args, { folder });
  return code === 0 ? output.toString().trim() : undefined;
}

/** The last commit; undefined before the first. */
export function headOf(place: Place): Promise<string | undefined> {
  return askGit(place, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
}

/** The project's files as commits have them; undefined for one that is not there. */
export async function readFiles(
  { folder, prefix }: Place,
  files: readonly { sha: string; path: string }[],
): Promise<(Buffer | undefined)[]> {
  if (files.length === 0) return [];
  const input = files.map(({ sha, path }) => `${sha}:${prefix}${path}\n`);
  const output = await runUserGit(["cat-file", "--batch"], { folder, input });
  let at = 0;
  return files.map(() => {
    const end = output.indexOf(10, at);
    const [, size] = /^[0-9a-f]+ blob (\d+)$/.exec(output.toString("utf8", at, end)) ?? [];
    at = end + 1;
    if (size === undefined) return undefined;
    const text = output.subarray(at, at + Number(size));
    at += text.length + 1;
    return text;
  });
}

// The project's files replaced whole, by a rename, so that each is the old one or the new one at any moment.

/** What files become, by path; undefined where a file goes. */
export type Texts = ReadonlyMap<string, Buffer | undefined>;

/** What tells one text from another; null for no file at all. */
export function digestOf(text: Buffer | undefined): string | null {
  return text ? sha256(text) : null;
}

/** What lies at a path; throws where it is no file, or lies behind a link. */
export async function readOnDisk({ folder }: Place, path: string): Promise<Buffer | undefined> {
  for (let at = dirname(path); at !== "."; at = dirname(at)) {
    const found = await lstat(join(folder, at)).catch(() => undefined);
    if (found && !found.isDirectory())
      throw inTheWay(join(folder, at), "is a folder of the project, but something else");
  }
  const found = await lstat(join(folder, path)).catch(() => undefined);
  if (found && !found.isFile()) throw inTheWay(join(folder, path), "is to be a file, but something else");
  return found && readFile(join(folder, path));
}

/** Writes and removes files; all are on the disk before the first one is replaced, which a full disk does not stop then. */
export async function writeAll({ folder }: Place, texts: Texts): Promise<void> {
  const drafts = join(folder, ".loopwright/writing");
  try {
    await mkdir(drafts, { recursive: true });
    const written: (readonly [draft: string, path: string])[] = [];
    for (const [path, text] of texts) {
      if (!text) continue;
      const draft = join(drafts, randomUUID());
      const file = await open(draft, "wx");
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
      written.push([draft, path]);
    }
    for (const [draft, path] of written) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await rename(draft, join(folder, path));
    }
    for (const [path, text] of texts) if (!text) await remove(folder, path);
  } finally {
    await rm(drafts, { recursive: true, force: true });
  }
}

/**
 * Brings files that hold what was to be committed back to the last commit. Others are a person's, and stay; after a
 * hook that refused they may be its work as well, and are kept under `.loopwright/refused`.
 */
export async function putBack(
  place: Place,
  planned: Readonly<Record<string, string | null>>,
  isForced: boolean,
): Promise<void> {
  const paths = Object.keys(planned);
  const before = await readFiles(
    place,
    paths.map((path) => ({ sha: "HEAD", path })),
  );
  const due = new Map<string, Buffer | undefined>();
  for (const [at, path] of paths.entries()) {
    const now = await readOnDisk(place, path);
    const isOurs = digestOf(now) === planned[path];
    if (digestOf(now) === digestOf(before[at]) || !(isOurs || isForced)) continue;
    if (!isOurs && now) await writeAll(place, new Map([[join(".loopwright/refused", path), now]]));
    due.set(path, before[at]);
  }
  await writeAll(place, due);
}

/** Removes a file, and the folders of the project that it leaves empty. */
async function remove(folder: string, path: string): Promise<void> {
  await rm(join(folder, path), { force: true });
  for (let at = dirname(path); at !== "."; at = dirname(at)) {
    const isGone = await rmdir(join(folder, at)).then(
      () => true,
      () => false,
    );
    if (!isGone) return;
  }
}

function inTheWay(path: string, what: string): UsageError {
  return new UsageError(
    "NOT_WRITABLE",
    `${path} ${what} lies there: move it away, then try again. Nothing was changed`,
  );
}
