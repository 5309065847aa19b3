// All programs one edit away, in the order in which to try them: likely edits at suspicious places first.

import type { Candidate, Program } from "./candidate.ts";
import { operators } from "./edits/index.ts";
import type { Proposal } from "./edits/proposal.ts";
import { Listing } from "./listing.ts";
import { Places } from "./places.ts";

/** The most candidates that are listed. */
const MOST = 10_000;

/** Every single-edit candidate, likeliest first; no two of them are the same program, and none is the original. */
export async function listSingles(program: Program): Promise<Candidate[]> {
  const places = await Places.open(program);
  const found: { proposal: Proposal; path: string; order: number }[] = [];
  for (const { node, scene, doubt } of places.all()) {
    for (const operator of operators) {
      for (const proposal of operator(node, scene)) {
        found.push({ proposal, path: scene.source.path, order: proposal.cost + doubt });
      }
    }
  }
  found.sort((a, b) => a.order - b.order);
  const listing = new Listing(places);
  for (const { proposal, path } of found) {
    if (listing.candidates.length >= MOST) break;
    listing.add(proposal, path);
  }
  return listing.candidates;
}
