// `loopwright demo repair`: a small program that fails its tests is repaired by search.

import { cpSync, mkdirSync } from "node:fs";
import { join, relative } from "node:path";
import type { CommandContext, Json, RunResult } from "@loopwright/core";
import {
  newState,
  type WorkspaceConfiguration,
  type WorkspaceSettings,
  workspaceLines,
} from "@loopwright/workspace/settings";
import { demoFolder } from "../demo.ts";
import { startOptions } from "../task.ts";

/** Runs the search on a copy of the demo's program. */
export async function runDemo(context: CommandContext<WorkspaceConfiguration>): Promise<number> {
  const state = newState(context);
  const workspace = join(state, "program");
  const { sandbox = "bwrap" } = (await context.configuration()).own;
  const settings: WorkspaceSettings = { workspace, state, tests: [], heldOut: [], ignore: [], sandbox };
  const { exitCode } = await context.driver.start(
    {},
    {
      slug: "repair-demo",
      ...startOptions,
      settings: settings as unknown as Json,
      prepare: () => {
        mkdirSync(workspace, { recursive: true });
        cpSync(demoFolder, workspace, { recursive: true });
      },
      opening: [
        "fines.ts, a small program, fails some of its tests: the search looks for a repair.",
        "builder: search (no model) · every third test is held out, and decides",
        ...workspaceLines(settings),
        "",
      ],
      closing: (result) => (result.outcome === "done" ? whatToTry(context, result, workspace) : undefined),
    },
  );
  return exitCode;
}

type Context = Pick<CommandContext, "terminal" | "dir" | "typed">;

function whatToTry({ terminal, dir, typed }: Context, { run, folder }: RunResult, workspace: string): string[] {
  const here = (path: string) => relative(process.cwd(), path);
  const row = (what: string, how: string) => `  ${terminal.style("dim", what.padEnd(20))}${how}`;
  return [
    "",
    "Try next:",
    row("open the report", here(join(dir, "runs", folder, "report.html"))),
    row("what was tried", here(join(dir, "runs", folder, "attempt-000", "hand-off.md"))),
    row("the program", here(join(workspace, "fines.ts"))),
    row("why it stopped", typed(`loopwright explain ${run}`)),
    row("on your own", "loopwright repair --workspace . --tests tests"),
  ];
}
