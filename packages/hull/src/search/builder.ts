// The search builder: one batch of evaluations, and the best hull that it knows after it.

import { setImmediate } from "node:timers/promises";
import { type EffectContext, LoopwrightError, type Problem } from "@loopwright/core";
import { showCount, showScore } from "@loopwright/terminal";
import {
  applyCode,
  type HullParameters,
  middleHull,
  parameters,
  parametersToPoint,
  pointToParameters,
} from "../loft/parameters.ts";
import { threeMasks } from "../measure/references.ts";
import type { Proposal } from "../phases/asking.ts";
import type { HullContext, HullState, HullTask } from "../task/task.ts";
import { codeToHull, hullToCode, standingHull } from "../workcell/code.ts";
import { applyFixes } from "./fixes.ts";
import { makeObjective, scoreHull } from "./objective.ts";
import { considerPoints, reseedSearch, type SearchState, stepSearch } from "./search.ts";

/** How long a batch may keep the event loop: heartbeats and Ctrl-C wait for it. */
const BREATH_MS = 20;

/** One batch, as one effect; what it proposes and where the search then stands. */
export async function searchBatch(state: HullState, ctx: HullContext): Promise<Proposal & { search: SearchState }> {
  const { workcell_snapshot: standing } = state;
  const score = state.standing_score ?? state.current_score;
  if (!state.search) throw new LoopwrightError("SEARCH_MISSING", "the search has no beginning; run setup first");
  const before = ctx.reseeded ? reseedSearch(state.search, drawSeed(ctx)) : state.search;
  const from = standingHull(state, ctx.input);
  const { search, to, expected } = await ctx.effect("search", {
    input: { search: before, standing, score },
    run: async (effect) => {
      const search = await runBatch(before, proposedPoints(from, state, ctx.input), ctx.input, effect);
      return { search, ...chooseHull(search, from, score, ctx.input) };
    },
  });
  const plan = describeBatch({ before, after: search, from, to, score, expected });
  return { search, code: hullToCode(to, ctx.input), plan };
}

/** A seed for the search, from the run's own. */
export function drawSeed(ctx: Pick<HullContext, "random">): number {
  return Math.floor(ctx.random("search")() * 2 ** 31);
}

/** Where the evaluator's fixes point, all the way and half of it; nowhere, where the task does not want them read. */
function proposedPoints(
  from: HullParameters,
  { suggested_fixes, standing_score }: HullState,
  task: HullTask,
): number[][] {
  const { reads_findings = task.workcell !== "loft" } = task.search;
  // What is said of a person's scene does not hold for this hull.
  const to = reads_findings && standing_score === undefined ? applyFixes(from, suggested_fixes) : undefined;
  if (!to) return [];
  const [a, b] = [parametersToPoint(from), parametersToPoint(to)];
  return [a, b, a.map((x, i) => (x + b[i]!) / 2)];
}

/** The best hull found, unless the evaluator would put it below the one that stands: small pictures see less. */
function chooseHull(search: SearchState, from: HullParameters, score: number, task: HullTask) {
  const found = pointToParameters(search.best!.point);
  const expected = scoreHull(found, task);
  return expected > score ? { to: found, expected } : { to: from, expected: score };
}

/** After an error: half the way back to the hull that stands. */
export function repair(state: HullState, task: HullTask, problem: Problem, code: string): Proposal {
  const from = parametersToPoint(standingHull(state, task));
  const to = parametersToPoint(codeToHull(code, task));
  const hull = pointToParameters(to.map((x, i) => (x + from[i]!) / 2));
  return { plan: `The last code failed (${problem.message}). This goes half as far.\n`, code: hullToCode(hull, task) };
}

async function runBatch(
  before: SearchState,
  proposed: readonly number[][],
  task: HullTask,
  { signal, progress }: Pick<EffectContext, "signal" | "progress">,
): Promise<SearchState> {
  const { evaluations, size } = task.search;
  const objective = makeObjective(threeMasks(task, size), task.frame);
  const until = before.evaluations + evaluations;
  let search = proposed.length > 0 ? considerPoints(before, proposed, objective) : before;
  let breath = performance.now();
  while (search.evaluations < until) {
    search = stepSearch(search, objective);
    if (performance.now() - breath < BREATH_MS) continue;
    const done = Math.min(search.evaluations - before.evaluations, evaluations);
    progress({ evaluations: done, of: evaluations, score: search.best?.score ?? 0 });
    await setImmediate();
    signal.throwIfAborted();
    breath = performance.now();
  }
  return search;
}

interface Batch {
  before: SearchState;
  after: SearchState;
  from: HullParameters;
  to: HullParameters;
  /** What the hull that stands scored, and what the one to come is expected to. */
  score: number;
  expected: number;
}

/** What was tried, what is expected of it, and what it moves. */
export function describeBatch({ before, after, from, to, score, expected }: Batch): string {
  const restarts = after.restarts - before.restarts;
  const begun = restarts > 0 ? `, beginning afresh ${restarts === 1 ? "once" : `${restarts} times`}` : "";
  const tried = `Searched: ${showCount(after.evaluations - before.evaluations, "hull")} tried${begun}; ${after.evaluations} so far.`;
  const moves = describeMoves(from, to);
  if (moves.length === 0)
    return `${tried}\nNone is better than the hull that stands, at ${showScore(score)}: it stays.\n`;
  const hope = `Expected: a score of ${showScore(expected)}, up from ${showScore(score)}.`;
  return [tried, hope, "It moves, the largest step first:", ...moves, ""].join("\n");
}

/** What changes from one hull to the next, the largest share of its range first. */
function describeMoves(from: HullParameters, to: HullParameters): string[] {
  const moves = parameters.map(({ name, unit, min, max }) => ({
    share: Math.abs(to[name] - from[name]) / (max - min),
    words: `  ${name} ${figure(from[name])} → ${figure(to[name])} ${unit}`,
  }));
  const made = moves.filter(({ share }) => share > 0).sort((a, b) => b.share - a.share);
  return made.map(({ words }) => words);
}

function figure(value: number): string {
  return String(Number(value.toFixed(3)));
}

/** The most that a start may score. */
export const WORST_START = 0.75;
/** Pictures and silhouettes may differ by a pixel here and there. */
const MARGIN = 0.01;
const DRAWS = 200;

/** The hull that a task names, with what it leaves out in the middle of its range. */
export function applyBaseline(given: Readonly<Record<string, number>>): HullParameters {
  return applyCode(middleHull, JSON.stringify(given));
}

/** Draws hulls until one scores little enough; the smallest and the largest of all come last. */
export async function drawBaseline(task: HullTask, random: () => number, signal: AbortSignal): Promise<HullParameters> {
  let worst = { hull: middleHull, score: Number.POSITIVE_INFINITY };
  for (let draw = 0; draw < DRAWS + 2; draw++) {
    signal.throwIfAborted();
    await setImmediate();
    const corner = draw - DRAWS;
    const hull = pointToParameters(parameters.map(() => (corner < 0 ? 0.1 + 0.8 * random() : corner)));
    const score = scoreHull(hull, task);
    if (score <= WORST_START - MARGIN) return hull;
    if (score < worst.score) worst = { hull, score };
  }
  return worst.hull;
}
