// A commit as one transaction: branch, work tree and index change together or not at all.
//
//   T1  The commit is made first, in a draft; then a mark is left; then the branch is moved; then the work tree and the
//       index are brought to it; then the mark is taken away. A process that dies in between is completed by `settle`.
//   T2  A repository with a pre-commit hook gets the files into the work tree before, because hooks look there. A mark
//       is left before that, and where the hook refuses, or the process dies, the files go back.
//   T3  Files of the work tree are replaced only where their content is known to be ours.

import { randomUUID } from "node:crypto";
import { copyFile, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { LoopwrightError } from "@loopwright/core";
import { tryUserGit } from "@loopwright/git";
import { composeMessage, keepTrailers, type Trailers } from "../message.ts";
import { askGit, gitLine, headOf, type Place } from "../place.ts";
import { compareTrees, entriesAt, type TreeChange } from "../trees.ts";
import { Draft, ownFolder } from "./draft.ts";
import { findHooks, HOOK_LIMIT, type Hook, outliveHook, refusal, runHook } from "./hooks.ts";
import { bringIndex, releaseIndexLock } from "./index-file.ts";
import { clearMark, type Mark, readMark, writeMark } from "./mark.ts";
import { releaseRefLocks } from "./ref-locks.ts";
import { bringWorkTree, checkOnDisk, checkWritable } from "./work-tree.ts";

export interface Transaction {
  subject: string;
  body?: string | undefined;
  trailers?: Trailers | undefined;
  /** Puts what is to be committed into the draft, which begins as the last commit. */
  fill(draft: Draft, parent: string | undefined): Promise<void>;
  /** Looks at what would change, and throws where it may not. */
  guard?(changes: readonly TreeChange[], parent: string | undefined): Promise<void>;
  /** Whether what is committed already lies in the work tree. */
  isFromWorkTree?: boolean;
  /** Whether a commit is made even where nothing would change. */
  isEmptyAllowed?: boolean;
}

/** Milliseconds within which a git that outlived our process may still move the branch. */
const AFTERLIFE = 1_500;

/** Carries a transaction out; undefined where nothing would change. The caller holds our lock and has settled. */
export async function transact(
  place: Place,
  transaction: Transaction,
): Promise<{ sha: string; changes: TreeChange[] } | undefined> {
  const parent = await headOf(place);
  const draft = await Draft.open(place, parent);
  try {
    await transaction.fill(draft, parent);
    const staged = await draft.tree();
    const changes = await compareTrees(place, parent, staged);
    if (changes.length === 0 && !transaction.isEmptyAllowed) return undefined;
    await checkWritable(
      place,
      changes.flatMap(({ path, after }) => (after ? [path] : [])),
    );
    await transaction.guard?.(changes, parent);
    if (!transaction.isFromWorkTree) await checkOnDisk(place, changes);
    const isFromWorkTree = transaction.isFromWorkTree ?? false;
    const mark: Mark = { staged, index: draft.index, isFromWorkTree, ...(parent ? { parent } : {}) };
    const hooks = await findHooks(place);
    const sha = await commit(place, { transaction, draft, mark, hooks });
    if (hooks.has("post-commit")) await runHook(place, "post-commit", join(place.gitDir, "index")).catch(() => {});
    // As after a plain `git commit`: where loose objects have piled up, git packs them in the background.
    await tryUserGit(["maintenance", "run", "--auto", "--quiet"], { folder: place.root, hooks: { limit: HOOK_LIMIT } });
    return { sha, changes: await compareTrees(place, parent, sha) };
  } finally {
    await draft.close();
  }
}

interface Attempt {
  transaction: Transaction;
  draft: Draft;
  mark: Mark;
  hooks: ReadonlySet<Hook>;
}

async function commit(place: Place, { transaction, draft, mark, hooks }: Attempt): Promise<string> {
  try {
    if (hooks.has("pre-commit")) {
      await writeMark(place, mark);
      if (!mark.isFromWorkTree) await bringWorkTree(place, { target: mark.staged, sources: [mark.parent] });
      await runHook(place, "pre-commit", draft.index);
    }
    const message = await writeMessage(place, { transaction, draft, hooks });
    const parents = mark.parent ? ["-p", mark.parent] : [];
    const sha = await gitLine(place, ["commit-tree", await draft.tree(), ...parents], { input: [message] });
    await writeMark(place, { ...mark, commit: sha });
    await moveBranch(place, mark.parent, sha, transaction.subject);
    await complete(place, { ...mark, commit: sha }, sha);
    return sha;
  } catch (error) {
    const head = await headOf(place);
    const { mark: left } = (await readMark(place)) ?? { mark };
    if (!(await isReached(place, left, head))) await takeBack(place, mark, head, hooks.has("pre-commit"));
    throw error;
  }
}

/** The message as the hooks leave it. */
async function writeMessage(place: Place, { transaction, draft, hooks }: Omit<Attempt, "mark">): Promise<string> {
  const message = composeMessage(transaction.subject, transaction.body, transaction.trailers);
  if (!hooks.has("prepare-commit-msg") && !hooks.has("commit-msg")) return message;
  const file = join(place.gitDir, "COMMIT_EDITMSG");
  await writeFile(file, message);
  if (hooks.has("prepare-commit-msg")) await runHook(place, "prepare-commit-msg", draft.index, [file, "message"]);
  if (hooks.has("commit-msg")) await runHook(place, "commit-msg", draft.index, [file]);
  const left = await readFile(file, "utf8");
  if (left.trim() === "") throw refusal(place, "commit-msg", "it left no message");
  return keepTrailers(left, transaction.trailers);
}

/** Moves the branch from one commit to the next; fails where another has moved it meanwhile. */
async function moveBranch(place: Place, from: string | undefined, to: string, subject: string): Promise<void> {
  const log = `commit${from ? "" : " (initial)"}: ${subject}`;
  const { code, complaint } = await tryUserGit(["update-ref", "-m", log, "HEAD", to, from ?? ""], {
    folder: place.root,
    hooks: { limit: HOOK_LIMIT },
  });
  if (code === 0) return;
  if (complaint.includes("aborted by hook")) throw refusal(place, "reference-transaction", complaint.trim());
  throw new LoopwrightError("BRANCH_NOT_MOVED", `git could not move the branch: ${complaint.trim()}`);
}

/** Brings work tree and index, at the paths of the commit, to where the branch is: at it, or past it. */
async function complete(place: Place, { parent, staged, commit, isFromWorkTree }: Mark, head: string): Promise<void> {
  const paths = (await compareTrees(place, parent, commit)).map(({ path }) => path);
  if (!isFromWorkTree) await bringWorkTree(place, { target: head, sources: [parent, staged], only: new Set(paths) });
  const entries = await entriesAt(place, head, paths);
  await bringIndex(
    place,
    paths.map((path) => [path, entries.get(path)] as const),
  );
  await clearMark(place);
}

/** Brings the work tree, where it holds what was to be committed, back to where the branch is. */
async function takeBack(place: Place, mark: Mark, head: string | undefined, isForced: boolean): Promise<void> {
  const { staged, index, isFromWorkTree } = mark;
  if (!isFromWorkTree) {
    const hooked = await treeOfIndex(place, index);
    const paths = (await compareTrees(place, mark.parent, staged)).map(({ path }) => path);
    const sources = hooked ? [staged, hooked] : [staged];
    await bringWorkTree(place, { target: head, sources, only: new Set(paths), isForced });
  }
  await clearMark(place);
}

/** What hooks have made of a draft's index. It is copied first: a git that died with its process left its lock there. */
async function treeOfIndex(place: Place, index: string): Promise<string | undefined> {
  // The mark that names it may have come with the folder.
  if (dirname(dirname(resolve(index))) !== ownFolder(place)) return undefined;
  const copy = `${index}-${randomUUID()}`;
  try {
    await copyFile(index, copy);
    return await askGit(place, ["write-tree"], { index: copy });
  } catch {
    return undefined;
  } finally {
    await rm(copy, { force: true });
  }
}

/** Whether the branch has come to the commit under way, or past it. */
async function isReached(place: Place, { commit }: Mark, head: string | undefined): Promise<boolean> {
  if (commit === undefined || head === undefined) return false;
  return commit === head || (await askGit(place, ["merge-base", "--is-ancestor", commit, head])) !== undefined;
}

/** Completes, or takes back, what a process that died was doing. The caller holds our lock. */
export async function settle(place: Place): Promise<void> {
  const left = await readMark(place);
  if (!left) return;
  const { mark, age } = left;
  releaseIndexLock(place);
  await outliveHook(place);
  if (mark.commit && age < AFTERLIFE && !(await isReached(place, mark, await headOf(place))))
    await pause(AFTERLIFE - age);
  const head = await headOf(place);
  if (head !== undefined && (await isReached(place, mark, head))) return complete(place, mark, head);
  if (mark.commit) await releaseRefLocks(place, mark.commit);
  await takeBack(place, mark, head, false);
}
