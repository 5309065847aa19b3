// `loopwright fab ISSUE`: an asset for an issue, through all of its repairs.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type CommandContext, type RunResult, requireKeys, UsageError, usage } from "@loopwright/core";
import { plainLine } from "@loopwright/terminal";
import type { Issue, Tracker } from "@loopwright/tracker";
import { configuredGate } from "../gate/load.ts";
import { type Asset, rootOf, withTracker } from "../issues.ts";
import type { FabInput, FabState } from "../task.ts";
import { requireModels, verdictToLines } from "./judge.ts";
import { lineage, linksOf } from "./review.ts";

export async function produce(context: CommandContext, id: string): Promise<number> {
  return withTracker(context, async (tracker) => {
    const issue = await tracker.find(id);
    const root = await rootOf(tracker, issue);
    if (root.status === "closed") {
      if (context.output.isJson) return lineage(context, root.id);
      context.output.print(`${root.id} is closed: ${plainLine(root.closeReason ?? "nothing is left to do")}`);
      return 0;
    }
    const run = root.runs.at(0) ?? (await cutOffRun(context, root.id));
    if (run === undefined) return start(context, tracker, root);
    await refuseHeld(context, root.id, run);
    if (!context.isSet("dry-run")) await takeUp(tracker, root.id);
    return (await context.driver.resume(run, { closing: (result) => closing(context, result) })).exitCode;
  });
}

/** A run that was cut off before it could say so to its issue. */
async function cutOffRun(context: CommandContext, issue: string): Promise<string | undefined> {
  const project = await context.existingProject();
  for (const listed of (await project?.list()) ?? []) {
    if ("fault" in listed || listed.loop !== "fab" || listed.status !== "open") continue;
    const { input } = (await project!.state(listed.run)) as unknown as { input: FabInput };
    if (input.work?.issue === issue) return listed.run;
  }
  return undefined;
}

/** One process works on a chain; another one is told so. */
async function refuseHeld(context: CommandContext, issue: string, first: string): Promise<void> {
  const project = await context.project();
  const chain = new Set((await linksOf(project, first)).map(({ run }) => run));
  const held = (await project.list()).find(({ run, isHeld }) => isHeld && chain.has(run));
  if (held) throw heldError(issue, `loopwright show ${held.run} --follow`);
}

/** Takes a chain from whoever is dead; of several processes at once, one gets it. */
async function takeUp(tracker: Tracker<Asset>, root: string): Promise<void> {
  let isOurs = false;
  for (const { id, status } of await tracker.chain(root))
    if (status !== "closed" && (await tracker.claim(id))) isOurs = true;
  const isUnderWay = (await tracker.chain(root)).some(({ status }) => status === "in_progress");
  if (!isOurs && isUnderWay) throw heldError(root, `loopwright issue show ${root}`);
}

function heldError(issue: string, look: string): UsageError {
  return new UsageError("ISSUE_HELD", `${issue} is being worked on by another process: \`${look}\``);
}

async function start(context: CommandContext, tracker: Tracker<Asset>, root: Issue<Asset>): Promise<number> {
  const { asset } = root;
  if (!asset?.kind || !asset.gate)
    throw usage(
      `${root.id} says not what to build: it needs a kind and a gate`,
      `\`loopwright issue update ${root.id} --kind car --gate car_realism_v001 --prompt "a red sedan"\``,
    );
  const gate = await configuredGate(context, asset.gate);
  if (gate.iteration.escalation.notify_webhook !== undefined)
    context.output.warn(`${gate.gate_config_id}: notify_webhook is not called; set notify.webhook in loopwright.yaml`);
  const builder = (context.text("builder") ?? "search") as "search" | "model";
  const from = context.text("from");
  if (from !== undefined && !existsSync(from))
    throw new UsageError("IMPORT_FILE_NOT_FOUND", `there is no file ${from}: name a binary glTF (.glb)`);
  if (!context.isSet("dry-run") && !(await tracker.claim(root.id)))
    throw new UsageError("ISSUE_NOT_READY", `${root.id} cannot be taken up now: \`loopwright issue show ${root.id}\``);
  const input: Partial<FabInput> = {
    gate,
    profile: (context.text("profile") ?? "standard") as FabInput["profile"],
    ...(asset.prompt && { prompt: asset.prompt }),
    ...(from !== undefined && { file: resolve(from) }),
    work: {
      issue: root.id,
      root: root.id,
      title: root.title,
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
      if (builder === "model") requireKeys(["builder"], modelOf);
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
