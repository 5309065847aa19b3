// Votes: each model critic votes three times, and another model breaks a split.

import { castVote } from "../critics/by-model.ts";
import type { CriticName } from "../gate/schema.ts";
import type { FabContext, FabState } from "../task.ts";
import type { Vote, VotePack } from "../verdict/gate-verdict.ts";
import { countVotes, toPack, VOTES } from "../verdict/votes.ts";

export async function takeVotes(state: FabState, ctx: FabContext, names: readonly CriticName[]): Promise<VotePack> {
  const cast: Partial<Record<CriticName, Vote[]>> = {};
  for (const name of names) {
    const votes: Vote[] = [];
    for (let at = 1; at <= VOTES; at += 1)
      votes.push(await castVote(ctx, state, { name, key: `vote-${name}-${at}`, by: "critic" }));
    if (countVotes(votes) === "undecided")
      votes.push(await castVote(ctx, state, { name, key: `tiebreak-${name}`, by: "tiebreaker" }));
    cast[name] = votes;
  }
  return toPack(cast as Record<string, Vote[]>);
}
