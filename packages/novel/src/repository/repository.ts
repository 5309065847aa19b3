// The repository of a project, as its loop and its commands use it.

import { UsageError } from "@loopwright/core";
import { runUserGit, shownPath, tryUserGit } from "@loopwright/git";
import { joinTexts } from "../diff/lines.ts";
import { commitAsTheyLie, commitTexts, handEdited, isPlain, settle, whileSettled } from "./commit.ts";
import { commitSubject, readIterations, stepSubject, wordsOf } from "./log.ts";
import { askGit, findPlace, git, headOf, type Place, readFiles } from "./place.ts";
import { describeMissing, describeState, handEditsOf, isShared, readStatus, type Status } from "./status.ts";
import type { CommittedFile, HandEdit, IterationCommit, Step } from "./types.ts";

/** The git repository of a book: every accepted iteration is a commit. */
export type Repository = Awaited<ReturnType<typeof openRepository>>;

/** Opens the repository of a project's folder. What a process that died left half done is settled first. */
export async function openRepository(folder: string) {
  let found = await findPlace(folder);
  if (!("fault" in found)) await settle(found);

  /** The repository, ready for use. */
  async function ready(): Promise<Place> {
    if ("fault" in found) throw new UsageError("REPOSITORY_STATE", describeMissing(folder, found.fault));
    await settle(found);
    return found;
  }

  /** Why nothing can be committed now, and what to type; or what git says of the files, where all is well. */
  async function look(): Promise<string | Status> {
    if ("fault" in found) found = await findPlace(folder);
    return "fault" in found ? describeMissing(folder, found.fault) : describeState(await ready());
  }

  async function check(): Promise<string | undefined> {
    const looked = await look();
    return typeof looked === "string" ? looked : undefined;
  }

  /** Commits something while no other process of ours does. */
  async function changing<Result>(act: (place: Place, status: Status) => Promise<Result>): Promise<Result> {
    const act1 = async () => {
      const looked = await look();
      if (typeof looked === "string") throw new UsageError("REPOSITORY_STATE", looked);
      return act(await ready(), looked);
    };
    // Nothing of ours is put into a repository that the project does not share.
    const isOurs = !("fault" in found) && (found.prefix === "" || (await isShared(found)));
    return isOurs ? whileSettled(await ready(), act1) : act1();
  }

  async function textAt(sha: string, path: string): Promise<string | undefined> {
    const [text] = await readFiles(await ready(), [{ sha, path }]);
    return text?.toString();
  }

  async function lastCommitOf(path: string, ...options: string[]): Promise<string | undefined> {
    return askGit(await ready(), ["log", "-1", "--format=%H", ...options, "--", path]);
  }

  const iterations = async () => (await readIterations(await ready())).all;

  return {
    folder,
    /** Why nothing can be committed now, and what to type; undefined where all is well. */
    check,
    /** Makes the project's own repository where it has none, and the first commit of what lies there. */
    async initialize() {
      if ("fault" in found || (found.prefix !== "" && !(await isShared(found)))) {
        await initialize(folder);
        found = await findPlace(folder);
      }
      if ((await headOf(await ready())) === undefined) await changing(commitHandEdits);
    },
    /** What a person changed in the project's files since the last commit. */
    async handEdits() {
      return handEditsOf(await readStatus(await ready()));
    },
    commitHandEdits: () => changing(commitHandEdits),
    /**
     * Commits an iteration and brings the work tree to it: all or nothing, and only once for an id. Throws UsageError:
     * COMMIT_REFUSED (with the words of git or of a hook), HAND_EDITED (a file to be written was edited meanwhile; `data.paths`),
     * NOT_WRITABLE (something lies in the way, or the disk is full), REPOSITORY_STATE (what `check` says). Nothing is
     * changed then.
     */
    commitIteration: (commit: IterationCommit) => changing((place) => commitIteration(place, commit)),
    /** Takes the last iteration back by a commit of its own; later hand edits stay. */
    undo: () => changing((place, status) => stepBack(place, status, "undo")).catch(toRefusal),
    redo: () => changing((place, status) => stepBack(place, status, "redo")).catch(toRefusal),
    /** Every iteration, newest first. */
    iterations,
    /** Commits by iteration id, as `Manuscript.history` takes them. */
    shas: async () => new Map((await iterations()).map(({ id, sha }) => [id, sha])),
    shaOf: async (id: string) => (await iterations()).find((each) => each.id === id)?.sha,
    wordsOf: async (subject: string) => wordsOf(await ready(), subject),
    head: async () => headOf(await ready()),
    fileAt: textAt,
    /** A file as it last was, also where it is gone; undefined where it never existed. */
    async lastText(path: string) {
      const sha = await lastCommitOf(path, "--diff-filter=AMR");
      return sha ? textAt(sha, path) : undefined;
    },
    /** Another file as it was when a path was last committed: what that was made from. */
    async textWhen(path: string, other: string) {
      const sha = await lastCommitOf(path);
      return sha ? textAt(sha, other) : undefined;
    },
    /** The files that a commit changed, content and all others. */
    async changeOf(sha: string): Promise<CommittedFile[]> {
      const files = await changedFiles(await ready(), sha);
      return files.map(({ path, before, after }) => ({ path, before: before?.toString(), after: after?.toString() }));
    },
  };
}

