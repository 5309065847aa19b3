// What the loop notes beside its verdicts, for whoever watches: each is an event of its own.

import type { CodeContext } from "./task.ts";

/** Rings the terminal's bell so many times, and says why. */
export function ring(ctx: CodeContext, times: 1 | 3, why: string): Promise<void> {
  return ctx.tell("bell", { times, why });
}

/** Says that an iteration begins, and under which plan. */
export function noteIteration(ctx: CodeContext, plan_generation: number): Promise<void> {
  return ctx.tell("iteration-began", { iteration: ctx.iteration, plan_generation });
}

/** Says something that a person may want to know and that changes nothing. */
export function warn(ctx: CodeContext, code: string, message: string): Promise<void> {
  return ctx.tell("warning", { code, message });
}
