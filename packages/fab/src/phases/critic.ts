// critic: everyone whom the gate names looks at the asset: checks first, then models.

import type { Finding } from "@loopwright/core";
import { lookByModel, modelCritics } from "../critics/by-model.ts";
import type { Looked } from "../critics/measured.ts";
import { evidenceOf, measure } from "../evidence/evidence.ts";
import type { CriticName } from "../gate/schema.ts";
import type { JudgeContext, JudgeState } from "../task.ts";
import { isDisputed } from "../verdict/decide.ts";
import { judge, type Looks } from "../verdict/standing.ts";

export async function criticize(state: JudgeState, ctx: JudgeContext) {
  const { gate, prompt } = ctx.input;
  const looks: Partial<Record<CriticName, Looks>> = {};
  for (const [name, measured] of Object.entries(await runChecks(state, ctx))) looks[name as CriticName] = { measured };
  const byModel = modelCritics(gate, prompt !== undefined);
  for (const name of byModel) looks[name] = { ...looks[name], model: await lookByModel(ctx, state, name) };
  const standing = judge({ looks, problems: state.problems as Finding[], hasPrompt: prompt !== undefined }, gate);
  const patch = { looks: looks as JudgeState["looks"] };
  return byModel.length > 0 && isDisputed(standing, gate) ? ctx.to("vote", patch) : ctx.to("verdict", patch);
}

/** What the checks make of it. */
function runChecks(state: JudgeState, ctx: JudgeContext): Promise<Partial<Record<CriticName, Looked>>> {
  const { gate, prompt } = ctx.input;
  return ctx.effect("measure", {
    input: { asset: state.asset!.digest, renders: state.renders.map(({ picture }) => picture.digest) },
    run: async () => {
      const renders = await Promise.all(
        state.renders.map(async ({ view, style, picture }) => ({ view, style, png: await ctx.load(picture) })),
      );
      const given = await evidenceOf(await ctx.load(state.asset!), {
        ...{ gate, prompt, renders },
        noRenders: state.no_renders,
      });
      if ("problem" in given) throw new Error(given.problem.message);
      return measure(given.evidence);
    },
  });
}
