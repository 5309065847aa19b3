// /undo ITERATION FILE: one file of an iteration taken back, as a change of its own with its entry in the history, so that
// what is below becomes stale and /undo takes it back again.

import { LoopwrightError } from "@loopwright/core";
import { pendingCascade } from "../../cascade/plan.ts";
import { comparePaths, type HistoryEntry, type Level, levelOf, STALENESS_FILE } from "../../layout.ts";
import type { Step } from "../../manuscript/index.ts";
import type { CommittedFile, Iteration } from "../../repository/index.ts";
import { commitChange } from "../changes.ts";
import { newIterationId } from "../iterations.ts";
import type { Session } from "../session.ts";
import { firstWord } from "../words/command-words.ts";
import { fitsName } from "../words/file-names.ts";
import { staleLine, targetIs } from "../words/words.ts";

/** How the name of an iteration ends that took back one file of another. */
export const FILE_UNDONE = "-undo-file";

const USAGE =
  "Name an iteration and a file: /undo 3 chapter-5 (the number as /history shows it), /undo last foundation, or a commit";

/** /undo ITERATION FILE */
export async function undoFile(session: Session, rest: string): Promise<void> {
  const { output, novel } = session;
  const [which, name] = firstWord(rest);
  if (name === "") throw new LoopwrightError("USAGE", USAGE);
  const iteration = await findIteration(session, which);
  const change = await novel.repository.changeOf(iteration.sha);
  const changed = change.filter(({ path }) => levelOf(path) !== undefined);
  const { path } = changed.find((file) => fitsName(file.path, name)) ?? {};
  if (path === undefined) {
    const there = changed.map((file) => file.path).join(", ") || "no content";
    throw new LoopwrightError("FILE_UNKNOWN", `"${iteration.subject}" did not change ${name}. It changed ${there}`);
  }
  await keepHandEdits(session);
  const undone = await novel.repository.withoutChange(iteration.sha, path);
  if (undone.refused !== undefined) return output.fail(undone.refused);
  const subject = await commit(session, levelOf(path)!, { path, ...undone, change }, iteration);
  output.say(`✓ Undone in ${path}: "${iteration.subject}"`, "green");
  output.say(`  ✓ Git commit: "${subject}"`);
  const manuscript = await session.manuscript();
  for (const stale of manuscript.stale()) output.say(`⚠️  ${staleLine(stale)}`, "yellow");
  if (session.target) output.note(targetIs(session.target));
}

/** The iteration that a number of the history that was shown last, `last`, or the beginning of a commit means. */
async function findIteration(session: Session, which: string): Promise<Iteration> {
  const { novel, listed: target = session.target } = session;
  const all = await novel.repository.iterations();
  const standing = all.filter(({ isUndone }) => !isUndone);
  if (which.toLowerCase() === "last" && standing[0]) return standing[0];
  const byCommit = all.filter(({ sha, id }) => which.length >= 4 && (sha.startsWith(which) || id === which));
  if (byCommit.length === 1) return byCommit[0]!;
  const entries = target && /^\d+$/.test(which) ? await (await session.manuscript()).history(target) : [];
  const entry = entries[Number(which) - 1];
  const found = entry && all.find(({ id }) => id === entry.iteration_id);
  if (found) return found;
  throw new LoopwrightError("ITERATION_UNKNOWN", `There is no iteration '${which}'. ${USAGE}`);
}

/** What is merged is what is committed: an edit that lies in the work tree is kept first. */
async function keepHandEdits({ novel, output }: Session): Promise<void> {
  const refused = await novel.repository.check();
  if (refused !== undefined) throw new LoopwrightError("REPOSITORY_STATE", refused);
  for (const { subject } of await novel.repository.commitHandEdits()) output.note(`Hand edit kept: "${subject}"`);
}

interface Undone {
  path: string;
  before: string | undefined;
  text: string | undefined;
  /** All that the iteration had changed. */
  change: readonly CommittedFile[];
}

async function commit(
  session: Session,
  level: Level,
  { path, before = "", text, change }: Undone,
  iteration: Iteration,
): Promise<string> {
  const [{ iterationChange, checkFormat }, { measureChange }] = await Promise.all([
    import("../../manuscript/index.ts"),
    import("../../diff/index.ts"),
  ]);
  const manuscript = await session.manuscript();
  const now = await manuscript.read(level);
  const others = now.filter((file) => file.path !== path);
  const files =
    text === undefined ? others : [...others, { path, content: text }].sort((a, b) => comparePaths(a.path, b.path));
  const format = { previous: now, project: manuscript.project, isFirst: false, feedback: [] };
  const [problem] = checkFormat(level, files, format);
  if (problem !== undefined)
    throw new LoopwrightError("UNDO_MISSHAPEN", `Nothing was undone, for ${level} would lose its form: ${problem}`);
  const figures = measureChange([{ path, content: before }], text === undefined ? [] : [{ path, content: text }]);
  const words = `undo in ${path.slice(path.lastIndexOf("/") + 1)}: ${iteration.subject.replace(/^\[\w+\] /, "")}`;
  const entry: HistoryEntry = {
    ...{ iteration_id: `${newIterationId()}${FILE_UNDONE}`, timestamp: new Date().toISOString(), feedback: words },
    ...{ judge_attempts: 0, judge_verdict: "none", judge_reasoning: "", files_changed: figures.files_changed },
    semantic_summary: `${path} is again as it was before "${iteration.subject}".`,
    lines_changed: figures.lines_added + figures.lines_removed,
    ...{ accepted_by: "user", kind: "edit" },
  };
  const recorded = text === undefined ? {} : madeFrom(path, change, manuscript.staleness.files?.[path]);
  const step = { level, files, kind: "edit", isCulled: false, recorded, cascade: pendingCascade(manuscript) } as const;
  const { write, remove } = await iterationChange(manuscript, { ...step, entry });
  return (await commitChange(session, level, words, { write, remove }, entry.iteration_id)).subject;
}

/** What the file was made from before the iteration; nothing where another has looked at it since. */
function madeFrom(path: string, change: readonly CommittedFile[], now: unknown): NonNullable<Step["recorded"]> {
  const { before, after } = change.find((file) => file.path === STALENESS_FILE) ?? {};
  const [old, then] = [before, after].map((text) => text && JSON.parse(text).files?.[path]);
  return old !== undefined && JSON.stringify(then) === JSON.stringify(now) ? { [path]: old } : {};
}
