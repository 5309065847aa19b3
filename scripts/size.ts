// How many lines of source each package has: `npm run size`. What it may have stands in the table of docs/decisions/README.md, with the
// reason wherever it was raised: a package is the README's row away from growing, and nothing else.

import { readFileSync } from "node:fs";
import { filesAt } from "./packages.ts";

const DECISIONS = "docs/decisions/README.md";
const isSource = (path: string) =>
  /\.(ts|tsx|py|mjs|css|html)$/.test(path) && !/\.test\.|\/test\/|\/fixtures\//.test(path);

export interface Budget {
  /** As the page names them: one package, several with one budget, or `all`. */
  packages: string[];
  most: number;
  lines: number;
}

/** The lines of each package as `wc -l` counts them, without its tests. */
export function readSizes(): Record<string, number> {
  const sizes: Record<string, number> = {};
  for (const path of filesAt("packages/*/{src,programs,templates}/**").filter(isSource)) {
    const name = path.split("/")[1]!;
    sizes[name] = (sizes[name] ?? 0) + readFileSync(path, "utf8").split("\n").length - 1;
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
