// `loopwright fab ISSUE`: an asset for an issue, through all of its repairs.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type CommandContext, type RunResult, UsageError, usage } from "@loopwright/core";
import { plainLine } from "@loopwright/terminal";
import type { Issue, Tracker } from "@loopwright/tracker";
import { loadGate } from "../gate/load.ts";
import { type Asset, findIssue, rootOf, withTracker } from "../issues.ts";
import type { FabInput, FabState } from "../task.ts";
import { requireModels } from "./judge.ts";
import { verdictToLines } from "./words.ts";

export async function produce(context: CommandContext, id: string): Promise<number> {
  return withTracker(context, async (tracker, kind) => {
    const issue = await findIssue(tracker, id);
    const root = await rootOf(tracker, issue);
    if (root.status === "closed") {
      context.output.print(`${root.id} is closed: ${plainLine(root.closeReason ?? "nothing is left to do")}`);
      return 0;
    }
    const run = root.runs.at(-1);
    if (run !== undefined) {
      // Whoever held it may be dead: this process has it now.
      for (const each of await tracker.chain(root.id)) if (each.status !== "closed") await tracker.claim(each.id);
      return (await context.driver.resume(run, { closing: (result) => closing(context, result) })).exitCode;
    }
    return start(context, tracker, root, kind);
  });
}

async function start(
  context: CommandContext,
  tracker: Tracker<Asset>,
  root: Issue<Asset>,
  kind: "own" | "beads",
): Promise<number> {
  const { asset } = root;
  if (!asset?.kind || !asset.gate)
    throw usage(
      `${root.id} says not what to build: it needs a kind and a gate`,
      `loopwright issue update ${root.id} --kind car --gate car_realism_v001 --prompt "a red sedan"`,
    );
  const gate = await loadGate(asset.gate, context.dir);
  const builder = (context.text("builder") ?? "search") as "search" | "model";
  const from = context.text("from");
  if (from !== undefined && !existsSync(from))
    throw new UsageError("IMPORT_FILE_NOT_FOUND", `there is no file ${from}: name a binary glTF (.glb)`);
  if (!(await tracker.claim(root.id)))
    throw new UsageError("ISSUE_NOT_READY", `${root.id} cannot be taken up now: loopwright issue show ${root.id}`);
  const input: Partial<FabInput> = {
    gate,
    profile: (context.text("profile") ?? "standard") as FabInput["profile"],
    ...(asset.prompt && { prompt: asset.prompt }),
    ...(from !== undefined && { file: resolve(from) }),
    work: {
      issue: root.id,
      root: root.id,
      title: root.title,
      tracker: kind,
      builder,
      kind: asset.kind,
      ...(asset.template && { template: asset.template }),
    },
  };
  const { exitCode } = await context.driver.start(input, {
    prepare: async () => {
      const { modelOf } = await context.configuration();
      requireModels(gate, asset.prompt, modelOf);
      if (builder === "model" && !modelOf("builder"))
        throw usage(
          "a model is to build, and none is configured for the builder",
          "name one: --model builder=lmstudio:NAME",
        );
    },
    slug: root.title,
    opening: [`${root.id}  ${plainLine(root.title)}, at the gate ${gate.gate_config_id}`],
    closing: (result) => closing(context, result),
  });
  return exitCode;
}

function closing({ terminal }: CommandContext, { state, outcome }: RunResult): string[] | undefined {
  const { verdict } = state as FabState;
  return verdict && outcome !== "escalated"
    ? verdictToLines(verdict, (style, text) => terminal.style(style, text))
    : undefined;
}
