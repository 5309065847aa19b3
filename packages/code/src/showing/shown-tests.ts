// Tests in a prompt: those that fail whole, those that pass by their names alone.

import type { FileBlock } from "@loopwright/workspace";
import { excerptOf, gapsFor, testSpans } from "../asking/excerpts.ts";
import { budgetsIn, charactersFor, tokensOf } from "../rank/budget.ts";
import type { CodeContext, CodeState, Report, TestFile } from "../task.ts";
import { fileOf } from "../testing/test-files.ts";
import { workcellOf } from "../workspace.ts";

/** A test's own name, without its file, its classes and its case. */
export function plainName(name: string): string {
  return name
    .replace(/\[.*\]$/s, "")
    .split(/::| > /)
    .at(-1)!;
}

/** The target tests, out of the files that hold them. */
export async function readTargets(
  ctx: CodeContext,
  state: Pick<CodeState, "snapshot" | "targets" | "test_file">,
): Promise<TestFile[]> {
  const { targets = [], test_file } = state;
  const paths = [...new Set(targets.map(fileOf))].filter((path) => path !== test_file?.filename);
  const files = await workcellOf(ctx, state).effect("targets", {
    input: { paths },
    run: (cell) => cell.readFiles(paths),
  });
  const names = targets.map(plainName);
  const room = charactersFor(budgetsIn(ctx.input.windows).targets);
  const shown = await Promise.all(
    files.map(async ({ path, content }) => ({
      filename: path,
      content: (await excerptOf(path, content, { names, lines: [] }, room)).text,
    })),
  );
  return [...(test_file ? [test_file] : []), ...shown];
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
    left -= tokensOf(text);
  }
  return shown;
}

const LEAST = 200;

/** Test files without the tests that pass, each of which is named where it stood. */
export function withoutPassing(tests: readonly TestFile[], report: Report | undefined): Promise<TestFile[]> {
  return Promise.all(
    tests.map(async ({ filename, content }) => {
      const own = report?.tests.filter(({ name }) => fileOf(name) === filename) ?? [];
      const failing = new Set(own.filter(({ state }) => state === "failed").map(({ name }) => plainName(name)));
      const passing = own.filter(({ state, name }) => state === "passed" && !failing.has(plainName(name)));
      // Where nothing fails, or no result is known, all of it may matter.
      if (failing.size === 0 || passing.length === 0) return { filename, content };
      const names = new Set(passing.map(({ name }) => plainName(name)));
      const spans = await testSpans(filename, content, names);
      return { filename, content: gapsFor(content, spans, ({ name }) => `[${name} passes, and is not shown]`) };
    }),
  );
}
