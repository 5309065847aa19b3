// The texts of the workload, the same for every program that is measured.
//
// A state of 20 KB: a task of 2 KB that stays, a draft of 12 KB, a log of 4 KB and a critique of 2 KB that are all new
// in each iteration, and one line of history more. Nothing is ever written twice.

import { compressedShare, proseWriter } from "./prose.ts";

export const TASK_SIZE = 2_048;
const DRAFT_SIZE = 12_288;
const LOG_SIZE = 4_096;
const CRITIQUE_SIZE = 2_048;
const LINE_SIZE = 80;
export const PHASES = 3;

/** What is new in one iteration. */
export interface Texts {
  draft: string;
  log: string;
  critique: string;
  line: string;
}

/** The texts of so many iterations; another seed gives others. */
export function textsOf(seed: number | string, count: number): Texts[] {
  const write = proseWriter(seed);
  return Array.from({ length: count }, () => ({
    draft: write(DRAFT_SIZE),
    log: write(LOG_SIZE),
    critique: write(CRITIQUE_SIZE),
    line: write(LINE_SIZE),
  }));
}

/** The bytes of one iteration's texts. */
export function sizeOf({ draft, log, critique, line }: Texts): number {
  return Buffer.byteLength(draft + log + critique + line);
}

/** Fails unless zstd at level 1 leaves at least half of every text and of every iteration; gives the middle share. */
export function checkProse(texts: readonly Texts[]): number {
  const whole = texts.map(({ draft, log, critique }) => compressedShare(draft + log + critique));
  const parts = texts.flatMap(({ draft, log, critique }) => [draft, log, critique].map(compressedShare));
  const least = Math.min(...whole, ...parts);
  if (least < 0.5) throw new Error(`the prose is too easy: zstd at level 1 leaves only ${least.toFixed(3)} of a text`);
  return whole.toSorted()[whole.length >> 1]!;
}
