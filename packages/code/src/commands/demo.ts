// `loopwright demo code`: the loop on a bug of a small repository that comes with the package, with recorded answers of a model.

import { cpSync, existsSync } from "node:fs";
import { join, relative } from "node:path";
import type { CommandContext, RunResult } from "@loopwright/core";
import { newState } from "@loopwright/workspace/settings";
import { demoRepository } from "../folders.ts";

const TASK = "A boat that arrives on the day on which another one leaves is told that the berth is taken.";

/** Works on a copy of the repository, in a folder that was not there before. */
export async function runDemo(context: CommandContext): Promise<number> {
  const workspace = freeFolder(join(context.dir, "demo-code"));
  const task = {
    task: `## Task\n\n${TASK}\n`,
    min_iterations: 2,
    allow_failing: false,
    allow_unseen: false,
    proof_budget: 100,
  };
  const { exitCode } = await context.driver.start(task, {
    slug: "code-demo",
    settings: { workspace, state: newState(context), tests: [], heldOut: [], ignore: [], sandbox: "bwrap" },
    prepare: () => cpSync(demoRepository, workspace, { recursive: true }),
    opening: [
      `task       ${TASK}`,
      `workspace  ${workspace}, a small repository with that bug`,
      "models     none is asked: the answers are those that a model gave when this was recorded",
      "",
    ],
    closing: (result) => (result.outcome === "done" ? whatToTry(context, result, workspace) : undefined),
  });
  return exitCode;
}

function freeFolder(wanted: string): string {
  let folder = wanted;
  for (let number = 2; existsSync(folder); number++) folder = `${wanted}-${number}`;
  return folder;
}

function whatToTry({ terminal, dir, typed }: CommandContext, { run, folder }: RunResult, workspace: string): string[] {
  const row = (what: string, how: string) => `  ${terminal.style("dim", what.padEnd(28))}${how}`;
  const here = (path: string) => relative(process.cwd(), path) || ".";
  return [
    "",
    "Try next:",
    row("open the report", join(here(join(dir, "runs", folder)), "report.html")),
    row("run the fixed program", `npm test --prefix ${here(workspace)}`),
    row("see what the model saw", typed(`loopwright show ${run} --calls`)),
    row("take the change out again", typed(`loopwright undo ${run}`)),
    row("on a bug of yours", 'loopwright code "what is wrong" --model lmstudio:NAME'),
  ];
}
