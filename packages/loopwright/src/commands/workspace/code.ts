// `loopwright code`: the test-driven coding loop on a task, until its tests pass.

import { mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { checkValue, type Json, type Loop, type RunResult } from "@loopwright/core";
import { usage } from "../../arguments/read-arguments.ts";
import type { Cli } from "../../cli.ts";
import { findLoop } from "../../configuration/loops.ts";
import { settingsOf } from "../../configuration/settings.ts";
import { driveRun } from "../../drive/drive-run.ts";
import { showPlan } from "../../drive/dry-run.ts";
import { existing, givenTests, workspaceLines, workspaceSettings } from "./flags.ts";

const WRITES_ONE = "loopwright init <folder> --loop code writes one";

export async function run(cli: Cli): Promise<number> {
  const configuration = await cli.configuration();
  if (cli.isSet("estimate")) return (await import("./estimate.ts")).showEstimate(cli);
  const minIterations = cli.number("min-iterations") ?? 2;
  const settings = workspaceSettings(cli, resolve(cli.text("workspace") ?? join(cli.dir, "workspace")));
  const task = { ...(await codeTask(cli)), ...(await givenTests(settings)), min_iterations: minIterations };
  const found = await findLoop("code", configuration, { code: settings as unknown as Json });
  checkValue(found.loop.input, task, "the task");
  const { ceilings } = configuration;
  if (minIterations > (ceilings.iterations ?? found.loop.ceilings?.iterations ?? 20))
    throw usage(`--min-iterations ${minIterations} is above the ceiling on iterations`, "raise --max-iterations");
  const config = { ...(await settingsOf(cli)), code: settings as unknown as Json };
  const seed = cli.number("seed");
  const options = { slug: "code", ceilings, config, ...(seed !== undefined && { seed }) };
  if (cli.isSet("dry-run")) return showPlan(cli, found.loop, { ...options, input: task });
  if (Object.keys(configuration.models.profiles).length === 0)
    throw usage(
      "no model is configured",
      "name one: --model lmstudio:NAME, or under 'models' in loopwright.yaml; or repair without one: loopwright repair",
    );
  mkdirSync(settings.workspace, { recursive: true });
  return driveRun(cli, {
    found,
    prologue: workspaceLines(settings),
    begin: async (project, signal) =>
      (await project.start(found.loop as Loop, task, { ...options, signal })) as RunResult,
  });
}

/** What the project's files say: the task, and what stands before every prompt. */
async function codeTask(cli: Cli): Promise<Record<string, Json>> {
  const taskFile = existing(cli.text("task") ?? join(cli.dir, "task.md"), "--task", WRITES_ONE);
  const philosophyFile = cli.text("philosophy");
  const philosophy = await readText(
    philosophyFile === undefined
      ? join(cli.dir, "philosophy.md")
      : existing(philosophyFile, "--philosophy", WRITES_ONE),
  );
  return {
    task: (await readText(taskFile)) ?? "",
    task_file: taskFile,
    ...(philosophy !== undefined && { philosophy }),
  };
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw usage(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
