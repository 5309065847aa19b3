// Runs a benchmark: node bench/run.ts <name> [--json] [--quick]
//
// A benchmark is a file of this folder that exports `run`. Its result is one object of figures; diagnostics go to stderr.

import { readdirSync } from "node:fs";
import { parseArgs } from "node:util";

export type Figures = Record<string, number | null | string | Readonly<Record<string, number>>>;

interface Benchmark {
  run(options: { quick: boolean }): Promise<Figures>;
  /** The most that a figure should be. */
  aims?: Readonly<Record<string, number>>;
}

/** The benchmarks of this folder. */
function knownNames(): string[] {
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith(".ts") && !file.includes(".test."));
  return files.map((file) => file.replace(/\.ts$/, "")).filter((name) => name !== "run");
}

/** The figures as lines, each with its aim where there is one. */
function table(figures: Figures, aims: Readonly<Record<string, number>> = {}): string {
  const flat = Object.entries(figures).flatMap(([key, value]): [string, number | null | string][] =>
    typeof value === "object" && value !== null
      ? Object.entries(value).map(([name, each]) => [`${key}.${name}`, each])
      : [[key, value]],
  );
  const width = Math.max(...flat.map(([key]) => key.length));
  const lines = flat.map(([key, value]) => {
    const aim = aims[key];
    const isMet = typeof value === "number" && aim !== undefined && value <= aim;
    const note = aim === undefined || value === null ? "" : `  (aim: at most ${aim}${isMet ? "" : ", MISSED"})`;
    return `${key.padEnd(width)}  ${String(value).padStart(10)}${note}`;
  });
  return lines.join("\n");
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean", default: false }, quick: { type: "boolean", default: false } },
});
const name = positionals[0] ?? "";
if (positionals.length !== 1 || !knownNames().includes(name)) {
  console.error(`usage: node bench/run.ts <${knownNames().join("|")}> [--json] [--quick]`);
  process.exit(2);
}
const benchmark = (await import(`./${name}.ts`)) as Benchmark;
const figures = await benchmark.run({ quick: values.quick });
console.log(values.json ? JSON.stringify(figures) : table(figures, benchmark.aims));
