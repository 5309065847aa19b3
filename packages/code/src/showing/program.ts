// What of a program that stands a prompt shows: the plan's files whole where they fit, else the parts that the plan and the
// failures name; beside them for the implementer what these lead to; and tests, those that fail whole, those that pass by name.

import { countTokens } from "@loopwright/models";
import type { FileBlock } from "@loopwright/workspace";
import { variablesOf, visibleTests } from "../asking/questions.ts";
import { budgetsIn, charactersFor } from "../rank/budget.ts";
import type { CodeContext, CodeState, Report, TestFile } from "../task.ts";
import { fileOf } from "../testing/test-files.ts";
import { readPlanFiles, workcellOf } from "../workspace.ts";

interface Showing {
  /** Parts of long files stand apart from whole ones, for who gives whole files back; with what the plan leads to. */
  arePartsApart?: boolean;
  /** Tests that pass are shown too, for who corrects them. */
  areTestsWhole?: boolean;
}

/** The variables of a prompt about the program as it stands, with the plan's files and the tests in them. */
export async function showProgram(
  ctx: CodeContext,
  state: CodeState,
  { arePartsApart = false, areTestsWhole = false }: Showing = {},
): Promise<Record<string, unknown>> {
  const all = await readPlanFiles(ctx, state);
  if (!asksForEdits(state, all)) return variablesOf(state, ctx.input, all);
  const { files, parts } = await splitFiles(state, all, budgetsIn(ctx.input.windows).implementer);
  const shown = arePartsApart
    ? { files, parts, around: await readAround(ctx, state, [...files, ...parts]) }
    : { files: [...files, ...parts], change: await readChange(ctx, state) };
  const variables = variablesOf(state, ctx.input, []);
  if (!state.baseline) return { ...variables, ...shown };
  const tests = ctx.input.tests ? visibleTests(ctx.input, state) : await readTargets(ctx, state);
  return { ...variables, ...shown, tests: areTestsWhole ? tests : await withoutPassing(tests, state.test_report) };
}

function readChange(ctx: CodeContext, state: CodeState): Promise<string> {
  return workcellOf(ctx, state).effect("diff", {
    run: async (cell) => {
      const { createPatch } = await import("diff");
      const changes = (await cell.changes()).filter(({ isHidden }) => !isHidden);
      return changes.map(({ path, before = "", after }) => createPatch(path, before, after)).join("");
    },
  });
}

/** Edits are asked for where there was a program already, and where the files are too long to be given whole. */
function asksForEdits({ baseline }: CodeState, files: readonly FileBlock[]): boolean {
  return baseline !== undefined || files.some(({ content }) => content.length > WHOLE);
}

const WHOLE = 24_000;

/** The plan's files for a prompt, each with a share of the budget that those before it have left. */
async function splitFiles(
  { plan, test_report }: Pick<CodeState, "plan" | "test_report">,
  files: readonly FileBlock[],
  budget: number,
): Promise<{ files: FileBlock[]; parts: FileBlock[] }> {
  const split: { files: FileBlock[]; parts: FileBlock[] } = { files: [], parts: [] };
  const { placesIn } = await import("../rank/places.ts");
  const { traced } = placesIn(
    test_report?.failureLines ?? "",
    files.map(({ path }) => path),
  );
  const { excerptOf } = await import("./excerpts.ts");
  let left = budget;
  // The shortest first: what they do not need is for the long ones, and each has the same right to the rest.
  const sorted = files.toSorted((a, b) => a.content.length - b.content.length);
  for (const [at, { path, content }] of sorted.entries()) {
    const names = plan
      .filter(({ file }) => file === path)
      .flatMap(({ functions, action }) => [...functions.map(({ name }) => name), ...(action.match(WORD) ?? [])]);
    const room = charactersFor(Math.max(0, left) / (sorted.length - at));
    const interest = { names: [...new Set(names)], lines: traced.get(path) ?? [] };
    const { text, isWhole } = await excerptOf(path, content, interest, room);
    split[isWhole ? "files" : "parts"].push({ path, content: text });
    left -= countTokens(text);
  }
  return split;
}

