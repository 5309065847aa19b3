// The ceilings that were given to `loopwright novel` hold for its session: each run gets what is left of them.

import { type Ceilings, LoopwrightError, type RunRecord } from "@loopwright/core";
import { showCount, showDollars } from "@loopwright/terminal";
import type { Session } from "./session.ts";

const names = ["iterations", "minutes", "tokens", "usd"] as const;
type Name = (typeof names)[number];
type Spent = Pick<RunRecord, "iterations" | "active" | "usage">;

/** The ceilings of the next run: what is left of the session's, on top of what the run took before. */
export function ceilingsLeft({ context, spent }: Session, before?: Spent): Partial<Ceilings> {
  const taken = figuresOf(before);
  const left = names.flatMap((name): [Name, number][] => {
    const given = context.number(`max-${name}`);
    if (given === undefined) return [];
    const rest = given - (spent[name] ?? 0);
    if (rest > 0) return [[name, rest + taken[name]]];
    throw new LoopwrightError(
      "SESSION_CEILING",
      `This session has used up its --max-${name} of ${figure(name, given)}. Leave it with /quit, and start it again with more`,
    );
  });
  return Object.fromEntries(left);
}

/** Counts what a run took in this session. */
export function countSpent({ spent }: Session, after: Spent, before?: Spent): void {
  const [now, then] = [figuresOf(after), figuresOf(before)];
  for (const name of names) spent[name] = (spent[name] ?? 0) + now[name] - then[name];
}

function figuresOf(run?: Spent): Record<Name, number> {
  if (!run) return { iterations: 0, minutes: 0, tokens: 0, usd: 0 };
  return { iterations: run.iterations, minutes: run.active / 60_000, ...run.usage };
}

function figure(name: Name, value: number): string {
  if (name === "usd") return showDollars(value);
  return name === "tokens" ? showCount(value, "token") : String(value);
}
