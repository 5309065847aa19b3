// `/undo` and `/redo`: the last iteration taken back, or brought back, by a commit of its own. What came after it stays: a
// file that was changed since is joined, line by line, and where both changed the same lines nothing is done at all.
//
// The branch is never moved backwards: an undone iteration stays in the history, and a redo finds it there.

import { joinTexts } from "../diff/lines.ts";
import { commitTexts } from "./commit.ts";
import { readIterations, stepSubject } from "./log.ts";
import { git, type Place, readFiles } from "./place.ts";
import type { Step } from "./types.ts";

interface ChangedFile {
  path: string;
  before: Buffer | undefined;
  after: Buffer | undefined;
}

/** Undoes the last iteration that is in effect, or redoes the one that was undone last. Hand edits are committed first. */
export async function takeStep(
  place: Place,
  step: "undo" | "redo",
  commitHandEdits: () => Promise<unknown>,
): Promise<Step> {
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
export async function changedFiles(place: Place, sha: string): Promise<ChangedFile[]> {
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
