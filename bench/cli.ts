// The command line: how long it takes to start, and to list a thousand runs. Whole processes, as a person starts them.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineLoop, openProject, pass } from "loopwright";
import { z } from "zod";

const binary = fileURLToPath(new URL("../packages/loopwright/bin/loopwright.js", import.meta.url));

export const aims = { cold_start_ratio: 2, runs_1000_ms: 150 };

/** Starts each command many times, in turns. */
export async function run({ quick }: { quick: boolean }) {
  const folder = mkdtempSync(join(tmpdir(), "loopwright-bench-"));
  try {
    const empty = join(folder, "empty.mjs");
    writeFileSync(empty, "");
    await fill(folder, quick ? 100 : 1000);
    const rounds = quick ? 5 : 31;
    const times = { bare: [] as number[], version: [] as number[], runs: [] as number[] };
    for (let round = -3; round < rounds; round++) {
      const took = {
        bare: time([empty]),
        version: time([binary, "--version"]),
        runs: time([binary, "runs", "--dir", folder]),
      };
      if (round < 0) continue;
      for (const name of ["bare", "version", "runs"] as const) times[name].push(took[name]);
    }
    const [bare, version, runs] = [median(times.bare), median(times.version), median(times.runs)];
    return {
      bare_node_ms: round(bare),
      version_ms: round(version),
      cold_start_ratio: round(version / bare),
      [quick ? "runs_100_ms" : "runs_1000_ms"]: round(runs),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A project with that many ended runs. */
async function fill(dir: string, count: number): Promise<void> {
  const loop = defineLoop({
    name: "brief",
    version: 1,
    input: z.null(),
    state: z.object({ note: z.string() }),
    initial: () => ({ note: "" }),
    start: "work",
    iteration: "work",
    phases: {
      work: {
        to: [],
        run: (_state, ctx) => {
          ctx.verdict(pass(1, "it is good"));
          return ctx.end("done", { patch: { note: "some words that the run remembers" } });
        },
      },
    },
  });
  await using project = await openProject({ dir });
  for (let made = 0; made < count; made++) await project.start(loop, null);
}

/** The milliseconds of one process, from its start to its end. */
export function time(args: readonly string[]): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  if (status !== 0) throw new Error(`${args.join(" ")} exited with ${status}: ${stderr}`);
  return performance.now() - start;
}

/** The middle one of some values. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

/** A figure with two digits behind the point. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}
