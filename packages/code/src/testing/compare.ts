// Whether tests have become fewer or milder: corrected tests may not, whatever their author says of them.

import { type FileBlock, readTestSource, type TestSource } from "@loopwright/workspace";

/** Test files by their text, which needs no run: fewer declared tests or assertions, and more skips, are losses, in sentences. */
export async function compareTestFiles(before: readonly FileBlock[], after: readonly FileBlock[]): Promise<string[]> {
  const [old, now] = await Promise.all([sumOf(before), sumOf(after)]);
  const less = (what: string, was: number, is: number) => (is < was ? [`${is} ${what}, and there were ${was}`] : []);
  const more = (what: string, was: number, is: number) => (is > was ? [`${is - was} more ${what}`] : []);
  return [
    ...(now.isBroken && !old.isBroken ? ["the tests no longer parse"] : []),
    ...less("tests are declared", old.tests, now.tests),
    ...less("assertions that say something", old.assertions, now.assertions),
    ...more("tests are skipped", old.skips, now.skips),
    ...more("tests are expected to fail", old.xfails, now.xfails),
  ];
}

async function sumOf(files: readonly FileBlock[]) {
  const sources = await Promise.all(files.map(({ path, content }) => readTestSource(path, content)));
  const sum = { tests: 0, assertions: 0, skips: 0, xfails: 0, isBroken: false };
  for (const { names, assertions, skips, xfails, isBroken } of sources) {
    sum.tests += names.length;
    sum.assertions += assertions;
    sum.skips += skips;
    sum.xfails += xfails;
    sum.isBroken ||= isBroken;
  }
  return sum;
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
