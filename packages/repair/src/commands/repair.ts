// `loopwright repair`: small edits of a program that fails its tests are tried until they pass. No model is asked.

import { existsSync } from "node:fs";
import { type CommandContext, type Json, usage } from "@loopwright/core";
import {
  checkPlace,
  givenTests,
  repositoryBelow,
  type WorkspaceConfiguration,
  workspaceLines,
  workspaceSettings,
} from "@loopwright/workspace/settings";
import { startOptions } from "../task.ts";

export async function runRepair(context: CommandContext<WorkspaceConfiguration>): Promise<number> {
  const { own, control } = await context.configuration();
  const settings = workspaceSettings(context, own, {
    workspace: repositoryBelow(context) ?? ".",
    control,
  });
  if (!existsSync(settings.workspace))
    throw usage(`--workspace: there is no ${settings.workspace}`, "the search repairs a program that is there");
  await checkPlace(settings, { isDry: context.isSet("dry-run") });
  const { exitCode } = await context.driver.start(await givenTests(settings), {
    slug: "repair",
    ...startOptions,
    settings: settings as unknown as Json,
    opening: [...workspaceLines(settings), "builder: search (no model)"],
  });
  return exitCode;
}
