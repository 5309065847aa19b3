// A batch of the search as a plan: in words with numbers.

import { showCount, showScore } from "@loopwright/terminal";
import { type HullParameters, parameters } from "../loft/index.ts";
import type { SearchState } from "./search.ts";

export interface Batch {
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
