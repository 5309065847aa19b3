// Whether tests have become fewer or milder: corrected tests may not, whatever their author says of them.

import type { FileBlock, TestResult, TestState } from "../cell.ts";
import { readTestSource, type TestSource } from "./source.ts";

/** What two runs collected: fewer tests that run, or more that are skipped or expected to fail, are losses, in sentences. */
export function compareTests(before: readonly TestResult[], after: readonly TestResult[]): string[] {
  const count = (tests: readonly TestResult[], ...states: TestState[]) =>
    tests.filter(({ state }) => states.includes(state)).length;
  const running = [before, after].map((tests) => count(tests, "passed", "failed")) as [number, number];
  const more = (state: TestState) => count(after, state) - count(before, state);
  return [
    ...(running[1] < running[0] ? [`${running[1]} tests would run, and ${running[0]} did before`] : []),
    ...(more("skipped") > 0 ? [`${more("skipped")} more tests would be skipped`] : []),
    ...(more("xfailed") > 0 ? [`${more("xfailed")} more tests would be expected to fail`] : []),
  ];
}

/** Test files by their text, which needs no run: fewer declared tests or assertions, and more skips, are losses, in sentences. */
export async function compareTestFiles(before: readonly FileBlock[], after: readonly FileBlock[]): Promise<string[]> {
  const [old, now] = (await Promise.all([before, after].map(readAll))) as [TestSource[], TestSource[]];
  const sums = (of: (source: TestSource) => number) =>
    [old, now].map((sources) => sources.reduce((sum, source) => sum + of(source), 0)) as [number, number];
  const less = (what: string, [was, is]: [number, number]) =>
    is < was ? [`${is} ${what}, and there were ${was}`] : [];
  const more = (what: string, [was, is]: [number, number]) => (is > was ? [`${is - was} more ${what}`] : []);
  const isBroken = (sources: readonly TestSource[]) => sources.some((source) => source.isBroken);
  return [
    ...(isBroken(now) && !isBroken(old) ? ["the tests no longer parse"] : []),
    ...less(
      "tests are declared",
      sums(({ names }) => names.length),
    ),
    ...less(
      "assertions that say something",
      sums(({ assertions }) => assertions),
    ),
    ...more(
      "tests are skipped",
      sums(({ skips }) => skips),
    ),
    ...more(
      "tests are expected to fail",
      sums(({ xfails }) => xfails),
    ),
  ];
}

function readAll(files: readonly FileBlock[]): Promise<TestSource[]> {
  return Promise.all(files.map(({ path, content }) => readTestSource(path, content)));
}

/** Whether a test, by its name, says something else than before, or is gone: by its own text, or by what else is in its file. */
export async function correctedTests(
  before: readonly FileBlock[],
  after: readonly FileBlock[],
): Promise<(name: string) => boolean> {
  const files = await Promise.all(
    before.map(async ({ path, content }) => {
      const now = after.find((file) => file.path === path)?.content;
      const [old, fresh] = await Promise.all([content, now ?? ""].map((text) => readTestSource(path, text)));
      const isWhole = now === undefined || restOf(content, old!) !== restOf(now, fresh!);
      return { path, isWhole, changed: old!.names.filter((name) => old!.texts[name] !== fresh!.texts[name]) };
    }),
  );
  const changed = new Set(files.flatMap((file) => file.changed));
  const wholes = files.filter(({ isWhole }) => isWhole).map(({ path }) => path);
  return (name) =>
    changed.has(name.replace(/\[.*\]$/s, "")) ||
    wholes.some((path) => name === path || name.startsWith(`${path}::`) || name.startsWith(`${path} > `));
}

/** A file without its tests, as far as it says anything. */
function restOf(source: string, { texts }: TestSource): string {
  const rest = Object.values(texts).reduce((left, text) => left.replace(text, ""), source);
  return rest.replace(/\s+/g, " ").trim();
}
