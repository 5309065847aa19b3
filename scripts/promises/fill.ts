// The figures of docs/promises.md from what was measured. Pure.
//
// In a row that is shown by `npx vitest run PATHS`, the count of a third column that begins with "N passed" is that of these files. A figure
// of a benchmark stands between invisible marks, `<!--engine.resume_10k_ms-->11<!---->`, and is written as precisely as the one before.
// Everything else of a row is a person's words, and stays.

import type { Results } from "../results.ts";

/** A benchmark that ran on a busier machine says little about time. */
const BUSY = 4;

export interface Filled {
  text: string;
  /** What a person should look at: a promise that was seen to fail, a figure past its aim that no word tells of. */
  told: string[];
}

/** The page with its figures filled in; a figure that was not measured stays as it is. */
export function fillPromises(page: string, { tests, benches }: Results, files: readonly string[]): Filled {
  const told: string[] = [];
  let command = "";
  const lines = page.split("\n").map((line) => {
    const cells = line.split(/(?<!\\) \| /);
    if (!line.startsWith("| ") || cells.length !== 3) return line;
    const [promise = "", shown = "", seen = ""] = cells;
    command = shown.startsWith("the same") ? command : shown;
    const tell = (what: string) => told.push(`${what}: ${promise.slice(2, 80)}…`);
    const counted = withCount(seen, resultOf(command, tests, files), tell);
    return [promise, shown, withFigures(counted, benches, tell)].join(" | ");
  });
  return { text: lines.join("\n"), told };
}

interface Count {
  passed: number;
  failed: number;
}

/** What the files of a row's command came to; undefined where one of them has no result, or only some of its tests are meant. */
function resultOf(command: string, tests: Results["tests"], files: readonly string[]): Count | undefined {
  const found = /`npx vitest run ([^`]+)`/.exec(command)?.[1]?.split(" ") ?? [];
  const meant = files.filter((file) => found.some((path) => file.includes(path)));
  if (found.includes("-t") || meant.length === 0 || meant.some((file) => tests[file] === undefined)) return undefined;
  const sum = (key: keyof Count) => meant.reduce((total, file) => total + tests[file]![key], 0);
  return { passed: sum("passed"), failed: sum("failed") };
}

function withCount(seen: string, count: Count | undefined, tell: (what: string) => void): string {
  if (count === undefined) return seen;
  if (count.failed > 0) {
    tell(`${count.failed} failed when it was last run`);
    return seen;
  }
  return seen.replace(/^[\d,]+ passed/, `${count.passed.toLocaleString("en-US")} passed`);
}

function withFigures(seen: string, benches: Results["benches"], tell: (what: string) => void): string {
  return seen.replace(/<!--(\w+)\.([\w.]+)-->(.*?)<!---->/g, (whole, bench: string, key: string, before: string) => {
    const result = benches[bench];
    const value = key
      .split(".")
      .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], result?.figures);
    if (!result || typeof value !== "number") return whole;
    if (result.load > BUSY) {
      tell(`${bench}.${key} was measured at a load of ${result.load}, and is not taken`);
      return whole;
    }
    if (value > (result.aims[key] ?? Number.POSITIVE_INFINITY) && !seen.includes("missed"))
      tell(`${bench}.${key} is ${value}, past its aim of ${result.aims[key]}`);
    return `<!--${bench}.${key}-->${like(before, value)}<!---->`;
  });
}

/** A number with as many decimals as another has, and without a zero before them where that has none. */
function like(before: string, value: number): string {
  const decimals = /\.(\d+)/.exec(before)?.[1]?.length ?? 0;
  const text = value.toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  return before.startsWith("0.") ? text : text.replace(/^0\./, ".");
}
