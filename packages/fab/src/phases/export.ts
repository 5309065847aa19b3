// export: the scene becomes a binary glTF, in a Blender that has run no code of anybody's, which is put on record and measured. A
// file that is given is read as it is; where the builder made nothing, the last asset stands.

import { basename } from "node:path";
import type { McpBlender } from "@loopwright/blender";
import { type EffectContext, ExecutionError, type Finding, sha256 } from "@loopwright/core";
import { assetFigures, gateFigures, readAsset, readModelOnce } from "../evidence.ts";
import { found } from "../playbook.ts";
import type { FabContext, FabState, Saved } from "../task.ts";

interface Read {
  digest: string;
  problem?: Finding;
  asset?: Saved;
  front?: number;
  figures?: FabState["figures"];
}

export async function exportAsset(state: FabState, ctx: FabContext) {
  const { file, work, gate } = ctx.input;
  const { problem, digest, front, figures: measured, asset } = await readAny(state, ctx);
  const name = work?.root ?? basename(file!).replace(/\.[^.]*$/, "");
  const asset_id = digest === "" ? name : `${name}-${digest.slice(0, 12)}`;
  const figures = { ...gateFigures(gate), ...measured };
  const problems = [...(state.problems as Finding[]), ...(problem ? [problem] : [])];
  return ctx.to("render", { asset_id, figures, problems, ...(asset && { asset, front: front! }) });
}

async function readAny({ scene }: FabState, ctx: FabContext): Promise<Read> {
  const { file, work } = ctx.input;
  const last = work?.last?.asset;
  if (scene)
    return ctx.workcell<McpBlender>("blender", scene.snapshot).effect("read", {
      input: { scene: scene.digest },
      run: async (blender, effect) => {
        await blender.restore(scene.snapshot);
        try {
          return await read(ctx, effect, await blender.exportGlb());
        } catch (error) {
          if (!(error instanceof ExecutionError)) throw error;
          return { digest: "", problem: found("BUILD_NO_ASSET", `its scene cannot be exported: ${error.message}`) };
        }
      },
    });
  if (file === undefined && !last) return { digest: "" };
  return ctx.effect("read", {
    input: { file, last: last?.digest },
    run: async (effect) => {
      const given = file === undefined ? { bytes: await ctx.load(last!) } : await readAsset(file);
      return "problem" in given ? { digest: "", ...given } : read(ctx, effect, given.bytes);
    },
  });
}

/** Measures an asset, and saves it where it is one. */
async function read({ input: { file, gate } }: FabContext, { save }: EffectContext, bytes: Uint8Array): Promise<Read> {
  const digest = sha256(bytes);
  const measured = await readModelOnce(digest, async () => bytes);
  if ("problem" in measured) return { digest, problem: measured.problem };
  const asset = await save(`asset/${basename(file ?? "asset.glb")}`, bytes, "run");
  return { digest, asset, front: measured.front, figures: assetFigures(measured.report, gate) };
}
