// critic: everyone whom the gate names looks at the asset.

import type { Looked } from "../critics/measured.ts";
import { evidenceOf, measure } from "../evidence/evidence.ts";
import type { CriticName } from "../gate/schema.ts";
import type { JudgeContext, JudgeState } from "../task.ts";

export async function criticize(state: JudgeState, ctx: JudgeContext) {
  const measured = await runChecks(state, ctx);
  const looks = Object.fromEntries(Object.entries(measured).map(([name, look]) => [name, { measured: look }]));
  return ctx.to("verdict", { looks });
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
      const given = await evidenceOf(await ctx.load(state.asset!), { gate, prompt, renders });
      if ("problem" in given) throw new Error(given.problem.message);
      return measure(given.evidence);
    },
  });
}
