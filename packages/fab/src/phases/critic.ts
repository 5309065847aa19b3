// critic: everyone whom the gate names looks at the asset: checks first, then models, who vote where the score is too near to
// the threshold to decide.

import type { Finding } from "@loopwright/core";
import { lookByModel } from "../critics/by-model.ts";
import { type Looked, measure } from "../critics/measured.ts";
import { readModelOnce } from "../evidence.ts";
import type { CriticName } from "../gate/schema.ts";
import type { FabContext, FabState } from "../task.ts";
import { type Looks, modelCritics } from "../verdict/answers.ts";
import { isDisputed } from "../verdict/decide.ts";
import { judge } from "../verdict/standing.ts";
import { takeVotes } from "../verdict/votes.ts";

export async function criticize(state: FabState, ctx: FabContext) {
  const { gate } = ctx.input;
  const { requirements } = state.asked;
  if (!state.asset) return ctx.to("verdict");
  const looks: Partial<Record<CriticName, Looks>> = {};
  for (const [name, measured] of Object.entries(await runChecks(state, ctx))) looks[name as CriticName] = { measured };
  const byModel = modelCritics(gate, requirements);
  for (const name of byModel) looks[name] = { ...looks[name], model: await lookByModel(ctx, state, name) };
  const standing = judge({ looks, problems: state.problems as Finding[], requirements }, gate);
  const patch = { looks: looks as FabState["looks"] };
  const isVotedOn = byModel.length > 0 && isDisputed(standing, gate);
  return ctx.to("verdict", { ...patch, ...(isVotedOn && { votes: await takeVotes(state, ctx, byModel) }) });
}

/** What the checks make of it. */
function runChecks(state: FabState, ctx: FabContext): Promise<Partial<Record<CriticName, Looked>>> {
  const { gate, prompt } = ctx.input;
  const asset = state.asset!;
  return ctx.effect("measure", {
    input: { asset: asset.digest, renders: state.renders.map(({ picture }) => picture.digest) },
    run: async () => {
      const renders = await Promise.all(
        state.renders.map(async ({ view, style, picture }) => ({ view, style, png: await ctx.load(picture) })),
      );
      const read = await readModelOnce(asset.digest, () => ctx.load(asset));
      if ("problem" in read) throw new Error(read.problem.message);
      const { asked, no_renders: noRenders } = state;
      return measure({ ...read, gate, prompt, requirements: asked.requirements, renders, noRenders });
    },
  });
}
