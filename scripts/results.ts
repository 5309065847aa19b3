// What suites and benches have measured last in this clone: `.results/`, which git does not keep. `npm run promises` takes the figures of
// docs/promises.md from it.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "../.results");

export interface FileResult {
  passed: number;
  failed: number;
  ms: number;
}

export interface BenchResult {
  figures: Readonly<Record<string, unknown>>;
  aims: Readonly<Record<string, number>>;
  /** The machine's load when it began. */
  load: number;
}

export interface Results {
  /** By test file. */
  tests: Readonly<Record<string, FileResult>>;
  /** By the benchmark's name. */
  benches: Readonly<Record<string, BenchResult>>;
}

/** Everything that was measured. */
export function readResults(): Results {
  return { tests: read("tests.json"), benches: read("benches.json") };
}

/** Keeps what test files came to; what others came to before stays. */
export function recordTests(files: Results["tests"]): void {
  write("tests.json", files);
}

/** Keeps the figures of a benchmark. */
export function recordBench(
  name: string,
  figures: BenchResult["figures"],
  aims: BenchResult["aims"],
  load: number,
): void {
  write("benches.json", { [name]: { figures, aims, load } satisfies BenchResult });
}

/** The machine's load over the last minute. */
export function currentLoad(): number {
  return Math.round(loadavg()[0]! * 10) / 10;
}

function read<Value>(name: string): Record<string, Value> {
  try {
    return JSON.parse(readFileSync(join(FOLDER, name), "utf8"));
  } catch {
    return {};
  }
}

/** Keeps values under their names; where the clone cannot be written to, nothing is kept. */
function write(name: string, values: Record<string, unknown>): void {
  const all = Object.entries({ ...read(name), ...values }).sort(([a], [b]) => (a < b ? -1 : 1));
  try {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(join(FOLDER, name), `${JSON.stringify(Object.fromEntries(all), null, 1)}\n`);
  } catch (error) {
    console.error(`what was measured is not kept: ${(error as Error).message}`);
  }
}
