// init: the run is hung on its issue, and says where it stands in its chain.

import { tracked } from "../issues.ts";
import type { FabContext, FabState } from "../task.ts";

export async function init(_state: FabState, ctx: FabContext) {
  const { work, iteration_index } = ctx.input;
  const started_at = ctx.clock.now();
  if (!work) return ctx.to("generate", { started_at });
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
  return ctx.to("generate", { started_at });
}
