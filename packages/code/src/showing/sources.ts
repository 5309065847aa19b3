// What a planner sees of a program that is there: the files that its task is about, the tests that fail,
// and one that passes to go by. What was chosen, and what there was no room for, is told to the model and to the person.

import type { FileBlock, ProjectCell } from "@loopwright/workspace";
import { visibleTests } from "../asking/questions.ts";
import { type Budgets, budgetsIn, tokensOf } from "../rank/budget.ts";
import { type Chosen, chooseFiles } from "../rank/choose.ts";
import { shownSources } from "../rank/context.ts";
import type { ChosenNote } from "../rank/note.ts";
import { type Evidence, rankFiles, rankTests } from "../rank/rank.ts";
import type { CodeContext, CodeState, TestFile } from "../task.ts";
import { fileOf } from "../testing/test-files.ts";
import { workcellOf } from "../workspace.ts";
import { lineCount } from "./count-words.ts";
import { showFailing } from "./shown-tests.ts";

interface Sources {
  sources: FileBlock[];
  samples: FileBlock[];
  /** A run that was begun before these were kept has none. */
  left_out?: string;
  chosen?: ChosenNote;
}

/** Where more tests fail, they hardly are what the task is about. */
const MOST_TRACED = 5;

/** The variables of a planner's prompt that show the program. */
export async function readSources(ctx: CodeContext, state: CodeState) {
  const budgets = budgetsIn(ctx.input.windows);
  const given = ctx.input.tests ? visibleTests(ctx.input, state) : [];
  const read = await workcellOf(ctx, state).effect("sources", {
    run: (cell): Promise<Sources> => choose(cell, state, given, budgets),
  });
  const { sources, samples, left_out = "", chosen } = read;
  if (chosen) await ctx.tell("context-chosen", { ...chosen });
  return { sources, samples, left_out };
}

/** What is shown beside the given tests, which the prompt has in a part of their own. */
async function choose(
  cell: ProjectCell,
  { baseline, task }: CodeState,
  given: readonly TestFile[],
  budgets: Budgets,
): Promise<Sources> {
  const files = shownSources(await cell.readFiles());
  const isAbout = baseline !== undefined && baseline.failing.length <= MOST_TRACED;
  const failing = isAbout ? baseline.failing : [];
  const evidence: Evidence = {
    ...{ task, files, loaded: baseline?.loaded ?? {}, failing: failing.map(fileOf) },
    ...(isAbout && { failures: baseline.failures }),
  };
  const recent = await cell.history(files);
  const isGiven = (path: string) => given.some(({ filename }) => filename === path);
  const ranked = rankFiles({ ...evidence, ...(recent && { recent }) }).filter(({ path }) => !isGiven(path));
  const chosen = await chooseFiles(ranked, files, budgets.planner);
  const others = failing.filter((name) => !isGiven(fileOf(name)));
  const tests = await showFailing(others, files, budgets.tests);
  const passing = new Set(baseline?.passing.map(fileOf));
  const samples = rankTests(evidence, ranked).filter(({ path }) => passing.has(path));
  const left = budgets.tests - sizeOf(tests);
  const sample = left < LEAST_SAMPLE ? [] : (await chooseFiles(samples.slice(0, 1), files, left, 1)).files;
  return {
    sources: [...tests, ...chosen.files].map(toBlock),
    samples: sample.map(toBlock),
    left_out: [leftOutWords(chosen), ...unshownTests(others, tests)].filter((words) => words !== "").join(" "),
    chosen: noteOf(chosen),
  };
}

const LEAST_SAMPLE = 500;

function toBlock({ path, content }: FileBlock): FileBlock {
  return { path, content };
}

function sizeOf(files: readonly FileBlock[]): number {
  return files.reduce((sum, { content }) => sum + tokensOf(content), 0);
}

/** What a planner is told of what it does not see. */
function leftOutWords({ files, cut }: Chosen): string {
  const parts = files.filter(({ isWhole }) => !isWhole).length;
  const said = parts > 0 ? ["Where lines are not shown, the file goes on all the same."] : [];
  const names = cut.map(({ path, lines }) => `${path} (${lineCount(lines)})`);
  const missing = names.length > 0 ? [`There was no room for these, which may matter too: ${names.join(", ")}.`] : [];
  return [...said, ...missing].join(" ");
}

/** Failing tests for which there was no room. */
function unshownTests(failing: readonly string[], shown: readonly FileBlock[]): string[] {
  const missing = failing.filter((name) => !shown.some(({ path }) => path === fileOf(name)));
  return missing.length > 0 ? [`These failing tests are not shown: ${missing.join(", ")}.`] : [];
}

function noteOf({ budget, used, files, cut }: Chosen): ChosenNote {
  const found = files.map(({ path, tokens, why }) => ({ path, tokens, why: why.slice(0, 2).join("; ") }));
  return { budget, used, files: found, cut };
}
