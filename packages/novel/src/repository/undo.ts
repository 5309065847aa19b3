// Taking a commit back by another one. What came after it stays: a file that was changed since is merged, line by line,
// and where both changed the same lines nothing is done at all.
//
// The branch is never moved backwards: an undone iteration stays in the history, a redo finds it there, a copy that was
// pushed elsewhere still agrees, and hand edits made in between are on the branch and stay on it.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tryUserGit } from "@loopwright/git";
import { git, gitLine, type Place } from "./place.ts";
import type { Draft } from "./transaction/draft.ts";
import { compareTrees, entriesAt, isSameEntry, readBlobs, type TreeChange, type TreeEntry } from "./trees.ts";

/** What taking a commit back comes to. */
export interface Reversal {
  /** What each path becomes; undefined where the file goes. */
  entries: Map<string, TreeEntry | undefined>;
  /** Paths that were changed since in a way that cannot be kept. */
  conflicts: string[];
}

/** Works out how a commit is taken back from where the branch is now. */
export async function reverse(
  place: Place,
  sha: string,
  head: string,
  draft: Draft,
  isMeant: (path: string) => boolean = () => true,
): Promise<Reversal> {
  const parent = await gitLine(place, ["rev-list", "--parents", "--max-count=1", sha]);
  const all = await compareTrees(place, parent.split(" ")[1], sha);
  const changes = all.filter(({ path }) => isMeant(path));
  const now = await entriesAt(
    place,
    head,
    changes.map(({ path }) => path),
  );
  const reversal: Reversal = { entries: new Map(), conflicts: [] };
  for (const change of changes) {
    const current = now.get(change.path);
    if (isSameEntry(current, change.before)) continue;
    const entry = isSameEntry(current, change.after) ? change.before : await merge(place, draft, change, current);
    if (entry === "conflict") reversal.conflicts.push(change.path);
    else reversal.entries.set(change.path, entry);
  }
  return reversal;
}

/** The commits since one that changed some paths, newest first. */
export async function changesSince(
  place: Place,
  sha: string,
  paths: readonly string[],
): Promise<{ sha: string; subject: string }[]> {
  const output = await git(place, ["log", "--format=%h%x09%s", `${sha}..HEAD`, "--", ...paths]);
  const lines = output
    .toString()
    .split("\n")
    .filter((line) => line !== "");
  return lines.map((line) => {
    const [short = "", ...subject] = line.split("\t");
    return { sha: short, subject: subject.join("\t") };
  });
}

/** The current file without what the commit changed; "conflict" where that cannot be told apart. */
async function merge(
  place: Place,
  draft: Draft,
  { path, before, after }: TreeChange,
  current: TreeEntry | undefined,
): Promise<TreeEntry | "conflict"> {
  if (!before || !after || !current) return "conflict";
  const folder = join(draft.folder, "merge");
  await mkdir(folder, { recursive: true });
  const texts = await readBlobs(place, [current.blob, after.blob, before.blob]);
  const files = ["current", "after", "before"].map((name) => join(folder, name));
  await Promise.all(files.map((file, at) => writeFile(file, texts[at]!)));
  const { code, output } = await tryUserGit(["merge-file", "--stdout", "--quiet", ...files], { folder: place.root });
  if (code !== 0 || (path.endsWith(".json") && !isJson(output))) return "conflict";
  const blob = await gitLine(place, ["hash-object", "-w", "--stdin"], { input: [output] });
  return { mode: current.mode, blob };
}

function isJson(text: Buffer): boolean {
  try {
    JSON.parse(text.toString());
    return true;
  } catch {
    return false;
  }
}
