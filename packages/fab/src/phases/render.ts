// render: pictures of the asset, by our own rasterizer for whoever judges, and by a clean Blender for people and for realism.

import type { Artifact } from "@loopwright/core";
import { readModelOnce } from "../evidence.ts";
import { profilesByName, rasterViews, renderByBlender, viewsFrom } from "../renders.ts";
import type { FabContext, FabState } from "../task.ts";

export async function renderAsset(state: FabState, ctx: FabContext) {
  const { asset } = state;
  const { profile: name, gate } = ctx.input;
  if (!asset) return ctx.to("critic");
  const views = await ctx.effect("views", {
    input: { asset: asset.digest },
    run: async ({ save }) => {
      const { model, placed } = await read(ctx, asset);
      const made: FabState["views"] = [];
      for (const { view, style, png } of rasterViews(model, placed))
        made.push({ view, style, picture: await save(`views/${style}_${view}.png`, png, "run") });
      return made;
    },
  });
  // Realism is measured by Blender's pictures, and by nobody else's.
  if (!gate.critics.realism || gate.critics.realism.by === "model") return ctx.to("critic", { views });
  const profile = profilesByName[name];
  const { renders, problem, missing } = await ctx.effect("renders", {
    input: { asset: asset.digest, profile },
    run: async ({ save, signal }) => {
      const made = new Map<string, FabState["renders"][number]>();
      const { placed } = await read(ctx, asset);
      const rendered = await renderByBlender(await ctx.load(asset), {
        views: viewsFrom(placed, profile.frames),
        profile,
        signal,
        onPicture: async ({ view, style }, png) => {
          const file = `${style}_${view}.png`;
          made.set(file, { view, style, picture: await save(`render/${file}`, png, "run") });
        },
      });
      return { renders: [...made.values()], problem: undefined, missing: undefined, ...rendered };
    },
  });
  const why = problem?.message ?? missing;
  if (why === undefined) return ctx.to("critic", { views, renders });
  const problems = [...state.problems, ...(problem ? [problem] : [])];
  return ctx.to("critic", { views, problems, no_renders: why });
}

async function read(ctx: FabContext, asset: Artifact) {
  const given = await readModelOnce(asset.digest, () => ctx.load(asset));
  if ("problem" in given) throw new Error(given.problem.message);
  const { model, report, front } = given;
  return { model, placed: { front, min: report.min, max: report.max } };
}
