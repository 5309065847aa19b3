// All programs one edit away, in the order in which to try them: likely edits at suspicious places first.

import type { Candidate, Program } from "./candidate.ts";
import { combine } from "./combos.ts";
import { operators } from "./edits/index.ts";
import type { Proposal } from "./edits/proposal.ts";
import { Listing } from "./listing.ts";
import { Places } from "./places.ts";

/** So many are singles; what is likely no more comes after the first pairs. */
const MOST_SINGLES = 1_200;
/** So many are ever listed. */
const MOST = 6_000;

/** The single-edit candidates, likeliest first; no two of them are the same program, and none is the original. */
export async function listSingles(program: Program): Promise<Candidate[]> {
  const places = await Places.open(program);
  return listAll(places, new Listing(places), MOST_SINGLES);
}

/** Singles that a listing does not have yet, up to a number, in their order. */
export function listAll(places: Places, listing: Listing, most = MOST): Candidate[] {
  const found: { proposal: Proposal; path: string; order: number }[] = [];
  for (const scene of places.scenes) {
    const proposals: Proposal[] = [];
    for (const node of places.nodesOf(scene))
      for (const operator of operators) proposals.push(...operator(node, scene));
    proposals.push(...combine(proposals));
    for (const proposal of proposals) {
      found.push({ proposal, path: scene.source.path, order: proposal.cost + places.doubtOf(proposal.at, scene) });
    }
  }
  found.sort((a, b) => a.order - b.order);
  const before = listing.candidates.length;
  for (const { proposal, path } of found) {
    if (listing.candidates.length >= before + most) break;
    listing.add(proposal, path);
  }
  return listing.candidates.slice(before);
}
