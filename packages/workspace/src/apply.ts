// How a loop brings its result into the user's files: at its end, once, and never over what they have changed meanwhile
// without a word from them.

import type { Context, WorkcellHandle } from "@loopwright/core";
import type { ProjectCell } from "./cell.ts";
import type { Applied, Step } from "./checkout/checkout.ts";

type Asking = Pick<Context<unknown, unknown>, "ask" | "tell">;

/** Applies what the workcell holds; on a branch, step by step. Where the user has changed the same files, they are asked whose are to stay. */
export async function applyResult(
  ctx: Asking,
  cell: WorkcellHandle<ProjectCell>,
  steps: readonly Step[] = [],
): Promise<Applied> {
  const applied = await cell.effect("apply", { run: (each) => each.apply([], steps) });
  const { conflicts, branch } = applied;
  const isTaken = branch === undefined && conflicts.length > 0 && (await askWhose(ctx, conflicts)) === "take";
  const taken = isTaken
    ? await cell.effect("apply-over", { input: conflicts, run: (each) => each.apply(conflicts) })
    : undefined;
  const result = taken ? both(applied, taken) : applied;
  await ctx.tell("applied", { ...result });
  return result;
}

/** A reason to end with, and what of the result is not in the user's files because they keep their own. */
export function withLeft(reason: string, { conflicts, branch }: Pick<Applied, "conflicts" | "branch">): string {
  if (conflicts.length === 0 || branch !== undefined) return reason;
  return `${reason} in the run's own checkout; not in your files: ${conflicts.join(", ")}, which you keep as you have changed them (loopwright apply RUN --over takes the run's)`;
}

function both(first: Applied, second: Applied): Applied {
  const deleted = [...(first.deleted ?? []), ...(second.deleted ?? [])];
  const written = [...first.written, ...second.written];
  return { ...second, written, ...(deleted.length > 0 && { deleted }) };
}

async function askWhose(ctx: Asking, conflicts: readonly string[]): Promise<"keep" | "take"> {
  const named = conflicts.length > 5 ? `${conflicts.slice(0, 5).join(", ")}, …` : conflicts.join(", ");
  const { choice } = await ctx.ask({
    name: "conflict",
    question: `You have changed ${named} since the run began. Keep yours, or take the run's?`,
    choices: ["keep", "take"],
    default: "keep",
    about: [...conflicts],
  });
  return choice;
}
