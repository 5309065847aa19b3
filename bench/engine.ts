// What the engine costs: time, bytes, resuming, and many writers at once. README.md defines each figure.

import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { rounded, say } from "./engine/figures.ts";
import { measureBytes, measureGrowth } from "./engine/growth.ts";
import { measureResume } from "./engine/resume.ts";
import { measureRounds } from "./engine/rounds.ts";
import { checkProse, textsOf } from "./engine/texts.ts";
import { measureWriters } from "./engine/writers.ts";
import type { Figures } from "./run.ts";

/** The most that a figure should be. */
export const aims = {
  ratio_to_sqlite_commit: 2,
  ratio_to_langgraph: 0.4,
  ratio_effect_to_two_commits: 1.6,
  bytes_ratio_to_payload: 0.9,
  bytes_growth_10_to_1000: 1.05,
  time_growth_10_to_1000: 1.2,
  resume_10k_ms: 50,
  writers_16_errors: 0,
  writers_16_worst_ms: 1_500,
} as const;

const full = { rounds: 31, growthRuns: 15, resumes: 15, writerSeconds: 5 };
const quick = { rounds: 5, growthRuns: 1, resumes: 3, writerSeconds: 2 };

/** Runs the whole benchmark in a folder on the repository's own disk. */
export async function run(options: { quick?: boolean } = {}): Promise<Figures> {
  const { rounds, growthRuns, resumes, writerSeconds } = options.quick ? quick : full;
  say(`zstd at level 1 leaves ${rounded(checkProse(textsOf("check", 40)), 3)} of the text`);
  const parent = join(import.meta.dirname, ".bench-tmp");
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, "engine-"));
  try {
    return {
      ...(await measureRounds(folder, rounds)),
      ...(await measureBytes(folder)),
      ...(await measureGrowth(folder, growthRuns)),
      ...(await measureResume(folder, resumes)),
      ...(await measureWriters(folder, writerSeconds)),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmEmpty(parent);
  }
}

/** Removes a folder unless another benchmark is using it. */
function rmEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {}
}
