// Whether tests have become fewer or milder: corrected tests may not, whatever their author says of them.

import type { FileBlock, TestResult, TestState } from "../cell.ts";
import { readTestSource, type TestSource } from "./source.ts";

/** What became of tests between two versions of them. */
export interface TestComparison {
  /** Names that were collected before and are not now. */
  gone: string[];
  added: string[];
  /** What is less than before, in sentences; empty where nothing is. */
  losses: string[];
}

/** Compares what two runs collected: fewer tests that run, or more that are skipped or expected to fail, are losses. */
export function compareTests(before: readonly TestResult[], after: readonly TestResult[]): TestComparison {
  const [old, now] = [countStates(before), countStates(after)];
  const [oldNames, newNames] = [new Set(before.map(({ name }) => name)), new Set(after.map(({ name }) => name))];
  const losses: string[] = [];
  if (now.running < old.running) losses.push(`${now.running} tests would run, and ${old.running} did before`);
  if (now.skipped > old.skipped) losses.push(`${now.skipped - old.skipped} more tests would be skipped`);
  if (now.xfailed > old.xfailed) losses.push(`${now.xfailed - old.xfailed} more tests would be expected to fail`);
  return {
    gone: [...oldNames].filter((name) => !newNames.has(name)),
    added: [...newNames].filter((name) => !oldNames.has(name)),
    losses,
  };
}

/** Compares test files by their text, which needs no run: fewer declared tests or assertions, and more skips, are losses. */
export async function compareTestFiles(
  before: readonly FileBlock[],
  after: readonly FileBlock[],
): Promise<TestComparison> {
  const [old, now] = await Promise.all([sumOf(before), sumOf(after)]);
  const losses: string[] = [];
  const less = (what: string, was: number, is: number) => {
    if (is < was) losses.push(`${is} ${what}, and there were ${was}`);
  };
  const more = (what: string, was: number, is: number) => {
    if (is > was) losses.push(`${is - was} more ${what}`);
  };
  if (now.isBroken && !old.isBroken) losses.push("the tests no longer parse");
  less("tests are declared", old.names.length, now.names.length);
  less("assertions that say something", old.assertions, now.assertions);
  more("tests are skipped", old.skips, now.skips);
  more("tests are expected to fail", old.xfails, now.xfails);
  return {
    gone: old.names.filter((name) => !now.names.includes(name)),
    added: now.names.filter((name) => !old.names.includes(name)),
    losses,
  };
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

async function sumOf(files: readonly FileBlock[]): Promise<TestSource> {
  const sources = await Promise.all(files.map(({ path, content }) => readTestSource(path, content)));
  const sum = (of: (source: TestSource) => number) => sources.reduce((total, source) => total + of(source), 0);
  return {
    names: sources.flatMap(({ names }) => names),
    texts: Object.assign({}, ...sources.map(({ texts }) => texts)) as TestSource["texts"],
    assertions: sum(({ assertions }) => assertions),
    skips: sum(({ skips }) => skips),
    xfails: sum(({ xfails }) => xfails),
    isBroken: sources.some(({ isBroken }) => isBroken),
  };
}

function countStates(tests: readonly TestResult[]): { running: number; skipped: number; xfailed: number } {
  const count = (...states: TestState[]) => tests.filter(({ state }) => states.includes(state)).length;
  return { running: count("passed", "failed"), skipped: count("skipped"), xfailed: count("xfailed") };
}
