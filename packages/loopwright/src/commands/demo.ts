// `loopwright demo`: a loop on its shipped task, with no model: the hull loop, or the repair loop.

import { join, relative } from "node:path";
import type { Loop, Project, RunResult } from "@loopwright/core";
import type { Cli } from "../cli.ts";
import { findLoop } from "../configuration/loops.ts";
import { givenCeilings, settingsOf } from "../configuration/settings.ts";
import { driveRun } from "../drive/drive-run.ts";
import { showPlan } from "../drive/dry-run.ts";

export async function run(cli: Cli): Promise<number> {
  return cli.words[0] === "repair" ? (await import("./workspace/demo.ts")).repairDemo(cli) : fitHull(cli);
}

async function fitHull(cli: Cli): Promise<number> {
  const configuration = await cli.configuration();
  const { demoTask, startOptions } = await import("@loopwright/hull");
  const [found, task] = [await findLoop("hull", configuration), await demoTask()];
  const ceilings = { ...startOptions(task).ceilings, ...givenCeilings(cli, configuration) };
  const config = { builder: "search", workcell: "loft", evaluator: "measure", ...(await settingsOf(cli)) };
  const seed = cli.number("seed");
  const options = { slug: "hull-demo", ceilings, config, ...(seed !== undefined && { seed }) };
  if (cli.isSet("dry-run")) return showPlan(cli, found.loop, { ...options, input: { task: task.task_description } });
  return driveRun(cli, {
    found,
    prologue: [task.task_description.trim(), "builder: search (no model) · workcell: loft · evaluator: measure", ""],
    begin: async (project, signal) =>
      (await project.start(found.loop as Loop, task, { ...options, signal })) as RunResult,
    epilogue: (result, project) => (result.outcome === "done" ? whatToTry(cli, result, project) : undefined),
  });
}

function whatToTry(cli: Cli, { run, folder }: RunResult, project: Project): string[] {
  const { terminal } = cli;
  const files = relative(process.cwd(), join(project.dir, "runs", folder));
  const row = (what: string, how: string) => `  ${terminal.style("dim", what.padEnd(20))}${how}`;
  return [
    "",
    "Try next:",
    row("open the report", join(files, "report.html")),
    row("open the hull", join(files, "attempt-000", "final.glb")),
    row("kill it and resume", "kill -9 it half way, then loopwright resume --continue"),
    row("why it stopped", `loopwright explain ${run}`),
    row("see the loop", "loopwright graph hull"),
    row("write your own", "loopwright init my-loops"),
  ];
}
