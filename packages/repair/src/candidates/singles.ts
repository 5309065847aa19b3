// All programs one edit away, in the order in which to try them: likely edits at suspicious places first.

import type { Candidate, Program } from "./candidate.ts";
import { combine } from "./combos.ts";
import { operators } from "./edits/index.ts";
import type { Proposal } from "./edits/proposal.ts";
import { biasOf } from "./likelihood.ts";
import { Listing } from "./listing.ts";
import { Naturalness } from "./naturalness.ts";
import { Places } from "./places.ts";

/** So many are tried before what they taught is put to use. */
const FIRST = 500;
/** No edit costs less, in bits. */
const LEAST = 0.5;
/** So many are ever listed. */
const MOST = 6_000;

/** The likeliest single-edit candidates in order; no two of them are the same program, and none is the original. */
export async function listSingles(program: Program): Promise<Candidate[]> {
  const places = await Places.open(program);
  return listInOrder(places, new Listing(places), FIRST).map(({ candidate }) => candidate);
}

/** A candidate, and the sum of how far-fetched it is and how doubtful its place, in bits. */
export interface Ordered {
  candidate: Candidate;
  order: number;
}

/** Singles that a listing does not have yet, up to a number, the likeliest first. */
export function listInOrder(places: Places, listing: Listing, most = MOST): Ordered[] {
  const found: { proposal: Proposal; path: string; order: number }[] = [];
  for (const scene of places.scenes) {
    const proposals: Proposal[] = [];
    for (const node of places.nodesOf(scene))
      for (const operator of operators) proposals.push(...operator(node, scene));
    proposals.push(...combine(proposals));
    const naturalness = new Naturalness(scene);
    for (const rough of proposals) {
      const cost = rough.cost + biasOf(rough.kind) - naturalness.gain(rough.edits);
      const proposal = { ...rough, cost: Math.max(LEAST, cost) };
      found.push({ proposal, path: scene.source.path, order: proposal.cost + places.doubtOf(proposal.at, scene) });
    }
  }
  found.sort((a, b) => a.order - b.order);
  const listed: Ordered[] = [];
  for (const { proposal, path, order } of found) {
    if (listed.length >= most) break;
    const candidate = listing.add(proposal, path);
    if (candidate) listed.push({ candidate, order });
  }
  return listed;
}
