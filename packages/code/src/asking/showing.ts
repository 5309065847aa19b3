// What of a workspace a prompt shows: files whole where they fit, else the parts that the task, the plan and the failures name.

import { type FileBlock, isTestFile } from "@loopwright/workspace";
import { grammarOf } from "@loopwright/workspace/grammar";
import { createPatch } from "diff";
import type { CodeContext, CodeState, TestFile } from "../task.ts";
import { fileOf } from "../testing/test-files.ts";
import { readPlanFiles, workcellOf } from "../workspace.ts";
import { excerptOf } from "./excerpts.ts";
import { variablesOf } from "./questions.ts";
import { type Relevant, relevantFiles } from "./relevant.ts";

/** The variables of a prompt about the program as it stands, with the plan's files and the tests in them. Of long files there are
 * parts, among the files unless they are wanted apart. */
export async function showProgram(
  ctx: CodeContext,
  state: CodeState,
  { arePartsApart = false } = {},
): Promise<Record<string, unknown>> {
  const all = await readPlanFiles(ctx, state);
  if (!asksForEdits(state, all)) return variablesOf(state, ctx.input, all);
  const { files, parts } = await splitFiles(state, all);
  const shown = arePartsApart
    ? { files, parts }
    : { files: [...files, ...parts], change: await readChange(ctx, state) };
  const variables = { ...variablesOf(state, ctx.input, []), ...shown };
  return ctx.input.tests || !state.baseline ? variables : { ...variables, tests: await readTargets(ctx, state) };
}

/** What the run has changed of the program, as a diff. */
function readChange(ctx: CodeContext, state: CodeState): Promise<string> {
  return workcellOf(ctx, state).effect("diff", {
    run: async (cell) => {
      const changes = (await cell.changes()).filter(({ isHidden }) => !isHidden);
      return changes.map(({ path, before = "", after }) => createPatch(path, before, after)).join("");
    },
  });
}

/** Edits are asked for where there was a program already, and where the files are too long to be given whole. */
function asksForEdits({ baseline }: CodeState, files: readonly FileBlock[]): boolean {
  return baseline !== undefined || files.some(({ content }) => content.length > WHOLE_ROOM);
}

const SOURCES_ROOM = 44_000;
const SAMPLES_ROOM = 12_000;
const MOST_SOURCES = 4;
const MOST_TRACED = 5;

/** The files that the task may be about, and a test file to go by, as far as there is room for them. */
export async function readSources(
  ctx: CodeContext,
  state: CodeState,
): Promise<{ sources: FileBlock[]; samples: FileBlock[] }> {
  const { baseline, task } = state;
  return workcellOf(ctx, state).effect("sources", {
    run: async (cell) => {
      const files = (await cell.readFiles()).filter(({ path }) => grammarOf(path) !== undefined);
      const [tests, program] = [files.filter(isTest), files.filter((file) => !isTest(file))];
      // Where much fails, it hardly is what the task is about.
      const failures = baseline && baseline.failing.length <= MOST_TRACED ? baseline.failures : "";
      const passing = new Set(baseline?.passing.map(fileOf));
      const samples = tests.filter(({ path }) => passing.has(path));
      const found = relevantFiles(task, failures, program, MOST_SOURCES);
      return {
        sources: await showFiles(found, program, task, SOURCES_ROOM),
        samples: await showFiles(relevantFiles(task, "", samples, 1), samples, task, SAMPLES_ROOM),
      };
    },
  });
}

function isTest({ path }: FileBlock): boolean {
  return isTestFile(path) || /(?:^|\/)conftest\.py$/.test(path);
}

const SHARE = 0.6;

/** Each file gets the larger part of the room that is left. */
async function showFiles(
  found: readonly Relevant[],
  files: readonly FileBlock[],
  task: string,
  room: number,
): Promise<FileBlock[]> {
  const shown: FileBlock[] = [];
  let left = room;
  for (const { path, lines } of found) {
    if (left < 1_000) break;
    const { content } = files.find((each) => each.path === path)!;
    const { text } = await excerptOf(path, content, { names: wordsOf(task), lines }, left * SHARE);
    shown.push({ path, content: text });
    left -= text.length;
  }
  return shown;
}

/** Names of functions and the like that a task may mention. */
function wordsOf(task: string): string[] {
  return [...new Set(task.match(/[A-Za-z_]\w{2,}/g) ?? [])];
}

const WHOLE_ROOM = 24_000;

/** The plan's files for a prompt: whole where they fit, else the parts that the plan and the failures name. */
async function splitFiles(
  { plan, test_report }: Pick<CodeState, "plan" | "test_report">,
  files: readonly FileBlock[],
): Promise<{ files: FileBlock[]; parts: FileBlock[] }> {
  const split: { files: FileBlock[]; parts: FileBlock[] } = { files: [], parts: [] };
  for (const { path, content } of files) {
    const names = plan
      .filter(({ file }) => file === path)
      .flatMap(({ functions, action }) => [...functions.map(({ name }) => name), ...wordsOf(action)]);
    const [{ lines } = { lines: [] }] = relevantFiles("", test_report?.failureLines ?? "", [{ path, content }], 1);
    const { text, isWhole } = await excerptOf(path, content, { names, lines }, WHOLE_ROOM);
    split[isWhole ? "files" : "parts"].push({ path, content: text });
  }
  return split;
}

/** The target tests for a prompt, out of the files that hold them. */
async function readTargets(
  ctx: CodeContext,
  state: Pick<CodeState, "snapshot" | "targets" | "test_file">,
): Promise<TestFile[]> {
  const { targets = [], test_file } = state;
  const paths = [...new Set(targets.map(fileOf))].filter((path) => path !== test_file?.filename);
  const files = await workcellOf(ctx, state).effect("targets", {
    input: { paths },
    run: (cell) => cell.readFiles(paths),
  });
  const names = targets.map(
    (name) =>
      name
        .replace(/\[.*\]$/s, "")
        .split(/::| > /)
        .at(-1)!,
  );
  const shown = await Promise.all(
    files.map(async ({ path, content }) => ({
      filename: path,
      content: (await excerptOf(path, content, { names, lines: [] }, TARGETS_ROOM)).text,
    })),
  );
  return [...(test_file ? [test_file] : []), ...shown];
}

const TARGETS_ROOM = 8_000;
