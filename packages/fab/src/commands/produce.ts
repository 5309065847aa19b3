// `loopwright fab ISSUE`: an asset for an issue, through all of its repairs; and what a run for an issue is started with.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type AskedIssue, type CommandContext, requireKeys, type StartRun, UsageError, usage } from "@loopwright/core";
import { plainLine } from "@loopwright/terminal";
import { type Tracker, workOn } from "@loopwright/tracker";
import { templateCode } from "../builders/search.ts";
import { configuredGate, type FabConfiguration, gateIds } from "../gate/load.ts";
import { type Asset, rootOf, withTracker } from "../issues.ts";
import fabPackage from "../loop-package.ts";
import { kindToWords } from "../requirements.ts";
import type { FabInput, Work } from "../task.ts";
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
  { id, title, words, asset: given }: AskedIssue,
  context: CommandContext<FabConfiguration>,
): Promise<StartRun & { input: Partial<FabInput> }> {
  const asset = given as Partial<Asset>;
  const { own, modelOf } = await context.configuration();
  const { gate, kind, builder } = await readCommission(context, id, asset);
  const from = context.text("from");
  if (from !== undefined && !existsSync(from))
    throw new UsageError("IMPORT_FILE_NOT_FOUND", `there is no file ${from}: name a binary glTF (.glb)`);
  return {
    input: {
      gate,
      ...(own.max_retries !== undefined && { max_retries: own.max_retries }),
      profile: (context.text("profile") ?? own.profile ?? "standard") as FabInput["profile"],
      prompt: words,
      ...(from !== undefined && { file: resolve(from) }),
      work: {
        ...{ issue: id, root: id, title, builder, kind },
        ...(asset.template && { template: asset.template }),
      },
    },
    prepare: async () => {
      requireModels(gate, words, modelOf);
      if (builder === "model" && !modelOf("builder"))
        throw usage("a model is to build, and none is configured for the builder", NAME_BUILDER);
      if (builder === "model") requireKeys(["builder"], modelOf);
      if (from === undefined) await (await import("@loopwright/blender")).requireBlender();
    },
    opening: [`${id}  ${plainLine(title)}, at the gate ${gate.gate_config_id}`],
    closing: (result) => closing(context, result),
  };
}

const NAME_BUILDER = "name one: --model builder=lmstudio:NAME, or under 'models' in loopwright.yaml";

/** What is asked for, held against its gate: the kind, the template, and who is to build it, a model where no template does. */
async function readCommission(context: CommandContext<FabConfiguration>, id: string, asset: Partial<Asset>) {
  const { kind, gate: name, template } = asset;
  if (!kind || !name)
    throw usage(
      `${id} says not what to build: it needs a kind and a gate`,
      `\`loopwright issue update ${id} --kind car --gate car_realism_v001 --prompt "a red sedan"\``,
    );
  const gate = await configuredGate(context, name);
  const { templates } = gate.iteration.template_fallback;
  const kinds = [...new Set([gate.kind, ...Object.keys(templates)])];
  if (!kinds.includes(kind))
    throw usage(
      `${name} is a gate for the kind ${kinds.join(" or ")}, and not for ${kind}`,
      `name another of ${gateIds(context.dir).join(", ")}, or write one: docs/judging-assets.md`,
    );
  if (template !== undefined) templateCode(template);
  const hasTemplate = (template ?? templates[kind] ?? templates[gate.kind]) !== undefined;
  const { own, modelOf } = await context.configuration();
  const given = (context.text("builder") ?? own.builder) as Work["builder"] | undefined;
  const none = `no template builds a ${kindToWords(kind)}: a model must, in the role 'builder'`;
  if (!hasTemplate && given === "search") throw usage(none, NAME_BUILDER);
  if (!hasTemplate && !modelOf("builder")) context.output.warn(`${none} (${NAME_BUILDER})`);
  return { gate, kind, builder: given ?? (hasTemplate ? ("search" as const) : ("model" as const)) };
}
