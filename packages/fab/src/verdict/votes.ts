// Votes: each model critic votes three times, and another model breaks a split.

import { castVote } from "../critics/by-model.ts";
import type { CriticName } from "../gate/schema.ts";
import type { FabContext, FabState } from "../task.ts";
import type { Voted } from "./decide.ts";
import type { Vote, VotePack } from "./gate-verdict.ts";

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

/** Votes of a pack on each disputed critic. */
const VOTES = 3;

/** What the votes of one critic come to: more than half of the pack decide, either way; else the tiebreaker; else nobody. */
export function countVotes(cast: readonly Vote[]): Voted {
  const pack = cast.filter(({ by }) => by === "critic");
  for (const side of ["pass", "fail"] as const)
    if (pack.filter(({ vote }) => vote === side).length > VOTES / 2) return side;
  const last = cast.find(({ by }) => by === "tiebreaker")?.vote;
  return last === "pass" || last === "fail" ? last : "undecided";
}

/** What a pack comes to: any fail is a fail, then any undecided is undecided, else it passes. No critic at all decides nothing. */
export function toPack(cast: Readonly<Record<string, readonly Vote[]>>): VotePack {
  const critics = Object.fromEntries(
    Object.entries(cast).map(([name, votes]) => [name, { result: countVotes(votes), votes: [...votes] }]),
  );
  const results = Object.values(critics).map(({ result }) => result);
  const result = results.includes("fail")
    ? "fail"
    : results.includes("undecided") || results.length === 0
      ? "undecided"
      : "pass";
  return { result, critics };
}
