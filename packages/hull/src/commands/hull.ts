// `loopwright hull`: a task is refined until it passes; and `loopwright demo hull`, on the task that comes with the package, with no model.

import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import {
  type CommandContext,
  type Configuration,
  type Json,
  type RunResult,
  requireKeys,
  type StartRun,
  usage,
} from "@loopwright/core";
import type { HullConfiguration } from "../configuration.ts";
import { measuredNames } from "../measure/references.ts";
import { type HullTask, startOptions } from "../task/task.ts";
import { demoTask, loadTask } from "../task/task-file.ts";
import type { HullSettings } from "../workcell/cells.ts";

type Context = CommandContext<HullConfiguration>;

export async function runHull(context: Context): Promise<number> {
  const { input, ...options } = await newRun(context);
  return (await context.driver.start(input, options)).exitCode;
}

/** What a run is started with, by the command line, the task's file and the project's configuration. */
export async function newRun(context: Context): Promise<StartRun & { input: HullTask }> {
  const { own, modelOf } = await context.configuration();
  const task = await loadTask(taskFile(context), {
    given: typed(context),
    usual: {
      workcell: "blender",
      builder: modelOf("builder") ? "model" : "search",
      ...(own?.max_retries !== undefined && { max_retries: own.max_retries }),
    },
  });
  const settings: HullSettings = { sandbox: context.text("sandbox") === "none" ? "none" : "bwrap" };
  if (own?.workcell?.mcp && task.workcell === "blender" && settings.sandbox !== "none")
    throw usage(
      "hull.workcell.mcp names a server that runs code without a sandbox of ours",
      "if that is meant, say so: --sandbox none",
    );
  return {
    input: task,
    ...startOptions(task),
    settings: { ...settings, ...choices(task) } as unknown as Json,
    prepare: async () => {
      requireModels(task, modelOf);
      if (task.workcell === "blender" && !own?.workcell?.mcp)
        await (await import("@loopwright/blender")).requireBlender();
    },
    opening: [
      task.task_description.trim(),
      `builder: ${task.builder}${task.builder === "search" ? " (no model)" : ""} · workcell: ${task.workcell} · evaluator: ${task.evaluator}`,
      ...unmeasured(task),
      ...(settings.sandbox === "none" ? ["there is no sandbox: generated code runs with your rights"] : []),
      "",
    ],
  };
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

/** What the flags say of the task; an issue's words are its description. */
function typed(context: Context): Record<string, unknown> {
  const names = ["workcell", "builder", "evaluator"] as const;
  const texts = names.flatMap((name) => (context.text(name) ? [[name, context.text(name)!]] : []));
  const words = context.text("prompt");
  if (words) texts.push(["task_description", words]);
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

export async function runDemo(context: CommandContext): Promise<number> {
  const task = await demoTask();
  const settings = { builder: "search", workcell: "loft", evaluator: "measure" };
  const { exitCode } = await context.driver.start(task, {
    ...startOptions(task),
    slug: "hull-demo",
    settings,
    opening: [task.task_description.trim(), "builder: search (no model) · workcell: loft · evaluator: measure", ""],
    closing: (result) => (result.outcome === "done" ? whatToTry(context, result) : undefined),
  });
  return exitCode;
}

function whatToTry({ terminal, dir, typed }: CommandContext, { run, folder }: RunResult): string[] {
  const files = relative(process.cwd(), join(dir, "runs", folder));
  const row = (what: string, how: string) => `  ${terminal.style("dim", what.padEnd(20))}${how}`;
  return [
    "",
    "Try next:",
    row("open the report", join(files, "report.html")),
    row("open the hull", join(files, "attempt-000", "final.glb")),
    row("kill it and resume", `kill -9 it half way, then ${typed("loopwright resume --continue")}`),
    row("why it stopped", typed(`loopwright explain ${run}`)),
    row("see the loop", "loopwright graph hull"),
    row("write your own", "loopwright init my-loops"),
  ];
}
