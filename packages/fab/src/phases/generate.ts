// generate: the builder makes a scene, from the prompt, or from the last asset and what is wrong with it. Code that raises goes back
// to a model, and runs from the same scene again; where no try comes to anything, what there was before is judged.

import type { McpBlender } from "@loopwright/blender";
import { type FastRetryResult, fastRetry } from "@loopwright/core";
import { planAndCode, retryWithModel } from "@loopwright/models";
import { builderQuestion } from "../builders/by-model.ts";
import { type Program, searchProgram } from "../builders/search.ts";
import { found } from "../playbook.ts";
import type { FabContext, FabInput, FabState, Saved, Work } from "../task.ts";

export async function generate(_state: FabState, ctx: FabContext) {
  const { file, work } = ctx.input;
  if (file !== undefined || !work) return ctx.to("export", { plan: "The asset is given." });
  const { work: program, result: scene, failure } = await tryBuilder(ctx, { ...ctx.input, work });
  const { plan, code } = program ?? { plan: "No answer had a usable form.", code: "" };
  const saved = await ctx.save("asset/build.py", code, "run");
  if (scene) return ctx.to("export", { plan, code: saved, scene });
  // A person who has seen the last asset wanted another one.
  const isKept = work.last !== undefined && work.note === undefined;
  const problem = found(
    isKept ? "BUILD_FAILED" : "BUILD_NO_ASSET",
    `${failure!.class}: ${failure!.message.replace(/\.$/, "")}`,
  );
  return ctx.to("export", { plan, problems: [problem], ...(work.last?.code && { code: work.last.code }) });
}

type Proposal = Pick<Program, "plan" | "code"> & { usesLast?: boolean };
type Scene = NonNullable<FabState["scene"]>;

/** The search's code is ours and is run once; a model is told what was wrong with its own. */
async function tryBuilder(
  ctx: FabContext,
  input: FabInput & { work: Work },
): Promise<FastRetryResult<Proposal, Scene>> {
  const execute = executor(input.work.last?.asset);
  if (input.work.builder === "model")
    return retryWithModel<FabInput, FabState, Proposal, Scene>(ctx, {
      ...(await builderQuestion(ctx, input)),
      read: (text) => planAndCode(text, { languages: ["python", "py", "bpy"] }),
      execute,
    });
  const seed = Math.floor(ctx.random("template")() * 1e6) + input.iteration_index;
  const propose = async () => searchProgram(input, seed);
  return fastRetry<FabInput, FabState, Proposal, Scene>(ctx, { propose, execute, maxRetries: 0 });
}

/** Runs code in Blender: every try begins with the scene that the first began with, the last asset in it or nothing. */
function executor(last: Saved | undefined) {
  let start: string | undefined;
  return async (ctx: FabContext, { code, usesLast = true }: Proposal): Promise<Scene> => {
    const asset = usesLast ? last : undefined;
    start ??= await ctx.workcell<McpBlender>("blender").effect("begin", {
      input: { last: asset?.digest },
      run: async (blender) => {
        if (asset) await blender.importGlb(await ctx.load(asset));
        return blender.snapshot();
      },
    });
    return ctx.workcell<McpBlender>("blender", start).effect("build", {
      input: { code },
      run: async (blender, { save }) => {
        await blender.execute(code);
        const blend = await save("asset/asset.blend", await blender.exportBlend(), "run");
        return { ...blend, snapshot: await blender.snapshot() };
      },
    });
  };
}
