// A commit as one transaction: branch, work tree and index change together or not at all.
//
//   T1  The commit is made first, in a draft; then a mark is left; then the branch is moved; then the work tree and the
//       index are brought to it; then the mark is taken away. A process that dies in between is completed by `settle`.
//   T2  A repository with a pre-commit hook gets the files into the work tree before, because hooks look there. A mark
//       is left before that, and where the hook refuses, or the process dies, the files go back.
//   T3  Files of the work tree are replaced only where their content is known to be ours.

import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { LoopwrightError } from "../../../core/errors.ts";
import { tryUserGit } from "../../../git/index.ts";
import { Draft } from "./draft.ts";
import { findHooks, HOOK_LIMIT, type Hook, outliveHook, refusal, runHook } from "./hooks.ts";
import { bringIndex, releaseIndexLock } from "./index-file.ts";
import { clearMark, type Mark, readMark, writeMark } from "./mark.ts";
import { composeMessage, keepTrailers, type Trailers } from "./message.ts";
import { askGit, gitLine, headOf, type Place } from "./place.ts";
import { releaseRefLocks } from "./ref-locks.ts";
import { compareTrees, type TreeChange } from "./trees.ts";
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
    await complete(place, { ...mark, commit: sha });
    return sha;
  } catch (error) {
    if ((await headOf(place)) === mark.parent) await takeBack(place, mark, hooks.has("pre-commit"));
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

/** Brings work tree and index to a commit that the branch is at. */
async function complete(place: Place, { parent, staged, commit, isFromWorkTree }: Mark): Promise<void> {
  if (!isFromWorkTree) await bringWorkTree(place, { target: commit, sources: [parent, staged] });
  const changes = await compareTrees(place, parent, commit);
  await bringIndex(
    place,
    changes.map(({ path, after }) => [path, after] as const),
  );
  await clearMark(place);
}

/** Brings the work tree back to where the branch still is. */
async function takeBack(place: Place, mark: Mark, isForced: boolean): Promise<void> {
  const { parent, staged, index, isFromWorkTree } = mark;
  if (!isFromWorkTree) {
    const hooked = existsSync(index) ? await askGit(place, ["write-tree"], { index }) : undefined;
    await bringWorkTree(place, { target: parent, sources: hooked ? [staged, hooked] : [staged], isForced });
  }
  await clearMark(place);
}

/** Completes, or takes back, what a process that died was doing. The caller holds our lock. */
export async function settle(place: Place): Promise<void> {
  const left = await readMark(place);
  if (!left) return;
  const { mark, age } = left;
  releaseIndexLock(place);
  await outliveHook(place);
  if (mark.commit && age < AFTERLIFE && (await headOf(place)) !== mark.commit) await pause(AFTERLIFE - age);
  const head = await headOf(place);
  if (mark.commit && head === mark.commit) return complete(place, mark);
  if (mark.commit) await releaseRefLocks(place, mark.commit);
  if (head === mark.parent) return takeBack(place, mark, false);
  // A person has moved the branch since: what lies there now is theirs.
  await clearMark(place);
}
