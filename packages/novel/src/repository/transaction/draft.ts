// A commit in the making: an index of its own, in a folder of ours inside the git directory. The repository's index,
// branch and work tree know nothing of it.

import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { git, gitLine, type Place, pathList } from "../place.ts";
import type { TreeEntry } from "../trees.ts";

/** Milliseconds. A hook that outlived our process may still read a draft of it, so young ones are left alone. */
const OLD = 3_600_000;

/** Our own folder inside the git directory. */
export function ownFolder(place: Place): string {
  return join(place.gitDir, "loopwright");
}

export class Draft {
  readonly folder: string;
  readonly index: string;
  readonly #place: Place;

  private constructor(place: Place) {
    this.#place = place;
    this.folder = join(ownFolder(place), `draft-${randomUUID()}`);
    this.index = join(this.folder, "index");
  }

  /** A draft that begins with a tree (or a commit), or with nothing. */
  static async open(place: Place, from: string | undefined): Promise<Draft> {
    const draft = new Draft(place);
    await mkdir(draft.folder, { recursive: true });
    await git(place, ["read-tree", from ?? "--empty"], { index: draft.index });
    return draft;
  }

  /** Takes files as they lie in a folder; what does not lie there is removed. */
  async takeFiles(workTree: string, paths: readonly string[]): Promise<void> {
    if (paths.length === 0) return;
    const input = pathList(paths);
    const args = ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"];
    await git(this.#place, args, { index: this.index, workTree, input });
  }

  /** Puts files in, or out, by what the repository holds already. */
  async setEntries(entries: Iterable<readonly [path: string, entry: TreeEntry | undefined]>): Promise<void> {
    await setIndexEntries(this.#place, this.index, entries);
  }

  /** The tree as it would be committed now. */
  tree(): Promise<string> {
    return gitLine(this.#place, ["write-tree"], { index: this.index });
  }

  /** Takes the draft away. */
  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Sets entries of an index, or removes them. */
export async function setIndexEntries(
  place: Place,
  index: string,
  entries: Iterable<readonly [path: string, entry: TreeEntry | undefined]>,
): Promise<void> {
  const all = [...entries];
  const put = all.flatMap(([path, entry]) => (entry ? [`${entry.mode} ${entry.blob}\t${path}\0`] : []));
  const gone = all.flatMap(([path, entry]) => (entry ? [] : [path]));
  // Removals first: a folder may take the place of a file.
  if (gone.length > 0)
    await git(place, ["update-index", "--force-remove", "-z", "--stdin"], { index, input: pathList(gone) });
  if (put.length > 0) await git(place, ["update-index", "-z", "--index-info"], { index, input: put });
}

/** Removes drafts that a dead process left long ago. */
export async function sweepDrafts(place: Place, now = Date.now()): Promise<void> {
  const names = await readdir(ownFolder(place)).catch(() => []);
  for (const name of names.filter((each) => each.startsWith("draft-"))) {
    const folder = join(ownFolder(place), name);
    const age = await stat(folder).then(
      ({ mtimeMs }) => now - mtimeMs,
      () => 0,
    );
    if (age > OLD) await rm(folder, { recursive: true, force: true });
  }
}
