// What comes after the first singles: the other singles, those at places where an edit has helped before the rest, and
// pairs: of edits that fix different tests first, then of one that fixes some with any other.

import type { Candidate, Program } from "./candidate.ts";
import { Listing } from "./listing.ts";
import { Places } from "./places.ts";
import { listInOrder, type Ordered } from "./singles.ts";

/** A single that made failing tests pass and broke none. */
export interface Improvement {
  /** Its place among the singles. */
  index: number;
  fixed: readonly string[];
}

const MOST_OF_TWO_IMPROVING = 1_000;
const MOST_OF_ONE_IMPROVING = 4_000;
const MOST_LIKELY = 3_000;
/** How much less likely a pair is than its second edit alone: with a first edit that helps, and with any first edit. */
const AFTER_HELP = 0.7;
const AFTER_NONE = 5;
/** Two edits of which not both help are not tried where they cost more: what passes by them passes by chance. */
const DEAREST = 10;

/** What is tried after the singles, likeliest first; all are new programs, among one another and among the singles. */
export async function listPairs(
  program: Program,
  singles: readonly Candidate[],
  improved: readonly Improvement[],
): Promise<Candidate[]> {
  const places = await Places.open(program);
  const listing = new Listing(places);
  // The same list as before: the singles, with how likely each is.
  const first = listInOrder(places, listing, singles.length);
  const best = bestOf(improved, first);
  places.favor(improved.flatMap(({ index }) => first[index]?.candidate.edits ?? []));
  const rest = listInOrder(places, listing);
  const all = [...first, ...rest].sort((a, b) => a.order - b.order);

  const both = complementary(best).slice(0, MOST_OF_TWO_IMPROVING);
  const helped = best.slice(0, 16).map(({ one }, rank) => ({ ...one, order: AFTER_HELP + 0.4 * rank }));
  const one = crossed(helped, all.slice(0, 2_500), MOST_OF_ONE_IMPROVING);
  const likely = all.slice(0, 250);
  const none = crossed(likely, likely, MOST_LIKELY).map((pair) => ({ ...pair, order: pair.order + AFTER_NONE }));

  const made = [...addPairs(listing, both)];
  const later = [...rest, ...addPairs(listing, one), ...addPairs(listing, none)];
  return [...made, ...later.sort((a, b) => a.order - b.order)].map(({ candidate }) => candidate);
}

interface Pair {
  one: Candidate;
  other: Candidate;
  order: number;
}

function* addPairs(listing: Listing, pairs: readonly Pair[]): Generator<Ordered> {
  for (const { one, other, order } of pairs) {
    const candidate = listing.addPair(one, other);
    if (candidate) yield { candidate, order };
  }
}

interface Improving {
  one: Ordered;
  fixed: ReadonlySet<string>;
}

/** The cheapest few for each set of tests that singles fix, those that fix most first. */
function bestOf(improved: readonly Improvement[], singles: readonly Ordered[]): Improving[] {
  const bySet = new Map<string, Improving[]>();
  for (const { index, fixed } of improved) {
    const one = singles[index];
    if (!one) continue;
    const key = fixed.toSorted().join("\n");
    const alike = bySet.get(key) ?? [];
    bySet.set(key, alike);
    alike.push({ one, fixed: new Set(fixed) });
  }
  const few = [...bySet.values()].flatMap((alike) => alike.sort(byCost).slice(0, 10));
  return few.sort((a, b) => b.fixed.size - a.fixed.size || byCost(a, b)).slice(0, 60);
}

function byCost(a: Improving, b: Improving): number {
  return a.one.candidate.cost - b.one.candidate.cost;
}

/** Pairs of which each fixes what the other does not, those that fix most together first. */
function complementary(best: readonly Improving[]): Pair[] {
  const pairs: (Pair & { fixed: number })[] = [];
  for (const [at, one] of best.entries()) {
    for (const other of best.slice(at + 1)) {
      const fixed = new Set([...one.fixed, ...other.fixed]).size;
      if (fixed === one.fixed.size || fixed === other.fixed.size) continue;
      const order = one.one.candidate.cost + other.one.candidate.cost;
      pairs.push({ one: one.one.candidate, other: other.one.candidate, fixed, order });
    }
  }
  return pairs.sort((a, b) => b.fixed - a.fixed || a.order - b.order);
}

/** Each of one list with each of another, the likeliest together first. */
function crossed(ones: readonly Ordered[], others: readonly Ordered[], most: number): Pair[] {
  const pairs: Pair[] = [];
  for (const [at, one] of ones.entries()) {
    for (const [to, other] of others.entries()) {
      if (one.candidate === other.candidate || (ones === others && to < at)) continue;
      if (one.candidate.cost + other.candidate.cost > DEAREST) continue;
      pairs.push({ one: one.candidate, other: other.candidate, order: one.order + other.order });
    }
  }
  return pairs.sort((a, b) => a.order - b.order).slice(0, most);
}
