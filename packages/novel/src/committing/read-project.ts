// Reading the project for an iteration: whether the task can be done, and all that the iteration starts from.

import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { EffectContext } from "@loopwright/core";
import { changesAbove, changesBelow, notesFor } from "../cascade/changes-above.ts";
import { readLessons } from "../learning.ts";
import { assembleContext, type Beside } from "../manuscript/context.ts";
import { chapterNumber, historyPath, isBegun, levelsAbove } from "../manuscript/files/layout.ts";
import { type Downstream, type Manuscript, openManuscript } from "../manuscript/files/open.ts";
import { historyText, parseHistory, stayingBelow } from "../manuscript/history/history.ts";
import { shorten } from "../manuscript/words.ts";
import { openRepository, type Repository } from "../repository/repository.ts";
import { saveText, toArtifactText } from "../saved.ts";
import type { Base, NovelTask } from "../task.ts";
import { type Level, levels } from "../types.ts";
import { orRefusal } from "./plan-commit.ts";

/** What there is below the target, or why the task cannot be done. */
export type Looked = { refused: string } | { refused?: undefined; downstream: Downstream[]; stays?: string[] };

/** What the iteration starts from and the commits that were made of hand edits, or why it cannot begin. */
export type Read =
  | { refused: string }
  | { refused?: undefined; base: Base; hand_edits: { subject: string; paths: string[] }[] };

/** Whether the task can be done here, and what there is below its target. */
export function look(folder: string, task: NovelTask): Promise<Looked> {
  return orRefusal(async () => {
    const refused = await (await openRepository(folder)).check();
    if (refused !== undefined) return { refused };
    const manuscript = await openManuscript(folder);
    // A history that does not parse is found before anything is committed or asked.
    await manuscript.history(task.target);
    const missing = refuseTask(manuscript, task);
    if (missing !== undefined) return { refused: missing };
    const { target } = task;
    return { downstream: manuscript.downstreamOf(target), stays: stayingBelow(manuscript, target) };
  });
}

/** Why a task cannot be done with the levels that there are; undefined where it can. */
function refuseTask(manuscript: Pick<Manuscript, "has" | "paths">, { kind, target }: NovelTask): string | undefined {
  const [above, below] = [levels[levels.indexOf(target) - 1], levels[levels.indexOf(target) + 1]];
  const none = (level: Level) => `No ${level} found. Generate ${level} first with /generate ${level}`;
  if (kind === "iterate" && !manuscript.has(target)) return none(target);
  if (kind === "generate" && above !== undefined && !manuscript.has(above)) return none(above);
  if (kind === "generate" && target === "prose" && lastChapter(manuscript, "chapters") === 0) return none("chapters");
  if (kind !== "derive") return undefined;
  if (isBegun(manuscript.paths(target)))
    return `The project has ${target} already: change it with feedback instead of deriving it`;
  if (below === undefined || !isBegun(manuscript.paths(below)))
    return `There is nothing below ${target} that it could be derived from`;
  return undefined;
}

/** Commits hand edits, then reads the level and all that is told of it. */
export function readProject(folder: string, task: NovelTask, effect: EffectContext): Promise<Read> {
  return orRefusal(() => readAll(folder, task, effect));
}

async function readAll(folder: string, task: NovelTask, effect: EffectContext): Promise<Read> {
  const repository = await openRepository(folder);
  const edits = await repository.commitHandEdits();
  const manuscript = await openManuscript(folder);
  const missing = refuseTask(manuscript, task);
  if (missing !== undefined) return { refused: missing };
  const { target } = task;
  const [files, context, changes] = await Promise.all([
    manuscript.read(target),
    assembleContext(manuscript, target, await beside(manuscript, repository, target)),
    changesAbove(manuscript, target, repository.textWhen),
  ]);
  const { follows } = task;
  const isUpward = follows?.direction === "up" && follows.iteration !== undefined;
  const told = isUpward ? await changesBelow(repository, follows.level, follows.iteration!) : notesFor(changes);
  context.variables.stale_notes.push(...told);
  if (files.length === 0) Object.assign(context.variables, await goneHistory(manuscript, repository, target));
  const base: Base = {
    commit: (await repository.head()) ?? "",
    files: await saveText(effect, "before.json", files),
    context: await effect.save(
      "context.json",
      toArtifactText({
        ...{ ...context, project: manuscript.project, changes },
        seen: hashesAbove(manuscript, target),
      }),
    ),
    description: context.description,
    is_first: files.length === 0 || (isMade(task) && !isBegun(manuscript.paths(target))),
    words: manuscript.words(target),
    chapters: chaptersToWrite(manuscript, task),
    stale:
      manuscript
        .stale()
        .find(({ level }) => level === target)
        ?.files.map(({ path }) => path) ?? [],
  };
  return { base, hand_edits: edits.map(({ subject, paths }) => ({ subject, paths })) };
}

