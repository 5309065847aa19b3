// `loopwright resume`: goes on with a run from its last checkpoint.

import { usage } from "@loopwright/core";
import type { Cli } from "../cli.ts";
import { commandContext } from "../loops/command-context.ts";
import { findPackage } from "../loops/find-package.ts";

export async function run(cli: Cli): Promise<number> {
  if (cli.arguments.length > 0 && cli.isSet("continue"))
    throw usage("name a run, or give --continue for the newest one, not both", "loopwright runs lists them");
  const { run, loop } = await runToResume(cli);
  await using context = commandContext(cli, await findPackage(loop, await cli.configuration()));
  const { exitCode } = await context.driver.resume(run, { take: cli.isSet("take") });
  return exitCode;
}

async function runToResume(cli: Cli): Promise<{ run: string; loop: string }> {
  const { project, run } = await cli.existingRun();
  await using _ = project;
  const { parent, loop } = await project.record(run);
  if (parent) throw usage(`run ${run} belongs to ${parent.run}; resume that one`);
  return { run, loop };
}
