// `loopwright run`: starts a run of a loop that the configuration names.

import { readFile } from "node:fs/promises";
import { checkValue, type Json, type Loop, type RunResult } from "@loopwright/core";
import { usage } from "../arguments/read-arguments.ts";
import type { Cli } from "../cli.ts";
import { findLoop } from "../configuration/loops.ts";
import { settingsOf } from "../configuration/settings.ts";
import { driveRun } from "../drive/drive-run.ts";
import { showPlan } from "../drive/dry-run.ts";

export async function run(cli: Cli): Promise<number> {
  const configuration = await cli.configuration();
  const input = await readInput(cli.text("input"));
  const found = await findLoop(cli.words[0]!, configuration);
  // The engine checks it too; here nothing has been made yet that a wrong one could leave behind.
  checkValue(found.loop.input, input, "input");
  const { ceilings } = configuration;
  const [seed, slug] = [cli.number("seed"), cli.text("slug")];
  const config = await settingsOf(cli);
  const options = { ceilings, config, ...(seed !== undefined && { seed }), ...(slug && { slug }) };
  if (cli.isSet("dry-run")) return showPlan(cli, found.loop, { ...options, input });
  return driveRun(cli, {
    found,
    begin: async (project, signal) =>
      (await project.start(found.loop as Loop, input, { ...options, signal })) as RunResult,
  });
}

/** The input: JSON as it is given, or from a file. */
async function readInput(given: string | undefined): Promise<Json> {
  if (given === undefined) return null;
  const text = given.startsWith("@") ? await readInputFile(given.slice(1)) : given;
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw usage(`--input is not JSON: ${(error as Error).message}`);
  }
}

async function readInputFile(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw usage(`--input: ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
