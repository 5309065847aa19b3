// `loopwright repair`: small edits of a program that fails its tests are tried until they pass. No model is asked.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Json, Loop, RunResult } from "@loopwright/core";
import { usage } from "../../arguments/read-arguments.ts";
import type { Cli } from "../../cli.ts";
import { findLoop } from "../../configuration/loops.ts";
import { settingsOf } from "../../configuration/settings.ts";
import { driveRun } from "../../drive/drive-run.ts";
import { showPlan } from "../../drive/dry-run.ts";
import { givenTests, workspaceLines, workspaceSettings } from "./flags.ts";

export async function run(cli: Cli): Promise<number> {
  const configuration = await cli.configuration();
  const workspace = resolve(cli.text("workspace") ?? cli.dir);
  if (!existsSync(workspace))
    throw usage(`--workspace: there is no ${workspace}`, "the search repairs a program that is there");
  const settings = workspaceSettings(cli, workspace);
  const input = await givenTests(settings);
  const found = await findLoop("repair", configuration, { repair: settings as unknown as Json });
  const { startOptions } = await import("@loopwright/repair");
  const ceilings = { ...startOptions.ceilings, ...configuration.ceilings };
  const config = { ...(await settingsOf(cli)), repair: settings as unknown as Json };
  const seed = cli.number("seed");
  const options = { slug: "repair", ceilings, config, ...(seed !== undefined && { seed }) };
  if (cli.isSet("dry-run")) return showPlan(cli, found.loop, { ...options, input });
  return driveRun(cli, {
    found,
    prologue: [...workspaceLines(settings), "builder: search (no model)"],
    begin: async (project, signal) =>
      (await project.start(found.loop as Loop, input, { ...options, signal })) as RunResult,
  });
}
