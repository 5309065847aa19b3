// import: the asset's file is read, put on record and measured. What cannot be read has its verdict already.

import { basename } from "node:path";
import { type Finding, sha256 } from "@loopwright/core";
import { assetFigures, gateFigures } from "../evidence/figures.ts";
import { readAsset, readModelOnce } from "../evidence/read.ts";
import type { JudgeContext, JudgeState } from "../task.ts";

export async function importAsset(_state: JudgeState, ctx: JudgeContext) {
  const { file, gate } = ctx.input;
  const started_at = ctx.clock.now();
  const name = basename(file).replace(/\.[^.]*$/, "");
  const read = await ctx.effect("read", {
    input: { file },
    run: async ({ save }) => {
      const given = await readAsset(file);
      if ("problem" in given) return { problem: given.problem, digest: "" };
      const digest = sha256(given.bytes);
      const measured = await readModelOnce(digest, async () => given.bytes);
      if ("problem" in measured) return { problem: measured.problem, digest };
      const asset = await save(`asset/${basename(file)}`, given.bytes, "run");
      return { asset, digest, front: measured.front, figures: assetFigures(measured.report, gate) };
    },
  });
  const asset_id = read.digest === "" ? name : `${name}-${read.digest.slice(0, 12)}`;
  const figures = { ...gateFigures(gate), ...read.figures };
  if (!read.asset) return ctx.to("verdict", { started_at, asset_id, figures, problems: [read.problem as Finding] });
  return ctx.to("render", { started_at, asset_id, figures, asset: read.asset, front: read.front });
}
