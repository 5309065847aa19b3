// `loopwright fab ISSUE`: an asset for an issue, through all of its repairs; and what a run for an issue is started with.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type AskedIssue, type CommandContext, requireKeys, type StartRun, UsageError, usage } from "@loopwright/core";
import { plainLine } from "@loopwright/terminal";
import { type Tracker, workOn } from "@loopwright/tracker";
import { configuredGate, type FabConfiguration } from "../gate/load.ts";
import { type Asset, rootOf, withTracker } from "../issues.ts";
import fabPackage from "../loop-package.ts";
import type { FabInput } from "../task.ts";
import { closing, requireModels } from "./judge.ts";

export async function produce(context: CommandContext, id: string): Promise<number> {
  return withTracker(context, async (tracker) => {
    const root = await rootOf(tracker, await tracker.find(id));
    return workOn(context, tracker as unknown as Tracker, root, {
      loop: "fab",
      package: fabPackage,
      closing: (result) => closing(context, result),
    });
  });
}

/** What a run for an issue is started with: its gate, who builds, and how good the pictures are. */
export async function fromIssue(
  { id, title, asset: given }: AskedIssue,
  context: CommandContext<FabConfiguration>,
): Promise<StartRun & { input: Partial<FabInput> }> {
  const asset = given as Partial<Asset>;
  if (!asset.kind || !asset.gate)
    throw usage(
      `${id} says not what to build: it needs a kind and a gate`,
      `\`loopwright issue update ${id} --kind car --gate car_realism_v001 --prompt "a red sedan"\``,
    );
  const { own, modelOf } = await context.configuration();
  const gate = await configuredGate(context, asset.gate);
  const builder = (context.text("builder") ?? own.builder ?? "search") as "search" | "model";
  const from = context.text("from");
  if (from !== undefined && !existsSync(from))
    throw new UsageError("IMPORT_FILE_NOT_FOUND", `there is no file ${from}: name a binary glTF (.glb)`);
  return {
    input: {
      gate,
      ...(own.max_retries !== undefined && { max_retries: own.max_retries }),
      profile: (context.text("profile") ?? own.profile ?? "standard") as FabInput["profile"],
      ...(asset.prompt && { prompt: asset.prompt }),
      ...(from !== undefined && { file: resolve(from) }),
      work: {
        ...{ issue: id, root: id, title, builder, kind: asset.kind },
        ...(asset.template && { template: asset.template }),
      },
    },
    prepare: async () => {
      requireModels(gate, asset.prompt, modelOf);
      if (builder === "model" && !modelOf("builder"))
        throw usage(
          "a model is to build, and none is configured for the builder",
          "name one: --model builder=lmstudio:NAME",
        );
      if (builder === "model") requireKeys(["builder"], modelOf);
      if (from === undefined) await (await import("@loopwright/blender")).requireBlender();
    },
    opening: [`${id}  ${plainLine(title)}, at the gate ${gate.gate_config_id}`],
    closing: (result) => closing(context, result),
  };
}
