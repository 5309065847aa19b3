// Stuck detectors: pure predicates that tell a loop that works from one that only moves.
//
// Each looks for one sign. None of them alone is enough: a frozen builder repeats its artifact, a busy one fails the
// same tests with ever new code, an undecided one swings between two answers, a lost one never gets near its best.

import { sha256 } from "../record/json.ts";
import { type History, lastScores, type Observation, sharedHardFail } from "./stop.ts";

export interface Stuck {
  detector: string;
  /** The iteration that the stretch began with. */
  since: number;
  reason: string;
}

export type Detector = (history: History) => Stuck | undefined;

/** The first detector that fires. */
export function stuck(history: History, detectors: readonly Detector[] = defaultDetectors): Stuck | undefined {
  for (const detector of detectors) {
    const found = detector(history);
    if (found) return found;
  }
  return undefined;
}

/** How many times running the last observation's sign has come; 0 if it has none. */
export function countRepeats(history: History, signOf: (seen: Observation) => string | undefined): number {
  const last = history.at(-1);
  const sign = last && signOf(last);
  if (sign === undefined) return 0;
  const before = history.findLastIndex((seen) => signOf(seen) !== sign);
  return history.length - 1 - before;
}

/** The hash of the sequence of passes and fails; undefined without tests, or when all pass. */
export function sequenceHash({ tests }: Observation): string | undefined {
  if (!tests || !Object.values(tests).includes("failed")) return undefined;
  return sha256(JSON.stringify(Object.values(tests)));
}

/** The hash of the set of failing tests; undefined when there is none. */
export function failingSetHash({ tests }: Observation): string | undefined {
  const failing = Object.keys(tests ?? {}).filter((name) => tests?.[name] === "failed");
  return failing.length === 0 ? undefined : sha256(JSON.stringify(failing.sort()));
}

/** The same passes and fails, in the same order, a number of times running. */
export function sameSequence(times = 3): Detector {
  return repeated("same-sequence", sequenceHash, times, "tests passed and failed in the same order");
}

/** The same set of failing tests a number of times running. */
export function sameFailingSet(times = 3): Detector {
  return repeated("same-failing-set", failingSetHash, times, "the same tests failed");
}

/** The same artifact a number of times running. */
export function identicalArtifact(times = 3): Detector {
  return repeated("identical-artifact", ({ artifact }) => artifact, times, "the very same artifact was made");
}

/** The same hard fail a number of times running. */
export function sameHardFail(times = 3): Detector {
  return (history) => {
    const code = sharedHardFail(history, times);
    return code === undefined
      ? undefined
      : found("same-hard-fail", history, times, `the hard fail ${code} came ${times} times running`);
  };
}

/** Comes back to the same answer again and again: the last one was given so many times in a window, in any order. */
export function recurrence({ window = 6, times = 3 } = {}): Detector {
  return (history) => {
    const signs = history.slice(-window).map(signature);
    const last = signs.at(-1);
    if (last === undefined || signs.filter((sign) => sign === last).length < times) return undefined;
    return found(
      "recurrence",
      history,
      signs.length,
      `the same answer came ${times} times in ${signs.length} iterations`,
    );
  };
}

/** Swings between few answers in a fixed order (ABAB, ABCABC). */
export function oscillation({ times = 2, longest = 3 } = {}): Detector {
  return (history) => {
    for (let period = 2; period <= longest; period++) {
      const window = period * times;
      const signs = history.slice(-window).map(signature);
      if (signs.length < window || signs.includes(undefined) || new Set(signs).size < 2) continue;
      if (!signs.every((sign, index) => index < period || sign === signs[index - period])) continue;
      return found("oscillation", history, window, `it swings between ${new Set(signs).size} answers`);
    }
    return undefined;
  };
}

/** No new best by at least `gain` in a window. */
export function plateau({ window = 5, gain = 0.003 } = {}): Detector {
  return (history) => {
    const scores = lastScores(history, window);
    if (!scores || history.length === window) return undefined;
    const before = Math.max(...history.slice(0, -window + 1).map(({ score }) => score ?? 0));
    const best = Math.max(...scores.slice(1));
    if (best - before >= gain) return undefined;
    return found("plateau", history, window, `no new best in ${window - 1} iterations (best ${before.toFixed(3)})`);
  };
}

/** Far below its best for a whole window, and not on the way back. */
export function regression({ window = 5, drop = 0.15 } = {}): Detector {
  return (history) => {
    const scores = lastScores(history, window);
    if (!scores) return undefined;
    const best = Math.max(...history.map(({ score }) => score ?? 0));
    const isDown = scores.every((score) => score < best - drop);
    if (!isDown || scores.at(-1)! > Math.max(...scores.slice(0, -1))) return undefined;
    return found("regression", history, window, `${window} iterations far below its best of ${best.toFixed(3)}`);
  };
}

/** Holds a detector back while a window shows a sign of life: a new best, a score on its way up, other failures each time. */
export function unlessAlive(detector: Detector, { window = 3, gain = 0.003 } = {}): Detector {
  return (history) => {
    const recent = history.slice(-window);
    const isAlive = hasNewBest(history, window, gain) || isRising(recent, gain) || hasNewFailures(recent);
    return isAlive ? undefined : detector(history);
  };
}

function hasNewBest(history: History, window: number, gain: number): boolean {
  const before = history.slice(0, -window + 1).map(({ score }) => score ?? 0);
  const recent = history.slice(-window + 1).map(({ score }) => score ?? 0);
  return before.length > 0 && Math.max(...recent) - Math.max(...before) >= gain;
}

/** Whether each of these scores is above the one before it. */
function isRising(recent: History, gain: number): boolean {
  return (
    recent.length > 1 &&
    recent.every(({ score = 0 }, index) => index === 0 || score - (recent[index - 1]!.score ?? 0) >= gain)
  );
}

/** Whether each of these iterations fails in another way. */
function hasNewFailures(recent: History): boolean {
  const signs = recent.map((seen) => failingSetHash(seen) ?? hardFailSet(seen));
  return !signs.includes(undefined) && new Set(signs).size === signs.length;
}

function hardFailSet({ hardFails }: Observation): string | undefined {
  return hardFails && hardFails.length > 0 ? [...hardFails].sort().join() : undefined;
}

/** What an answer is known by: what was made, else which tests failed, else its score. */
function signature(seen: Observation): string | undefined {
  return failingSetHash(seen) ?? seen.artifact ?? hardFailSet(seen) ?? seen.score?.toString();
}

function repeated(
  detector: string,
  signOf: (seen: Observation) => string | undefined,
  times: number,
  what: string,
): Detector {
  return (history) =>
    countRepeats(history, signOf) < times
      ? undefined
      : found(detector, history, times, `${what} ${times} times running`);
}

function found(detector: string, history: History, window: number, reason: string): Stuck {
  return { detector, since: history.at(-window)!.iteration, reason };
}

/** The detectors that a loop gets unless it chooses its own. */
export const defaultDetectors: readonly Detector[] = [
  identicalArtifact(),
  sameSequence(),
  sameFailingSet(),
  unlessAlive(sameHardFail()),
  oscillation(),
  unlessAlive(recurrence()),
  unlessAlive(plateau()),
  regression(),
];
