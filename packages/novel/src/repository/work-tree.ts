// The project's files replaced whole, by a rename, so that each is the old one or the new one at any moment.

import { randomUUID } from "node:crypto";
import { lstat, mkdir, open, readFile, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { sha256, UsageError } from "@loopwright/core";
import { type Place, readFiles } from "./place.ts";

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
