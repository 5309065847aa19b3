// What comes after the singles: pairs of those that mend different tests, pairs of one that mends some with others, the
// singles that were too unlikely to be tried before, and the likeliest pairs of all.

import type { Candidate, Program } from "./candidate.ts";
import { Listing } from "./listing.ts";
import { Places } from "./places.ts";
import { listAll } from "./singles.ts";

/** A single that made failing tests pass and broke none. */
export interface Improvement {
  /** Its place among the singles. */
  index: number;
  fixed: readonly string[];
}

const MOST_OF_TWO_IMPROVING = 1_500;
const MOST_OF_ONE_IMPROVING = 4_000;
const MOST_LIKELY = 4_000;

/** What is tried after the singles, likeliest first; all are new programs, among one another and among the singles. */
export async function listPairs(
  program: Program,
  singles: readonly Candidate[],
  improved: readonly Improvement[],
): Promise<Candidate[]> {
  const places = await Places.open(program);
  const listing = new Listing(places);
  for (const single of singles) listing.know(single);
  const best = bestOf(improved, singles);
  places.favour(improved.flatMap(({ index }) => singles[index]?.edits ?? []));
  const rest = listAll(places, listing);
  const all = [...singles, ...rest];
  const added = (pairs: readonly [Candidate, Candidate][]): Candidate[] => {
    const before = listing.candidates.length;
    for (const [one, other] of pairs) listing.addPair(one, other);
    return listing.candidates.slice(before);
  };
  const both = added(complementary(best).slice(0, MOST_OF_TWO_IMPROVING));
  const paired = best.slice(0, 16).map(({ candidate }) => candidate);
  const one = added(crossed(paired, all.slice(0, 3_000), MOST_OF_ONE_IMPROVING));
  const likely = all.slice(0, 250);
  const none = added(crossed(likely, likely, MOST_LIKELY));
  return [...both, ...(one.length > 0 ? [...interleave(one, rest, 1), ...none] : interleave(rest, none, 2))];
}

/** Two lists in turn: so many of the first, then one of the second. */
function interleave<T>(first: readonly T[], second: readonly T[], share: number): T[] {
  const turns: T[] = [];
  for (let at = 0; at * share < first.length || at < second.length; at++) {
    turns.push(...first.slice(at * share, (at + 1) * share), ...second.slice(at, at + 1));
  }
  return turns;
}

interface Improving {
  candidate: Candidate;
  fixed: ReadonlySet<string>;
}

/** The cheapest few for each set of tests that singles mend, those that mend most first. */
function bestOf(improved: readonly Improvement[], singles: readonly Candidate[]): Improving[] {
  const bySet = new Map<string, Improving[]>();
  for (const { index, fixed } of improved) {
    const candidate = singles[index];
    if (!candidate) continue;
    const key = fixed.toSorted().join("\n");
    const alike = bySet.get(key) ?? [];
    bySet.set(key, alike);
    alike.push({ candidate, fixed: new Set(fixed) });
  }
  const few = [...bySet.values()].flatMap((alike) =>
    alike.sort((a, b) => a.candidate.cost - b.candidate.cost).slice(0, 10),
  );
  return few.sort((a, b) => b.fixed.size - a.fixed.size || a.candidate.cost - b.candidate.cost).slice(0, 60);
}

/** Pairs of which each mends what the other does not, those that mend most together first. */
function complementary(best: readonly Improving[]): [Candidate, Candidate][] {
  const pairs: { pair: [Candidate, Candidate]; mended: number; cost: number }[] = [];
  for (const [at, one] of best.entries()) {
    for (const other of best.slice(at + 1)) {
      const mended = new Set([...one.fixed, ...other.fixed]).size;
      if (mended === one.fixed.size || mended === other.fixed.size) continue;
      const cost = one.candidate.cost + other.candidate.cost;
      pairs.push({ pair: [one.candidate, other.candidate], mended, cost });
    }
  }
  return pairs.sort((a, b) => b.mended - a.mended || a.cost - b.cost).map(({ pair }) => pair);
}

/** Each of one list with each of another, the first with the first before the last with the last. */
function crossed(ones: readonly Candidate[], others: readonly Candidate[], most: number): [Candidate, Candidate][] {
  const places = new Map(others.map((candidate, at) => [candidate, at]));
  const pairs: { pair: [Candidate, Candidate]; order: number }[] = [];
  for (const [at, one] of ones.entries()) {
    const own = places.get(one) ?? -1;
    for (const [to, other] of others.entries()) {
      if (one === other || (ones === others && to < own)) continue;
      const order = (at + 1) * (to + 1);
      if (order <= most) pairs.push({ pair: [one, other], order });
    }
  }
  return pairs
    .sort((a, b) => a.order - b.order)
    .slice(0, most)
    .map(({ pair }) => pair);
}
