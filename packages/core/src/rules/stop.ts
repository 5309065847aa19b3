// Stop rules: pure predicates over what the iterations have shown. The first that holds says why to stop.

import type { PhaseOutcome } from "../outcomes.ts";

/** What one iteration has shown. A loop fills in what it has. */
export interface Observation {
  iteration: number;
  /** 0 to 1. */
  score?: number;
  /** The result of each test, by name, in the order of the tests. */
  tests?: Readonly<Record<string, "passed" | "failed">>;
  /** The codes of hard findings. */
  hardFails?: readonly string[];
  /** The digest of what was made. */
  artifact?: string;
}

export type History = readonly Observation[];

export interface Stop {
  outcome: PhaseOutcome;
  reason: string;
}

export type StopRule = (history: History) => Stop | undefined;

/** The first rule that holds, in the order given. */
export function firstStop(history: History, rules: readonly StopRule[]): Stop | undefined {
  for (const rule of rules) {
    const stop = rule(history);
    if (stop) return stop;
  }
  return undefined;
}

/** Stops as done when the last score reaches a threshold. The verdict must still say pass (L6). */
export function scoreAtLeast(threshold: number): StopRule {
  return (history) => {
    const score = history.at(-1)?.score;
    if (score === undefined || score < threshold) return undefined;
    return { outcome: "done", reason: `score ${score.toFixed(3)} reached the threshold ${threshold}` };
  };
}

/** Stops as stagnant when the scores of a window lie closer together than a range. */
export function stagnation({ window = 3, range = 0.02 } = {}): StopRule {
  return (history) => {
    const scores = lastScores(history, window);
    if (!scores) return undefined;
    const spread = Math.max(...scores) - Math.min(...scores);
    if (spread >= range) return undefined;
    return { outcome: "stagnant", reason: `the last ${window} scores lie within ${spread.toFixed(3)}, under ${range}` };
  };
}

/** Stops as escalated when the same hard fail has come a number of times running. */
export function repeatedHardFail(times = 2): StopRule {
  return (history) => {
    const code = sharedHardFail(history, times);
    return code === undefined
      ? undefined
      : { outcome: "escalated", reason: `the hard fail ${code} came ${times} times running` };
  };
}

/** A hard fail that each of the last iterations has. */
export function sharedHardFail(history: History, times: number): string | undefined {
  if (history.length < times) return undefined;
  const recent = history.slice(-times);
  return recent[0]!.hardFails?.find((code) => recent.every(({ hardFails }) => hardFails?.includes(code)));
}

/** The scores of the last iterations, if each of them has one. */
export function lastScores(history: History, window: number): number[] | undefined {
  if (history.length < window) return undefined;
  const scores = history.slice(-window).map(({ score }) => score);
  return scores.every((score) => score !== undefined) ? scores : undefined;
}