/** Commits an iteration, once. */
async function commitIteration(place: Place, { id, subject, body, change, base }: IterationCommit) {
  const { write, remove } = change;
  const paths = [...new Set([...remove, ...write.map(({ path }) => path)])];
  if (!/^[\w.:-]{1,200}$/.test(id)) throw new UsageError("BAD_ITERATION_ID", `'${shownPath(id)}' cannot be an id`);
  const bad = paths.find((path) => !isPlain(path));
  if (bad !== undefined) throw new UsageError("BAD_PATH", `'${shownPath(bad)}' is no plain path, and is not written`);
  const before = (await readIterations(place)).all.find((each) => each.id === id);
  if (before) return { sha: before.sha, subject: before.subject };
  if (base !== undefined && paths.length > 0) {
    const moved = await askGit(place, ["diff", "--name-only", "--relative", "-z", base, "HEAD", "--", ...paths]);
    if (moved !== "") throw handEdited(moved?.split("\0").filter((path) => path !== "") ?? paths);
  }
  const written = new Map(write.map(({ path, content }) => [path, Buffer.from(content)]));
  const trailers = { deed: "Iteration", id, folder: place.prefix || undefined } as const;
  const texts = new Map(paths.map((path) => [path, written.get(path)]));
  const { sha } = await commitTexts(place, { subject, body, trailers }, texts);
  return { sha, subject };
}

/** Commits each part's hand edits; the first commit of a repository holds all that lies there. */
async function commitHandEdits(place: Place, status: Status) {
  const edits = handEditsOf(status);
  if (status.isUnborn) {
    const [paths, subject] = [edits.flatMap((edit) => edit.paths), commitSubject("project", "begin")];
    return [{ part: "project", paths, subject, sha: await commitAsTheyLie(place, subject, paths) }];
  }
  const committed: (HandEdit & { sha: string; subject: string })[] = [];
  for (const { part, paths } of edits) {
    const subject = commitSubject(part, "hand edit");
    committed.push({ part, paths, subject, sha: await commitAsTheyLie(place, subject, paths) });
  }
  return committed;
}

async function stepBack(place: Place, status: Status, step: "undo" | "redo") {
  return takeStep(place, step, () => commitHandEdits(place, status));
}

/** Makes a repository in a folder, on the user's own default branch, or `main` where they have none. */
async function initialize(folder: string): Promise<void> {
  const configured = await tryUserGit(["config", "init.defaultBranch"], { folder });
  await runUserGit(["init", "--quiet", ...(configured.code === 0 ? [] : ["--initial-branch=main"]), "."], { folder });
}

/** What a person is told instead of an error. */
function toRefusal(error: unknown): Step {
  if (error instanceof UsageError) return { refused: error.message };
  throw error;
}

