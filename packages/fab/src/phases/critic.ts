// critic: everyone whom the gate names looks at the asset.

import type { Evidence } from "../critics/critic.ts";
import { type Looked, lookMeasured } from "../critics/measured.ts";
import { readModel } from "../evidence/read.ts";
import { type CriticName, criticNames } from "../gate/schema.ts";
import type { JudgeContext, JudgeState } from "../task.ts";

export async function criticize(state: JudgeState, ctx: JudgeContext) {
  const measured = await measure(state, ctx);
  const looks = Object.fromEntries(Object.entries(measured).map(([name, look]) => [name, { measured: look }]));
  return ctx.to("verdict", { looks });
}

/** What the checks make of it, none of which asks a model. */
function measure(state: JudgeState, ctx: JudgeContext): Promise<Partial<Record<CriticName, Looked>>> {
  const { gate, prompt } = ctx.input;
  const names = criticNames.filter((name) => gate.critics[name] && gate.critics[name].by !== "model");
  return ctx.effect("measure", {
    input: { asset: state.asset!.digest, renders: state.renders.map(({ picture }) => picture.digest), names },
    run: async () => {
      const read = await readModel(await ctx.load(state.asset!));
      if ("problem" in read) throw new Error(read.problem.message);
      const renders = await Promise.all(
        state.renders.map(async ({ view, style, picture }) => ({ view, style, png: await ctx.load(picture) })),
      );
      const evidence: Evidence = { ...read, gate, prompt, renders };
      const looked: Partial<Record<CriticName, Looked>> = {};
      for (const name of names) looked[name] = await lookMeasured(name, evidence);
      return looked;
    },
  });
}
