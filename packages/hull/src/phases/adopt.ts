// adopt: a person has edited the scene. It is opened in the workcell, where its scripts do not run, and goes to the evaluator like
// whatever a builder makes. A model then goes on from it; a search goes on from the hull that it knows.

import { ExecutionError, UsageError } from "@loopwright/core";
import type { Execution, HullContext, HullState, HullTask } from "../task/task.ts";
import { type ModelingCell, runAndRecord, type Scene } from "../workcell/cells.ts";
import { codeFile } from "../workcell/code.ts";

/** Throws where a run can do nothing with a file. */
export async function checkBlend(bytes: Uint8Array, { workcell }: HullTask): Promise<void> {
  if (workcell === "loft")
    throw new UsageError("NO_SCENES", "the run is not in Blender: start one with --workcell blender");
  const { isBlend } = await import("@loopwright/blender");
  if (!isBlend(bytes)) throw new UsageError("NOT_A_BLEND", "it is no .blend: save the scene from Blender");
}

const PLAN = "A person has edited the scene by hand.\n";

/** Takes the scene in. */
export async function adopt(state: HullState, ctx: HullContext) {
  const { builder } = ctx.input;
  const tried = await open(ctx, state);
  const isFailure = tried instanceof ExecutionError;
  const execution: Execution = {
    status: isFailure ? "failed" : "succeeded",
    result: null,
    ...(isFailure && { failure: { class: "E1" as const, message: tried.message } }),
    retry_count: 0,
    errors: isFailure ? [tried.message.split("\n", 1)[0]!] : [],
  };
  await ctx.save("plan.txt", PLAN);
  await ctx.save(codeFile(ctx.input), "# by hand: see by-hand.blend\n");
  await ctx.save("execution.json", `${JSON.stringify(execution, null, 2)}\n`);
  const done = { last_plan: PLAN, last_code: "", last_execution_result: execution, retry_count: 0 };
  if (isFailure) return ctx.to("evaluate", { ...done, by_hand: {} });
  const { result: _, workcell_snapshot: snapshot, ...scene } = tried;
  const goesOn =
    builder === "search"
      ? { standing_score: state.standing_score ?? state.current_score }
      : { workcell_snapshot: snapshot, standing_code: "" };
  return ctx.to("evaluate", { ...done, ...scene, ...goesOn, by_hand: { snapshot }, consecutive_failures: 0 });
}

/** The scene as it is recorded, or why it cannot be opened. */
async function open(ctx: HullContext, state: HullState): Promise<Scene | ExecutionError> {
  const bytes = await ctx.load(ctx.given!);
  try {
    return await ctx.workcell<ModelingCell>(ctx.input.workcell, state.workcell_snapshot).effect("adopt", {
      input: { digest: ctx.given!.digest },
      run: async (cell, effect) => {
        await cell.open!(bytes);
        return runAndRecord(cell, effect, "", ctx.input);
      },
    });
  } catch (error) {
    if (error instanceof ExecutionError) return error;
    throw error;
  }
}
