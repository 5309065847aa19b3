// What a planner sees of a program that is there: the files that its task is about, the tests that fail,
// and one that passes to go by. What was chosen, and what there was no room for, is told to the model and to the person.

import { countTokens } from "@loopwright/models";
import type { FileBlock, ProjectCell } from "@loopwright/workspace";
import { visibleTests } from "../asking/questions.ts";
import { type Budgets, budgetsIn, charactersFor } from "../rank/budget.ts";
import { type Chosen, chooseFiles } from "../rank/choose.ts";
import { ignoredBy, shownSources } from "../rank/ignored.ts";
import { type Evidence, rankByWords, rankFiles, rankTests } from "../rank/rank.ts";
import type { CodeContext, CodeState } from "../task.ts";
import type { ChosenNote } from "../telling/note-words.ts";
import { fileOf } from "../testing/test-files.ts";
import { workcellOf } from "../workspace.ts";
import { excerptOf, lineCount } from "./excerpts.ts";
import { plainName } from "./program.ts";

/** Where more tests fail, they hardly are what the task is about. */
const MOST_TRACED = 5;
/** Less room than this, in tokens, shows nothing of use. */
const LEAST = 200;
const LEAST_SAMPLE = 500;
const MOST_SAMPLES = 2;
const DOCS = /(?:^|\/)(?!CHANGE|HISTORY|NEWS|AGENTS|LICENSE)[^/]+\.(?:md|rst|adoc)$/i;
const MOST_DOCS = 2;

/** The variables of a planner's prompt that show the program. */
export async function readSources(ctx: CodeContext, state: CodeState) {
  const budgets = budgetsIn(ctx.input.windows);
  const given = ctx.input.tests ? visibleTests(ctx.input, state) : [];
  const { chosen, ...shown } = await workcellOf(ctx, state).effect("sources", {
    run: (cell) => choose(cell, state, given, budgets),
  });
  await ctx.tell("context-chosen", { ...chosen });
  return shown;
}

/** What is shown beside the given tests, which the prompt has in a part of their own. */
async function choose(cell: ProjectCell, { baseline, task }: CodeState, given: readonly FileBlock[], budgets: Budgets) {
  const all = await cell.readFiles();
  const [files, isOut] = [await shownSources(all), await ignoredBy(all)];
  const isAbout = baseline !== undefined && baseline.failing.length <= MOST_TRACED;
  const failing = isAbout ? baseline.failing : [];
  const evidence: Evidence = {
    ...{ task, files, loaded: baseline?.loaded ?? {}, failing: failing.map(fileOf) },
    ...(isAbout && { failures: baseline.failures }),
  };
  const recent = await cell.history(files);
  const isGiven = (path: string) => given.some((each) => each.path === path);
  const ranked = rankFiles({ ...evidence, ...(recent && { recent }) }).filter(({ path }) => !isGiven(path));
  const chosen = chooseFiles(ranked, files, budgets.planner);
  const others = failing.filter((name) => !isGiven(fileOf(name)));
  const tests = await showFailing(others, files, budgets.tests);
  const passing = new Set(baseline?.passing.map(fileOf));
  const samples = rankTests(evidence, ranked).filter(({ path }) => passing.has(path));
  const left = budgets.tests - tests.reduce((sum, { content }) => sum + countTokens(content), 0);
  const sample = left < LEAST_SAMPLE ? [] : chooseFiles(samples.slice(0, MOST_SAMPLES), files, left).files;
  const docs = all.filter(({ path }) => DOCS.test(path) && !isOut(path));
  const unshown = others.filter((name) => !tests.some(({ path }) => path === fileOf(name)));
  return {
    sources: [...tests, ...chosen.files],
    samples: sample,
    docs: chooseFiles(rankByWords(task, docs).slice(0, MOST_DOCS), docs, budgets.docs).files,
    left_out: leftOutWords(chosen, unshown),
    chosen: noteOf(chosen),
  };
}

/** These failing tests whole, in what of their files belongs to them, as far as the budget goes. */
export async function showFailing(
  failing: readonly string[],
  files: readonly FileBlock[],
  budget: number,
): Promise<FileBlock[]> {
  const shown: FileBlock[] = [];
  let left = budget;
  for (const [path, own] of Map.groupBy(failing, fileOf)) {
    const file = files.find((each) => each.path === path);
    if (!file || left < LEAST) continue;
    const interest = { names: own.map(plainName), lines: [] };
    const { text } = await excerptOf(path, file.content, interest, charactersFor(left), { isPart: true });
    shown.push({ path, content: text });
    left -= countTokens(text);
  }
  return shown;
}

function leftOutWords({ files, cut }: Chosen, tests: readonly string[]): string {
  const names = cut.map(({ path, lines }) => `${path} (${lineCount(lines)})`);
  const said = [
    ...(files.some(({ isWhole }) => !isWhole) ? ["Where lines are not shown, the file goes on all the same."] : []),
    ...(names.length > 0 ? [`There was no room for these, which may matter too: ${names.join(", ")}.`] : []),
    ...(tests.length > 0 ? [`These failing tests are not shown: ${tests.join(", ")}.`] : []),
  ];
  return said.join(" ");
}

function noteOf({ budget, used, files, cut }: Chosen): ChosenNote {
  const found = files.map(({ path, tokens, why }) => ({ path, tokens, why: why.slice(0, 2).join("; ") }));
  return { budget, used, files: found, cut };
}
