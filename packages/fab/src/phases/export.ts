// export: the scene becomes a binary glTF, which is put on record and measured. A file that is given is read as it is.

import { basename } from "node:path";
import { type Finding, sha256 } from "@loopwright/core";
import { exportScene } from "../builders/scene.ts";
import { assetFigures, gateFigures, readAsset, readModelOnce } from "../evidence.ts";
import type { FabContext, FabState } from "../task.ts";

export async function exportAsset({ scene }: FabState, ctx: FabContext) {
  const { file, gate } = ctx.input;
  const read = await ctx.effect("read", {
    input: { file, scene: scene?.digest },
    run: async ({ save }) => {
      const given = scene ? { bytes: await exportScene(await ctx.load(scene)) } : await readAsset(file!);
      if ("problem" in given) return { problem: given.problem, digest: "" };
      const digest = sha256(given.bytes);
      const measured = await readModelOnce(digest, async () => given.bytes);
      if ("problem" in measured) return { problem: measured.problem, digest };
      const asset = await save(`asset/${basename(file ?? "asset.glb")}`, given.bytes, "run");
      return { asset, digest, front: measured.front, figures: assetFigures(measured.report, gate) };
    },
  });
  const name = ctx.input.work?.root ?? basename(file!).replace(/\.[^.]*$/, "");
  const asset_id = read.digest === "" ? name : `${name}-${read.digest.slice(0, 12)}`;
  const figures = { ...gateFigures(gate), ...read.figures };
  if (!read.asset) return ctx.to("render", { asset_id, figures, problems: [read.problem as Finding] });
  return ctx.to("render", { asset_id, figures, asset: read.asset, front: read.front });
}
