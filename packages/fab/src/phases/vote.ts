// vote: the score is too near to the threshold to decide, so each model critic votes three times, and another model breaks a split.

import { castVote, modelCritics } from "../critics/by-model.ts";
import type { CriticName } from "../gate/schema.ts";
import type { JudgeContext, JudgeState } from "../task.ts";
import type { Vote } from "../verdict/gate-verdict.ts";
import { countVotes, toPack, VOTES } from "../verdict/votes.ts";

export async function vote(state: JudgeState, ctx: JudgeContext) {
  const { gate, prompt } = ctx.input;
  const cast: Partial<Record<CriticName, Vote[]>> = {};
  for (const name of modelCritics(gate, prompt !== undefined)) {
    const votes: Vote[] = [];
    for (let at = 1; at <= VOTES; at += 1)
      votes.push(await castVote(ctx, state, { name, key: `vote-${name}-${at}`, by: "critic" }));
    if (countVotes(votes) === "undecided")
      votes.push(await castVote(ctx, state, { name, key: `tiebreak-${name}`, by: "tiebreaker" }));
    cast[name] = votes;
  }
  return ctx.to("verdict", { votes: toPack(cast as Record<string, Vote[]>) });
}
