// generate: the builder makes a scene, from the prompt, or from the last asset and what is wrong with it.

import { buildByModel } from "../builders/by-model.ts";
import { buildScene } from "../builders/scene.ts";
import { searchProgram } from "../builders/search.ts";
import type { FabContext, FabInput, FabState, Work } from "../task.ts";

export async function generate(_state: FabState, ctx: FabContext) {
  const { file, work } = ctx.input;
  if (file !== undefined || !work) return ctx.to("export", { plan: "The asset is given." });
  if (work.builder === "search") return ctx.to("export", await bySearch(ctx, { ...ctx.input, work }));
  const built = await buildByModel(ctx, { ...ctx.input, work });
  if ("failure" in built) return ctx.end("failed", { reason: built.failure });
  const { plan, code, scene } = built;
  return ctx.to("export", { plan, scene, code: await ctx.save("asset/build.py", code, "run") });
}

async function bySearch(ctx: FabContext, input: FabInput & { work: Work }) {
  const seed = Math.floor(ctx.random("template")() * 1e6) + input.iteration_index;
  const { plan, code, usesLast } = searchProgram(input, seed);
  const last = usesLast ? input.work.last!.asset : undefined;
  const scene = await ctx.effect("build", {
    input: { code, last: last?.digest },
    run: async ({ save, signal }) => {
      const asset = last && (await ctx.load(last));
      await save("asset/build.py", code, "run");
      return save("asset/asset.blend", await buildScene(code, { ...(asset && { last: asset }), signal }), "run");
    },
  });
  return { plan, scene };
}
