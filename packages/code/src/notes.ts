// What the loop notes beside its verdicts, for whoever watches: each is an event of its own.

import type { CodeContext } from "./task.ts";
import type { Refusal } from "./workspace.ts";

/** Rings the terminal's bell so many times, and says why. */
export function ring(ctx: CodeContext, times: 1 | 3, why: string): Promise<void> {
  return ctx.tell("bell", { times, why });
}

/** Says that the consultant takes over, and what for. */
export function noteConsultant(ctx: CodeContext, role: string, why: string): Promise<void> {
  return role === "consultant" ? ctx.tell("consultant-asked", { why }) : Promise.resolve();
}

/** Says that other tests stand now, how many, and whose they are. */
export function noteReplaced(ctx: CodeContext, now: { original_test_count: number }, by: string): Promise<void> {
  return ctx.tell("tests-replaced", { iteration: ctx.iteration, tests: now.original_test_count, by });
}

const MOST_REFUSALS = 5;

/** Says what of an answer was refused, and rings. */
export async function noteRefusals(ctx: CodeContext, refusals: readonly Refusal[]): Promise<void> {
  for (const { what, name, why } of refusals.slice(0, MOST_REFUSALS))
    await ctx.tell("refused", { what, name: firstLine(name), why: firstLine(why) });
  const more = refusals.length - MOST_REFUSALS;
  if (more > 0) await warn(ctx, "REFUSED", `and ${more} more were refused`);
  if (refusals.length > 0)
    await ring(ctx, 1, refusals[0]!.what === "edit" ? "an edit was refused" : `a ${refusals[0]!.what} was refused`);
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0]!.replace(/:$/, "").slice(0, 300);
}

/** Says something that a person may want to know and that changes nothing. */
export function warn(ctx: CodeContext, code: string, message: string): Promise<void> {
  return ctx.tell("warning", { code, message });
}
