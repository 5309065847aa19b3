// `loopwright hull`: a task is refined until it passes.

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type CommandContext, type Configuration, type Json, requireKeys, usage } from "@loopwright/core";
import type { HullConfiguration } from "../configuration.ts";
import { measuredNames } from "../measure/references.ts";
import { type HullTask, startOptions } from "../task/task.ts";
import { loadTask } from "../task/task-file.ts";
import type { HullSettings } from "../workcell/cells.ts";

type Context = CommandContext<HullConfiguration>;

export async function runHull(context: Context): Promise<number> {
  const { own, modelOf } = await context.configuration();
  const task = await loadTask(taskFile(context), {
    given: typed(context),
    usual: { workcell: "blender", builder: modelOf("builder") ? "model" : "search" },
  });
  const settings: HullSettings = {
    sandbox: context.text("sandbox") === "none" ? "none" : "bwrap",
    state: join(context.dir, ".loopwright", "scenes"),
  };
  if (own?.workcell?.mcp && task.workcell === "blender" && settings.sandbox !== "none")
    throw usage(
      "hull.workcell.mcp names a server that runs code without a sandbox of ours",
      "if that is meant, say so: --sandbox none",
    );
  const { exitCode } = await context.driver.start(task, {
    ...startOptions(task),
    settings: { ...settings, ...choices(task) } as unknown as Json,
    prepare: () => requireModels(task, modelOf),
    opening: [
      task.task_description.trim(),
      `builder: ${task.builder}${task.builder === "search" ? " (no model)" : ""} · workcell: ${task.workcell} · evaluator: ${task.evaluator}`,
      ...unmeasured(task),
      ...(settings.sandbox === "none" ? ["there is no sandbox: generated code runs with your rights"] : []),
      "",
    ],
  });
  return exitCode;
}

function choices({ workcell, builder, evaluator }: HullTask) {
  return { workcell, builder, evaluator };
}

/** The references that nobody can measure, in words. */
function unmeasured(task: HullTask): string[] {
  const measured = measuredNames(task);
  const hasModels = task.builder === "model" || task.evaluator !== "measure";
  const who = hasModels ? "only models look at it" : "and no model takes part: nobody looks at it";
  return Object.keys(task.references)
    .filter((name) => !measured.includes(name))
    .map((name) => `reference ${name}: its view is not known, ${who}`);
}

function taskFile(context: Context): string {
  const file = resolve(context.text("task") ?? join(context.dir, "task.yaml"));
  if (!existsSync(file))
    throw usage(
      `there is no task ${file}`,
      "`loopwright init <folder> --loop hull` writes one, or name yours: --task FILE",
    );
  return file;
}

/** What the flags say of the task. */
function typed(context: Context): Record<string, unknown> {
  const names = ["workcell", "builder", "evaluator"] as const;
  const texts = names.flatMap((name) => (context.text(name) ? [[name, context.text(name)!]] : []));
  return Object.fromEntries([...texts, ...(context.isSet("game-asset") ? [["game_asset", true]] : [])]);
}

function requireModels(task: HullTask, modelOf: Configuration["modelOf"]): void {
  const roles = [
    ...(task.builder === "model" ? ["builder"] : []),
    ...(task.evaluator !== "measure" ? ["evaluator"] : []),
  ];
  const missing = roles.find((role) => !modelOf(role));
  if (missing)
    throw usage(
      `no model is configured for the ${missing}`,
      "name one: --model lmstudio:NAME, or under 'models' in loopwright.yaml; or go without: --builder search --evaluator measure",
    );
  requireKeys(roles, modelOf);
}
