// `loopwright demo hull`: the loop on the task that comes with the package, with no model.

import { join, relative } from "node:path";
import type { CommandContext, RunResult } from "@loopwright/core";
import { startOptions } from "../task/task.ts";
import { demoTask } from "../task/task-file.ts";

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
