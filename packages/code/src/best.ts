// The best state so far, and the states that were the best in their turn: each of these is a commit where the result becomes a branch.
// Pure.

import { plainLine } from "@loopwright/terminal";
import type { Accepted, BestState, CodeState } from "./task.ts";

/** The better of what was best and what is there now. */
export function betterOf(best: BestState | undefined, now: BestState): BestState {
  return best && best.score > now.score ? best : now;
}

/** Whether the best state is another one than that which stands, so that it is worth restoring. */
export function isWorthRestoring(best: BestState | undefined, snapshot: string | undefined): best is BestState {
  return best !== undefined && best.snapshot !== snapshot;
}

const SUBJECT = 72;
const MOST_REASON = 500;

/** The accepted states after an iteration whose state is the best now, and said so by its verdict. */
export function addAccepted(
  { accepted = [], last_approach, plan_generation }: Pick<CodeState, "accepted" | "last_approach" | "plan_generation">,
  { iteration, snapshot }: Pick<BestState, "iteration" | "snapshot">,
  reason: string,
): Accepted[] {
  const subject = `iteration ${iteration}: ${plainLine(last_approach).trim() || "no approach was named"}`;
  const short = subject.length > SUBJECT ? `${subject.slice(0, SUBJECT - 1).trimEnd()}…` : subject;
  const message = `${short}\n\nPlan ${plan_generation}. ${plainLine(reason).trim().slice(0, MOST_REASON)}.`;
  return [...accepted, { iteration, snapshot, message }];
}
