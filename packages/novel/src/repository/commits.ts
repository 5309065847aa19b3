// The commits that a project's repository gets: the first one, hand edits, iterations.

import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { LoopwrightError, UsageError } from "@loopwright/core";
import { plainPath, shownPath } from "@loopwright/git";
import type { Change } from "../types.ts";
import { type Dirty, findDirty, toHandEdits } from "./hand-edits.ts";
import { readIterations } from "./log.ts";
import { commitSubject } from "./message.ts";
import { askGit, headOf, type Place, toProjectPath, toRepositoryPath } from "./place.ts";
import { type Transaction, transact } from "./transaction/transaction.ts";
import { handEdited } from "./transaction/work-tree.ts";
import { compareTrees, entriesAt, isSameEntry, type TreeChange } from "./trees.ts";
import type { Committed, CommittedHandEdit, HandEdit, IterationCommit } from "./types.ts";

/** How often a commit is begun again because another program committed at the same time. */
const MOST_TRIES = 3;

/** The first commit of a repository: all of the project's files that lie there. */
export async function commitFirst(place: Place): Promise<CommittedHandEdit[]> {
  const paths = toHandEdits(await findDirty(place)).flatMap((edit) => edit.paths);
  const subject = commitSubject("project", "begin");
  const done = await transact(place, {
    subject,
    isFromWorkTree: true,
    isEmptyAllowed: true,
    fill: (draft) =>
      draft.takeFiles(
        place.root,
        paths.map((path) => toRepositoryPath(place, path)),
      ),
  });
  return [{ part: "project", paths, sha: done!.sha, subject }];
}

/** Commits one part's hand edits; what was staged in between is committed before, so that it is not lost. */
export async function commitHandEdit(
  place: Place,
  { part, paths }: HandEdit,
  dirty: readonly Dirty[],
): Promise<CommittedHandEdit[]> {
  const subject = commitSubject(part, "hand edit");
  const staged = dirty.filter((each) => each.part === part && each.staged !== undefined);
  const fills: Transaction["fill"][] = [
    (draft) =>
      draft.takeFiles(
        place.root,
        paths.map((path) => toRepositoryPath(place, path)),
      ),
  ];
  if (staged.length > 0)
    fills.unshift((draft) =>
      draft.setEntries(staged.map((each) => [toRepositoryPath(place, each.path), each.staged] as const)),
    );
  const committed: CommittedHandEdit[] = [];
  for (const fill of fills) {
    const done = await transact(place, { subject, isFromWorkTree: true, fill });
    if (done) committed.push({ part, paths: projectPaths(place, done.changes), sha: done.sha, subject });
  }
  return committed;
}

/** Commits an iteration, once. */
export async function commitIteration(place: Place, commit: IterationCommit): Promise<Committed> {
  checkCommit(commit);
  for (let tries = 1; ; tries++) {
    const head = await headOf(place);
    const before = (await readIterations(place)).all.find(({ id }) => id === commit.id);
    if (before) return { sha: before.sha, subject: before.subject, isNew: false };
    try {
      const done = await transact(place, iterationTransaction(place, commit));
      return { sha: done!.sha, subject: commit.subject, isNew: true };
    } catch (error) {
      const isRace = error instanceof LoopwrightError && error.code === "BRANCH_NOT_MOVED";
      if (!isRace || tries >= MOST_TRIES || (await headOf(place)) === head) throw error;
    }
  }
}

function iterationTransaction(place: Place, { id, subject, body, change, base }: IterationCommit): Transaction {
  return {
    subject,
    body,
    trailers: { deed: "Iteration", id, folder: place.prefix || undefined },
    isEmptyAllowed: true,
    async fill(draft, parent) {
      const files = join(draft.folder, "write");
      await mkdir(files, { recursive: true });
      for (const { path, content } of change.write) {
        const file = join(files, toRepositoryPath(place, path));
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, content);
      }
      const paths = pathsOf(change).map((path) => toRepositoryPath(place, path));
      await draft.takeFiles(files, paths);
      if (base === undefined || base === parent) return;
      // What the change leaves as it was is left as it is now: a hand edit committed since stays.
      const untouched = await unchangedSince(place, base, await draft.tree(), paths);
      const now = await entriesAt(place, parent, untouched);
      await draft.setEntries(untouched.map((path) => [path, now.get(path)] as const));
    },
    async guard(changes, parent) {
      const [dirty, moved] = await Promise.all([findDirty(place), changedBetween(place, base, parent)]);
      const edited = new Set([...dirty.map(({ path }) => toRepositoryPath(place, path)), ...moved]);
      const lost = changes.filter(({ path }) => edited.has(path));
      if (lost.length > 0) throw handEdited(projectPaths(place, lost));
    },
  };
}

async function unchangedSince(place: Place, base: string, tree: string, paths: readonly string[]): Promise<string[]> {
  const [then, now] = await Promise.all([entriesAt(place, base, paths), entriesAt(place, tree, paths)]);
  return paths.filter((path) => isSameEntry(then.get(path), now.get(path)));
}

async function changedBetween(place: Place, base: string | undefined, head: string | undefined): Promise<string[]> {
  if (base === undefined || base === head) return [];
  if ((await askGit(place, ["cat-file", "-e", `${base}^{commit}`])) === undefined)
    throw new UsageError("BASE_GONE", `the commit ${base}, which this iteration began from, is not in ${place.root}`);
  return (await compareTrees(place, base, head)).map(({ path }) => path);
}

function checkCommit({ id, change }: IterationCommit): void {
  if (!/^[\w.:-]{1,200}$/.test(id)) throw new UsageError("BAD_ITERATION_ID", `'${shownPath(id)}' cannot be an id`);
  for (const path of pathsOf(change)) {
    const { refused, path: plain } = plainPath(path);
    if (refused !== undefined || plain !== path || /^\.git(?:\/|$)/i.test(path))
      throw new UsageError("BAD_PATH", `'${shownPath(path)}' cannot be written: it ${refused ?? "is no plain path"}`);
  }
}

function pathsOf({ write, remove }: Change): string[] {
  return [...new Set([...remove, ...write.map(({ path }) => path)])];
}

function projectPaths(place: Place, changes: readonly TreeChange[]): string[] {
  return changes.flatMap(({ path }) => toProjectPath(place, path) ?? []);
}
