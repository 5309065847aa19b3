// `loopwright demo repair`: a small program that fails its tests is repaired by search.

import { cpSync, mkdirSync } from "node:fs";
import { join, relative } from "node:path";
import type { Json, Loop, Project, RunResult } from "@loopwright/core";
import type { Cli } from "../../cli.ts";
import { findLoop, type WorkspaceSettings } from "../../configuration/loops.ts";
import { givenCeilings, settingsOf } from "../../configuration/settings.ts";
import { driveRun } from "../../drive/drive-run.ts";
import { showPlan } from "../../drive/dry-run.ts";
import { newState } from "./flags.ts";

/** Runs the search on a copy of the demo's program. */
export async function repairDemo(cli: Cli): Promise<number> {
  const configuration = await cli.configuration();
  const { demoFolder, startOptions } = await import("@loopwright/repair");
  const state = newState(cli);
  const workspace = join(state, "program");
  const settings: WorkspaceSettings = { workspace, state, tests: [], heldOut: [], ignore: [], sandbox: "bwrap" };
  const found = await findLoop("repair", configuration, { repair: settings as unknown as Json });
  const ceilings = { ...startOptions.ceilings, ...givenCeilings(cli, configuration) };
  const config = { ...(await settingsOf(cli)), builder: "search", repair: settings as unknown as Json };
  const options = { slug: "repair-demo", ceilings, config };
  if (cli.isSet("dry-run")) return showPlan(cli, found.loop, { ...options, input: {} });
  mkdirSync(workspace, { recursive: true });
  cpSync(demoFolder, workspace, { recursive: true });
  return driveRun(cli, {
    found,
    prologue: [
      "fines.ts, a small program, fails some of its tests: the search looks for a repair.",
      "builder: search (no model) · every third test is held out, and decides",
      "",
    ],
    begin: async (project, signal) =>
      (await project.start(found.loop as Loop, {}, { ...options, signal })) as RunResult,
    epilogue: (result, project) => (result.outcome === "done" ? whatToTry(cli, result, project, workspace) : undefined),
  });
}

function whatToTry({ terminal }: Cli, { run, folder }: RunResult, project: Project, workspace: string): string[] {
  const here = (path: string) => relative(process.cwd(), path);
  const row = (what: string, how: string) => `  ${terminal.style("dim", what.padEnd(20))}${how}`;
  return [
    "",
    "Try next:",
    row("open the report", here(join(project.dir, "runs", folder, "report.html"))),
    row("what was tried", here(join(project.dir, "runs", folder, "attempt-000", "hand-off.md"))),
    row("the program", here(join(workspace, "fines.ts"))),
    row("why it stopped", `loopwright explain ${run}`),
    row("on your own", "loopwright repair --workspace . --tests tests"),
  ];
}
