// Stuck detection: one pure call that tells a loop that works from one that only moves.
//
// A loop hands over what its iterations have shown, and its own rules as data. What being stuck leads to (a hint, a note, a
// question, an ending) is the loop's affair. A sign that is absent never repeats; of several rules that hold, the one whose
// stretch is longest speaks, and of two alike the first.

import { showScore } from "../outcomes.ts";
import { sha256 } from "../record/json.ts";

const signs = ["artifact", "sequence", "failing", "findings"] as const;
type Sign = (typeof signs)[number];
/** What an iteration has shown, small enough to be kept: digests stand for what they were made of. */
export interface Observation {
  readonly iteration: number;
  /** 0 to 1. */
  readonly score?: number | undefined;
  readonly artifact?: string | undefined;
  /** Which tests passed and failed, in order; none where all pass. */
  readonly sequence?: string | undefined;
  /** The set of failing tests; none where there is none. */
  readonly failing?: string | undefined;
  readonly findings?: string | undefined;
}
/** The iterations so far, oldest first. */
export type History = readonly Observation[];

/** When a loop counts as stuck; a rule that is left out is not asked. */
export interface StuckRules {
  /** The same sign so many times running. */
  readonly repeats?: Readonly<Partial<Record<Sign, number>>>;
  /** A sign that goes round in a circle of up to `longest` (ABAB, ABCABC), so many times. */
  readonly oscillation?: { readonly times: number; readonly longest: number };
  /** No new best by `gain` in a window. Other failures each time are a sign of life, unless all lie `drop` below the best. */
  readonly plateau?: { readonly window: number; readonly gain: number; readonly drop?: number };
  /** The scores of a window lie closer together than a range. */
  readonly stagnation?: { readonly window: number; readonly range: number };
}

/** The rules for work under tests; the code loop tells whoever watches by them. */
const defaultRules: StuckRules = {
  repeats: { artifact: 3, sequence: 3, failing: 3 },
  oscillation: { times: 2, longest: 3 },
  plateau: { window: 5, gain: 0.003, drop: 0.15 },
};

/** What is stuck, for how many iterations, and since which. */
export type Stuck = {
  detector: Sign | "oscillation" | "plateau" | "stagnation";
  count: number;
  since: number;
  reason: string;
};

/** Whether the last iterations of a history go nowhere. */
export function detectStuck(history: History, rules: StuckRules = defaultRules): Stuck | undefined {
  const found = [
    ...signs.map((name) => findRepeats(history, name, rules.repeats?.[name])),
    findOscillation(history, rules.oscillation),
    findPlateau(history, rules.plateau),
    findStagnation(history, rules.stagnation),
  ];
  return found.reduce((longest, next) => (next && next.count > (longest?.count ?? 0) ? next : longest), undefined);
}

/** The signs of a test run, by names and results: none where nothing failed. */
export function signTests(
  tests: Readonly<Record<string, "passed" | "failed">>,
): Pick<Observation, "sequence" | "failing"> {
  const failing = signSet(Object.keys(tests).filter((name) => tests[name] === "failed"));
  return failing === undefined ? {} : { sequence: sha256(JSON.stringify(Object.values(tests))), failing };
}

/** The sign of a set, in whatever order it is given: none where it is empty. */
export function signSet(items: readonly string[]): string | undefined {
  return items.length === 0 ? undefined : sha256(JSON.stringify([...items].sort()));
}

const repeated: Record<Sign, string> = {
  artifact: "the very same artifact was made",
  sequence: "tests passed and failed in the same order",
  failing: "the same tests failed",
  findings: "the same was found",
};

function findRepeats(history: History, name: Sign, times = Number.POSITIVE_INFINITY): Stuck | undefined {
  const last = history.at(-1)?.[name];
  const count = history.length - 1 - history.findLastIndex((seen) => seen[name] !== last);
  if (last === undefined || count < times) return undefined;
  return stretch(history, name, count, `${repeated[name]} ${count} times running`);
}

function findOscillation(history: History, rule: StuckRules["oscillation"]): Stuck | undefined {
  if (!rule) return undefined;
  for (const name of signs) {
    const values = history.map((seen) => seen[name]).reverse();
    for (let period = 2; period <= rule.longest; period++) {
      const end = values.findIndex(
        (value, at) => value === undefined || (at >= period && value !== values[at - period]),
      );
      const count = end < 0 ? values.length : end;
      const states = new Set(values.slice(0, period)).size;
      if (count < period * rule.times || states < 2) continue;
      return stretch(history, "oscillation", count, `it swings between ${states} states`);
    }
  }
  return undefined;
}

function findPlateau(history: History, rule: StuckRules["plateau"]): Stuck | undefined {
  if (!rule || history.length <= rule.window) return undefined;
  const recent = history.slice(-rule.window);
  const before = history.slice(0, -rule.window).map(({ score = 0 }) => score);
  const best = Math.max(...before);
  if (recent.some(({ score }) => score === undefined || score - best >= rule.gain)) return undefined;
  const isLost = recent.every(({ score }) => score! < best - (rule.drop ?? 1));
  if (!isLost && failsAnew(recent)) return undefined;
  const count = history.length - 1 - before.indexOf(best);
  return stretch(history, "plateau", count, `no new best in ${count} iterations (best ${showScore(best)})`);
}

/** Whether each of these iterations fails in another way. */
function failsAnew(recent: History): boolean {
  return (["failing", "findings"] as const).some((name) => {
    const values = new Set(recent.map((seen) => seen[name]));
    return values.size === recent.length && !values.has(undefined);
  });
}

function findStagnation(history: History, rule: StuckRules["stagnation"]): Stuck | undefined {
  if (!rule || history.length < rule.window) return undefined;
  const scores = history.slice(-rule.window).map(({ score }) => score ?? Number.NaN);
  const spread = Math.max(...scores) - Math.min(...scores);
  if (!(spread < rule.range)) return undefined;
  const reason = `the last ${rule.window} scores lie within ${spread.toFixed(3)}, under ${rule.range}`;
  return stretch(history, "stagnation", rule.window, reason);
}

function stretch(history: History, detector: Stuck["detector"], count: number, reason: string): Stuck {
  return { detector, count, since: history.at(-count)!.iteration, reason };
}
