// done: the asset goes into the library, and its chain of issues is closed.

import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tracked } from "../issues.ts";
import type { FabContext, FabState } from "../task.ts";
import { verdictToFields } from "../verdict/gate-verdict.ts";

export async function done({ asset, scene, verdict }: FabState, ctx: FabContext) {
  const { iteration_index } = ctx.input;
  const work = ctx.input.work!;
  const reason = ctx.answer ? "accepted by a person" : verdict!.verdict_reason;
  const path = await ctx.effect("merge", {
    input: { asset: asset!.digest },
    run: async () =>
      mergeIntoLibrary(ctx.project!, work.root, {
        "asset.glb": await ctx.load(asset!),
        ...(scene && { "asset.blend": await ctx.load(scene) }),
        "manifest.json": `${JSON.stringify(
          {
            issue: work.root,
            run_id: ctx.run,
            parent_run_id: work.parent ?? null,
            iteration_index,
            created_at: new Date(ctx.clock.now()).toISOString(),
            accepted_by: ctx.answer ? "person" : "gate",
            prompt: ctx.input.prompt ?? null,
            gate_config_id: ctx.input.gate.gate_config_id,
            scores: verdict!.scores,
            requirements: verdict!.requirements,
            asset: asset!.digest,
          },
          null,
          2,
        )}\n`,
      }),
  });
  await tracked(ctx, "close", async (tracker) => {
    await tracker.update(work.issue, { iteration: { ...verdictToFields(verdict!), lastFailCodes: [] } });
    await tracker.closeChain(work.root, `${reason}; ${path}`);
  });
  return ctx.end("done", { reason: `${reason}; the asset is ${path}` });
}

/** Puts an asset into the project's library, once, and says where it is. */
function mergeIntoLibrary(
  project: string,
  issue: string,
  files: Readonly<Record<string, Uint8Array | string>>,
): string {
  const name = `library/${issue}`;
  const place = join(project, name);
  if (existsSync(place)) return name;
  const draft = join(project, `library/.${issue}.draft`);
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  for (const [file, content] of Object.entries(files)) writeFileSync(join(draft, file), content, { flush: true });
  renameSync(draft, place);
  return name;
}