const WORD = /[A-Za-z_]\w{2,}/g;
const MOST_AROUND = 3;
const LEAST_AROUND = 500;

/** The parts of other files that the plan, the task and the failures lead to, in what the plan's files have left of the budget. */
async function readAround(ctx: CodeContext, state: CodeState, shown: readonly FileBlock[]): Promise<FileBlock[]> {
  const { implementer, around } = budgetsIn(ctx.input.windows);
  const left = implementer - shown.reduce((sum, { content }) => sum + countTokens(content), 0);
  const budget = Math.min(left, around);
  if (budget < LEAST_AROUND || !state.baseline) return [];
  return workcellOf(ctx, state).effect("around", {
    run: async (cell) => {
      const [{ rankFiles }, { chooseFiles }] = [await import("../rank/rank.ts"), await import("../rank/choose.ts")];
      const { shownSources } = await import("../rank/ignored.ts");
      const files = await shownSources(await cell.readFiles());
      const task = `${state.plan.map((entry) => JSON.stringify(entry)).join("\n")}\n${state.task}`;
      const failures = state.test_report?.failureLines ?? "";
      const isShown = new Set(state.plan.map(({ file }) => file));
      const ranked = rankFiles({ task, files, failures }).filter(({ path }) => !isShown.has(path));
      const chosen = chooseFiles(ranked.slice(0, MOST_AROUND), files, budget);
      return chosen.files.map(({ path, content }) => ({ path, content }));
    },
  });
}

/** A test's own name, without its file, its classes and its case. */
export function plainName(name: string): string {
  return name
    .replace(/\[.*\]$/s, "")
    .split(/::| > /)
    .at(-1)!;
}

/** Whether a test is among those that the run wrote into this file. */
function isTheirs(name: string, test_file: TestFile | undefined): boolean {
  if (fileOf(name) !== test_file?.path) return false;
  return test_file.around === undefined || test_file.content.includes(plainName(name));
}

/** The target tests, out of the files that hold them. */
export async function readTargets(
  ctx: CodeContext,
  state: Pick<CodeState, "snapshot" | "targets" | "test_file">,
): Promise<FileBlock[]> {
  const { targets = [], test_file } = state;
  const paths = [...new Set(targets.filter((name) => !isTheirs(name, test_file)).map(fileOf))];
  const files = await workcellOf(ctx, state).effect("targets", {
    input: { paths },
    run: (cell) => cell.readFiles(paths),
  });
  const { excerptOf } = await import("./excerpts.ts");
  const names = targets.filter((name) => !isTheirs(name, test_file)).map(plainName);
  const room = charactersFor(budgetsIn(ctx.input.windows).targets);
  const shown = await Promise.all(
    files.map(async ({ path, content }) => ({
      path,
      content: (await excerptOf(path, content, { names, lines: [] }, room)).text,
    })),
  );
  return [...(test_file ? [test_file] : []), ...shown];
}

/** Test files without the tests that pass, each of which is named where it stood. */
export async function withoutPassing(tests: readonly FileBlock[], report: Report | undefined): Promise<FileBlock[]> {
  const { gapsFor, testSpans } = await import("./excerpts.ts");
  return Promise.all(
    tests.map(async ({ path, content }) => {
      const own = report?.tests.filter(({ name }) => fileOf(name) === path) ?? [];
      const failing = new Set(own.filter(({ state }) => state === "failed").map(({ name }) => plainName(name)));
      const passing = own.filter(({ state, name }) => state === "passed" && !failing.has(plainName(name)));
      // Where nothing fails, or no result is known, all of it may matter.
      if (failing.size === 0 || passing.length === 0) return { path, content };
      const names = new Set(passing.map(({ name }) => plainName(name)));
      const spans = await testSpans(path, content, names);
      return { path, content: gapsFor(content, spans, ({ name }) => `[${name} passes, and is not shown]`) };
    }),
  );
}