// `/undo` and `/redo`: the last iteration taken back, or brought back, by a commit of its own. What came after it stays: a
// file that was changed since is joined, line by line, and where both changed the same lines nothing is done at all.
//
// The branch is never moved backwards: an undone iteration stays in the history, and a redo finds it there.

interface ChangedFile {
  path: string;
  before: Buffer | undefined;
  after: Buffer | undefined;
}

/** Undoes the last iteration that is in effect, or redoes the one that was undone last. Hand edits are committed first. */
async function takeStep(place: Place, step: "undo" | "redo", commitHandEdits: () => Promise<unknown>): Promise<Step> {
  const { all, done, undone } = await readIterations(place);
  const last = (step === "undo" ? done : undone).at(-1);
  const iteration = all.find(({ id }) => id === last?.id);
  if (!last || !iteration) return { refused: nothingTo(step, all.length) };
  await commitHandEdits();
  const { texts, conflicts } = await reverse(place, last.by);
  if (conflicts.length > 0) return { refused: await conflictWords(place, step, last.by, conflicts) };
  const subject = stepSubject(step, iteration.subject);
  const deed = step === "undo" ? "Undo" : "Redo";
  const trailers = { deed, id: last.id, folder: place.prefix || undefined } as const;
  const body = `This reverts commit ${last.by}.`;
  const { sha, paths } = await commitTexts(place, { subject, body, trailers }, texts);
  return { iteration: { ...iteration, isUndone: step === "undo" }, sha, subject, paths };
}

/** The project's files that a commit changed, as it found them and left them. */
async function changedFiles(place: Place, sha: string): Promise<ChangedFile[]> {
  const options = ["--root", "--no-commit-id", "--name-only", "-r", "-z", "--no-renames", "--relative"];
  const names = await git(place, ["diff-tree", ...options, sha]);
  const paths = [...new Set(names.split("\0").filter((path) => path !== ""))];
  const texts = await readFiles(
    place,
    paths.flatMap((path) => [
      { sha: `${sha}^`, path },
      { sha, path },
    ]),
  );
  return paths.map((path, at) => ({ path, before: texts[2 * at], after: texts[2 * at + 1] }));
}

/** What a commit's files are without it, from where the branch is now; and those where that cannot be told apart. */
async function reverse(place: Place, sha: string) {
  const files = await changedFiles(place, sha);
  const now = await readFiles(
    place,
    files.map(({ path }) => ({ sha: "HEAD", path })),
  );
  const texts = new Map<string, Buffer | undefined>();
  const conflicts: string[] = [];
  for (const [at, { path, before, after }] of files.entries()) {
    const current = now[at];
    if (isSame(current, before)) continue;
    const text = isSame(current, after) ? { is: before } : join(path, after, current, before);
    if (text) texts.set(path, text.is);
    else conflicts.push(path);
  }
  return { texts, conflicts };
}

function join(path: string, base?: Buffer, mine?: Buffer, theirs?: Buffer): { is: Buffer } | undefined {
  if (!base || !mine || !theirs) return undefined;
  const joined = joinTexts(base.toString(), mine.toString(), theirs.toString());
  return joined === undefined || (path.endsWith(".json") && !isJson(joined)) ? undefined : { is: Buffer.from(joined) };
}

function isSame(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.equals(b));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function nothingTo(step: "undo" | "redo", count: number): string {
  if (step === "redo") return "There is nothing to redo: no iteration was undone since the last one was accepted.";
  return count === 0
    ? "There is nothing to undo: no iteration was accepted yet."
    : "There is nothing to undo: every iteration is undone already. Type /redo to bring the last one back.";
}

async function conflictWords(place: Place, step: string, by: string, paths: readonly string[]): Promise<string> {
  const since = (await git(place, ["log", "--format=%h %s", `${by}..HEAD`, "--", ...paths])).split("\n");
  return `This cannot be ${step === "undo" ? "undone" : "redone"} without losing what was changed after it in ${paths.join(", ")}:
${since.map((line) => `  ${line}`).join("\n")}
Nothing was changed. To take that back first, type in a shell: git revert --no-edit ${since.map((line) => line.split(" ")[0]).join(" ")}
and then /${step} again.`;
}