/** Whether a task makes its level anew; feedback and an edit are about what is there. */
function isMade({ kind }: NovelTask): boolean {
  return kind === "generate" || kind === "derive";
}

function hashesAbove(manuscript: Manuscript, target: Level): Record<string, string> {
  const paths = levelsAbove(target).flatMap((level) => manuscript.paths(level));
  return Object.fromEntries(paths.map((path) => [path, manuscript.hash(path)!]));
}

/** What was asked of a level whose files are gone: a cull takes its history along, and what the author asked still holds. */
async function goneHistory(manuscript: Manuscript, repository: Pick<Repository, "lastText">, target: Level) {
  if (manuscript.hasHistory(target)) return {};
  const text = await repository.lastText(historyPath(target));
  if (text === undefined) return {};
  const entries = parseHistory(text, historyPath(target)).filter(({ kind }) => kind !== "generate");
  return { history: historyText(entries), history_count: entries.length };
}

/** What is told of the book that its files do not hold. */
async function beside(manuscript: Manuscript, repository: Pick<Repository, "wordsOf">, target: Level): Promise<Beside> {
  const [book_idea, rejected, lessons] = await Promise.all([
    repository.wordsOf("[premise] generate"),
    rejectedSince(manuscript.folder, target),
    readLessons(manuscript, target),
  ]);
  return { book_idea, rejected, lessons };
}

/** How many chapters are written one by one. Prose has one for each that was planned; one that is revised, those it has. */
function chaptersToWrite(manuscript: Manuscript, { kind, target, chapters }: NovelTask): number {
  if (kind === "derive") return target === "chapters" ? lastChapter(manuscript, "prose") : 0;
  if (target !== "prose") return 0;
  const planned = lastChapter(manuscript, "chapters");
  return kind === "generate" ? Math.min(chapters ?? planned, planned) : lastChapter(manuscript, "prose");
}

function lastChapter(manuscript: Pick<Manuscript, "paths">, level: Level): number {
  return Math.max(0, ...manuscript.paths(level).map((path) => chapterNumber(path) ?? 0));
}

/** So many are told, the newest; and so much of each. */
const MOST = 5;
const LONGEST = 400;

/** A line for each rejected iteration, oldest first. What cannot be read is not told. */
async function rejectedSince(project: string, target: Level): Promise<string[]> {
  const root = join(project, ".agentic/debug", basename(project));
  const names = await readdir(root).catch(() => []);
  const found: string[] = [];
  for (const name of names
    .filter((each) => each.startsWith(`iteration_${target}_`))
    .sort()
    .reverse()) {
    const decision = await textOf(join(root, name, "user_decision.txt"));
    if (decision.startsWith("accepted") || found.length === MOST) break;
    const told = decision.startsWith("rejected")
      ? summaryOf(await textOf(join(root, name, "final_semantic_diff.md")))
      : "";
    if (told !== "") found.push(told);
  }
  return found.reverse();
}

/** What was asked and what came of it, out of a summary as it was shown. */
function summaryOf(shown: string): string {
  const asked = /User feedback:\n([\s\S]*?)\n\n/.exec(shown)?.[1] ?? "";
  const changes = [...shown.matchAll(/^ {4}• (.*(?:\n {6}(?![-•]).*)*)/gm)].map(([, change]) => change!.trim());
  if (asked === "" && changes.length === 0) return "";
  return shorten([asked, changes.join("; ")].filter((part) => part !== "").join(" → "), LONGEST);
}

function textOf(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}
