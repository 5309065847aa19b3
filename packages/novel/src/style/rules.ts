// The rules of a book as its writer and its judge are told them: in the instructions, and not as data. And what can be counted in an
// attempt and needs no judge to see: banned phrases, lengths. The judge is told, and so is the author.

import { readPrompt, renderPrompt } from "@loopwright/models";
import { changedPaths } from "../diff/lines.ts";
import { findBannedPhrases } from "../manuscript/analysis/checks.ts";
import type { WritingVariables } from "../manuscript/context.ts";
import { chapterNumber, nameOf } from "../manuscript/files/layout.ts";
import type { ProjectFile } from "../manuscript/files/schemas.ts";
import { countWords } from "../manuscript/words.ts";
import type { NovelContext } from "../task.ts";
import { type FileBlock, type Level, promptsFolder } from "../types.ts";
import { missedGoal, SHRUNK } from "./style.ts";

/** The rules as text for a prompt's system part; "" where there are none. */
export async function rulesText(
  ctx: NovelContext,
  variables: WritingVariables,
  reader: "writer" | "judge",
): Promise<string> {
  const { target } = ctx.input;
  const { style_rules, banned_phrases, goals, lessons } = variables;
  const told = {
    reader,
    level: target,
    style_rules,
    banned_phrases,
    // A plan is written with an eye on them, and is not held against them.
    goals: target === "prose" || (target === "chapters" && reader === "writer") ? goals : [],
    lessons: lessons[reader],
  };
  const prompt = await readPrompt(ctx, { loop: "novel", folder: promptsFolder }, "rules");
  return (await renderPrompt(prompt, told)).text.trim();
}

interface Measured {
  level: Level;
  before: readonly FileBlock[];
  /** The level as it would be, and which of its files changed. */
  after: readonly FileBlock[];
  changed: readonly string[];
  project: ProjectFile;
}

/** What was measured, a sentence each. */
export function measureAttempt({ level, before, after, changed, project }: Measured): string[] {
  const files = after.filter(({ path }) => changed.includes(path));
  const banned = findBannedPhrases(files, project.analysis?.banned_phrases ?? []).map(({ message }) => message);
  return [...banned, ...(level === "premise" ? [] : files.flatMap((file) => lengthOf(level, file, before, project)))];
}

function lengthOf(
  level: Level,
  { path, content }: FileBlock,
  before: readonly FileBlock[],
  project: ProjectFile,
): string[] {
  const words = countWords(content);
  const old = before.find((file) => file.path === path);
  const number = level === "prose" ? chapterNumber(path) : undefined;
  // A prologue or a dedication is no chapter, and has no goal.
  const goal = number === undefined ? undefined : missedGoal(project, number, words);
  const hadWords = old ? countWords(old.content) : 0;
  return [
    ...(goal !== undefined ? [`${nameOf(path)} has ${words} words where the author wants about ${goal}.`] : []),
    ...(words < hadWords * (1 - SHRUNK) ? [`${nameOf(path)} shrank from ${hadWords} to ${words} words.`] : []),
  ];
}

/** The words of each file that changed, before and after; of one that is new or gone, 0 on one side. */
export function countChanges(before: readonly FileBlock[], after: readonly FileBlock[]) {
  const count = (files: readonly FileBlock[], path: string) => {
    const file = files.find((each) => each.path === path);
    return file ? countWords(file.content) : 0;
  };
  return changedPaths(before, after).map((path) => ({ path, before: count(before, path), after: count(after, path) }));
}
