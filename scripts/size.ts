// How many lines of source each package has: `npm run size`. What it may have stands in the table of docs/decisions/README.md, with the
// reason wherever it was raised: a package is the README's row away from growing, and nothing else.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const DECISIONS = "docs/decisions/README.md";
const isSource = (path: string) =>
  /\.(ts|tsx|py|mjs|css|html)$/.test(path) && !/\.test\.|\/test\/|\/fixtures\/|\/dist\//.test(path);

export interface Budget {
  /** As the page names them: one package, several with one budget, or `all`. */
  packages: string[];
  most: number;
  lines: number;
}

/** The lines of each package, those of tests, comments not excepted, left out. */
export function readSizes(): Record<string, number> {
  const tracked = execFileSync("git", ["ls-files", "-z", "packages"], { encoding: "utf8" }).split("\0");
  const sizes: Record<string, number> = {};
  for (const path of tracked.filter(isSource)) {
    const name = path.split("/")[1]!;
    sizes[name] = (sizes[name] ?? 0) + linesOf(path);
  }
  return sizes;
}

/** Each row of the page's table, with what its packages have. */
export function readBudgets(sizes: Record<string, number>): Budget[] {
  const rows = readFileSync(DECISIONS, "utf8").matchAll(/^\| ([a-z, ]+) \| ([\d,]+) \|/gm);
  return [...rows].map(([, names, most]) => {
    const packages = names!.split(", ");
    const meant = names === "all" ? Object.keys(sizes) : packages;
    const lines = meant.reduce((total, name) => total + (sizes[name] ?? 0), 0);
    return { packages, most: Number(most!.replaceAll(",", "")), lines };
  });
}

/** What is past its budget, and what has none. */
export function budgetFindings(): string[] {
  const sizes = readSizes();
  const budgets = readBudgets(sizes);
  const known = new Set(budgets.flatMap(({ packages }) => packages));
  return [
    ...budgets
      .filter(({ most, lines }) => lines > most)
      .map(({ packages, most, lines }) => `${packages.join(", ")}: ${lines} lines, more than ${most} (${DECISIONS})`),
    ...Object.keys(sizes)
      .filter((name) => !known.has(name))
      .map((name) => `${name}: has no budget; give it a row in ${DECISIONS}`),
  ];
}

/** As `wc -l` counts; a file that was removed and not committed has none. */
function linesOf(path: string): number {
  try {
    return readFileSync(path, "utf8").split("\n").length - 1;
  } catch {
    return 0;
  }
}

if (import.meta.main) {
  const sizes = readSizes();
  if (process.argv.includes("--json")) console.log(JSON.stringify(sizes, undefined, 2));
  else
    for (const { packages, most, lines } of readBudgets(sizes)) {
      const shown = packages.map((name) => (packages.length > 1 ? `${name} ${sizes[name] ?? 0}` : name)).join(", ");
      const number = (value: number) => value.toLocaleString("en-US").padStart(7);
      console.log(`${number(lines)} of ${number(most)}  ${lines > most ? "✗" : "✓"} ${shown}`);
    }
}
