// `loopwright code`: the test-driven coding loop on a task, until its tests pass.

import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { isAbsolute, join, relative, resolve } from "node:path";
import { checkValue, type Json, type Loop, type RunResult } from "@loopwright/core";
import { usage } from "../arguments/read-arguments.ts";
import type { Cli } from "../cli.ts";
import { type CodeSettings, findLoop } from "../configuration/loops.ts";
import { settingsOf } from "../configuration/settings.ts";
import { driveRun } from "../drive/drive-run.ts";
import { showPlan } from "../drive/dry-run.ts";

export async function run(cli: Cli): Promise<number> {
  const configuration = await cli.configuration();
  if (cli.isSet("estimate")) return (await import("./code-estimate.ts")).showEstimate(cli);
  const builder = (cli.text("builder") ?? "model") as Builder;
  const minIterations = cli.number("min-iterations") ?? (builder === "search" ? 1 : 2);
  const settings = codeSettings(cli, builder);
  const task = await codeTask(cli, settings, builder, minIterations);
  const found = await findLoop("code", configuration, { code: settings as unknown as Json });
  checkValue(found.loop.input, task, "the task");
  const ceilings = builder === "search" ? { ...searchCeilings, ...configuration.ceilings } : configuration.ceilings;
  if (minIterations > (ceilings.iterations ?? found.loop.ceilings?.iterations ?? 20))
    throw usage(`--min-iterations ${minIterations} is above the ceiling on iterations`, "raise --max-iterations");
  const config = { ...(await settingsOf(cli)), code: settings as unknown as Json };
  const seed = cli.number("seed");
  const options = { slug: "code", ceilings, config, ...(seed !== undefined && { seed }) };
  if (cli.isSet("dry-run")) return showPlan(cli, found.loop, { ...options, input: task });
  if (builder === "model" && Object.keys(configuration.models.profiles).length === 0)
    throw usage(
      "no model is configured",
      "name one: --model lmstudio:NAME, or under 'models' in loopwright.yaml; or repair without one: --builder search",
    );
  mkdirSync(settings.workspace, { recursive: true });
  return driveRun(cli, {
    found,
    prologue: [
      `workspace ${settings.workspace}`,
      ...(builder === "search" ? ["builder: search (no model)"] : []),
      ...(settings.sandbox === "none" ? ["WITHOUT A SANDBOX: generated programs run with your rights"] : []),
    ],
    begin: async (project, signal) =>
      (await project.start(found.loop as Loop, task, { ...options, signal })) as RunResult,
  });
}

type Builder = "model" | "search";

/** An iteration of the search is a batch of candidates: it takes seconds, and many of them are worth it. */
export const searchCeilings = { iterations: 40 };

function codeSettings(cli: Cli, builder: Builder): CodeSettings {
  const paths = (flag: string) => cli.list(flag).map((path) => existing(path, `--${flag}`));
  const sandbox = (cli.text("sandbox") ?? "bwrap") as CodeSettings["sandbox"];
  const usual = join(cli.dir, "workspace");
  const workspace = resolve(cli.text("workspace") ?? (builder === "search" && !existsSync(usual) ? cli.dir : usual));
  if (builder === "search" && !existsSync(workspace))
    throw usage(`--workspace: there is no ${workspace}`, "the search repairs a program that is there");
  const state = join(cli.dir, ".loopwright", "workspaces", randomUUID());
  const own = [".loopwright", "runs"].map((name) => relative(workspace, join(cli.dir, name)));
  const ignore = own.filter((path) => !path.startsWith("..") && !isAbsolute(path));
  return { workspace, state, tests: paths("tests"), heldOut: paths("held-out"), ignore, sandbox };
}

/** What the loop is given: the task's text, and the tests that models may see. */
async function codeTask(
  cli: Cli,
  { workspace, tests, heldOut }: CodeSettings,
  builder: Builder,
  minIterations: number,
): Promise<Json> {
  const given = {
    ...(tests.length > 0 && { tests: await testFiles(tests, workspace) }),
    held_out: heldOut.length > 0,
    min_iterations: minIterations,
  };
  if (builder === "search") return { builder, task: "Repair the program, so that its tests pass.", ...given };
  const taskFile = existing(cli.text("task") ?? join(cli.dir, "task.md"), "--task");
  const philosophyFile = cli.text("philosophy");
  const philosophy = await readText(
    philosophyFile === undefined ? join(cli.dir, "philosophy.md") : existing(philosophyFile, "--philosophy"),
  );
  return {
    task: (await readText(taskFile)) ?? "",
    task_file: taskFile,
    ...(philosophy !== undefined && { philosophy }),
    ...given,
  };
}

/** Given tests, by the names that reports give them. */
async function testFiles(tests: readonly string[], workspace: string): Promise<Json> {
  const { readTests } = await import("@loopwright/workspace");
  return (await readTests(tests, workspace)) as unknown as Json;
}

/** A path that must be there, as it is seen from the folder that the command is run in. */
function existing(path: string, flag: string): string {
  const full = resolve(path);
  if (!existsSync(full)) throw usage(`${flag}: there is no ${full}`, "loopwright init <folder> --loop code writes one");
  return full;
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw usage(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
