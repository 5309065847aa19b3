// init: the run is hung on its issue, and says where it stands in its chain; what was asked for is read.

import { tracked } from "../issues.ts";
import { type Reading, readByModel, readByWords } from "../requirements.ts";
import type { FabContext, FabState } from "../task.ts";
import { modelCritics } from "../verdict/answers.ts";

export async function init(_state: FabState, ctx: FabContext) {
  const { work, iteration_index } = ctx.input;
  const started_at = ctx.clock.now();
  if (!work) return ctx.to("generate", { started_at, asked: await readAsked(ctx) });
  await tracked(ctx, "take-up", async (tracker) => {
    await tracker.claim(work.issue);
    const { runs } = await tracker.attach(work.issue, ctx.run);
    await tracker.update(work.issue, { status: "in_progress", iteration: { attempts: runs.length } });
  });
  const manifest = {
    run_id: ctx.run,
    parent_run_id: work.parent ?? null,
    iteration_index,
    created_at: new Date(started_at).toISOString(),
    issue: work.issue,
    root_issue: work.root,
    kind: work.kind,
    prompt: ctx.input.prompt ?? null,
    gate_config_id: ctx.input.gate.gate_config_id,
    builder: work.builder,
  };
  await ctx.save("manifest.json", `${JSON.stringify(manifest, null, 2)}\n`, "run");
  return ctx.to("generate", { started_at, asked: await readAsked(ctx) });
}

/** What was asked for: read by the critic's model where one compares with it, else by the gate's words. */
async function readAsked(ctx: FabContext): Promise<Reading> {
  const { prompt, work, gate, asked } = ctx.input;
  if (asked || prompt === undefined) return asked ?? { requirements: [], nothing: [] };
  const said = { prompt, kind: work?.kind };
  const isByModel = modelCritics(gate, [{ words: prompt }]).includes("alignment");
  return isByModel ? readByModel(ctx, said) : readByWords(said, gate);
}
