// The search builder: one batch of evaluations, and the best hull that it knows after it.

import { setImmediate } from "node:timers/promises";
import { type EffectContext, LoopwrightError, type Problem } from "../../core/index.ts";
import {
  type HullParameters,
  middleHull,
  parameters,
  parametersToCode,
  parametersToPoint,
  pointToParameters,
} from "../../workcells/loft/index.ts";
import { applyCode } from "../../workcells/loft/code.ts";
import { makeObjective } from "./objective.ts";
import { referenceMasks } from "./references.ts";
import { type SearchState, stepSearch } from "./search.ts";
import type { HullContext, HullState, HullTask } from "./task.ts";

export interface Proposal {
  plan: string;
  code: string;
}

/** How long a batch may keep the event loop: heartbeats and Ctrl-C wait for it. */
const BREATH_MS = 20;

/** One batch, as one effect; what it proposes and where the search then stands. */
export async function searchBatch(state: HullState, ctx: HullContext): Promise<Proposal & { search: SearchState }> {
  const before = state.search;
  if (!before) throw new LoopwrightError("SEARCH_MISSING", "the search has no beginning; run setup first");
  const search = await ctx.effect("search", {
    input: before,
    run: (effect) => runBatch(before, ctx.input, effect),
  });
  const hull = pointToParameters(search.best!.point);
  return { search, code: parametersToCode(hull), plan: describeBatch(before, search, hullOf(state.last_code), hull) };
}

/** After an error: half the way back to the hull that stands. */
export function repair(state: HullState, problem: Problem, code: string): Proposal {
  const from = parametersToPoint(hullOf(state.workcell_snapshot ?? "{}"));
  const to = parametersToPoint(hullOf(code));
  const hull = pointToParameters(to.map((x, i) => (x + from[i]!) / 2));
  return { plan: `The last code failed (${problem.message}). This goes half as far.\n`, code: parametersToCode(hull) };
}

async function runBatch(
  before: SearchState,
  task: HullTask,
  { signal, progress }: Pick<EffectContext, "signal" | "progress">,
): Promise<SearchState> {
  const { evaluations, size } = task.search;
  const objective = makeObjective(referenceMasks(task, size), task.frame);
  const until = before.evaluations + evaluations;
  let search = before;
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

function hullOf(code: string): HullParameters {
  return applyCode(middleHull, code);
}

/** The batch in words with numbers. */
function describeBatch(before: SearchState, after: SearchState, from: HullParameters, to: HullParameters): string {
  const restarts = after.restarts - before.restarts;
  const score = after.best!.score.toFixed(3);
  const tried = after.evaluations - before.evaluations;
  const begun = restarts > 0 ? `, beginning afresh ${restarts === 1 ? "once" : `${restarts} times`}` : "";
  const was = before.best ? `, up from ${before.best.score.toFixed(3)}` : "";
  const found = before.best && before.best.score === after.best!.score ? ", no better than before" : was;
  const moves = describeMoves(from, to);
  const lines = moves.length > 0 ? ["It moves, the largest step first:", ...moves] : ["It moves nothing."];
  return [
    `Searched: ${tried} hulls tried${begun}; ${after.evaluations} so far.`,
    `Expected: a score of ${score}${found}.`,
    ...lines,
    "",
  ].join("\n");
}

/** What changes from one hull to the next, the largest share of its range first. */
function describeMoves(from: HullParameters, to: HullParameters): string[] {
  const moves = parameters.map(({ name, unit, min, max }) => ({
    share: Math.abs(to[name] - from[name]) / (max - min),
    words: `  ${name} ${figure(from[name])} → ${figure(to[name])} ${unit}`,
  }));
  const seen = moves.filter(({ share }) => share > 0).sort((a, b) => b.share - a.share);
  return seen.map(({ words }) => words);
}

function figure(value: number): string {
  return String(Number(value.toFixed(3)));
}
