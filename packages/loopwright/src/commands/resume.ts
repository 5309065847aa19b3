// `loopwright resume`: goes on with a run from its last checkpoint.

import { readFileSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { type GivenFile, usage } from "@loopwright/core";
import type { Cli } from "../cli.ts";
import { commandContext } from "../loops/command-context.ts";
import { findPackage } from "../loops/find-package.ts";

export async function run(cli: Cli): Promise<number> {
  if (cli.arguments.length > 0 && cli.isSet("continue"))
    throw usage(
      "name a run, or give --continue for the newest one, not both",
      `${cli.typed("loopwright runs")} lists them`,
    );
  const file = fileWith(cli);
  const { run, loop } = await runToResume(cli);
  await using context = commandContext(cli, await findPackage(loop, await cli.configuration()));
  const { exitCode } = await context.driver.resume(run, { take: cli.isSet("take"), ...(file && { file }) });
  return exitCode;
}

/** What a person has made, as --with names it. */
function fileWith(cli: Cli): GivenFile | undefined {
  const path = cli.text("with");
  if (path === undefined) return undefined;
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile()) throw usage(`there is no file ${resolve(path)}`, "--with names what you have made");
  if (found.size > MOST_BYTES) throw usage(`${resolve(path)} is larger than 1 GB, which is more than a run takes in`);
  return { name: basename(path), bytes: readFileSync(path) };
}

const MOST_BYTES = 1e9;

async function runToResume(cli: Cli): Promise<{ run: string; loop: string }> {
  const { project, run } = await cli.existingRun();
  await using _ = project;
  const { parent, loop } = await project.record(run);
  if (parent) throw usage(`run ${run} belongs to ${parent.run}; resume that one`);
  return { run, loop };
}
