// `loopwright fork`: a new run that stands where another one entered an iteration.

import { usage } from "@loopwright/core";
import type { Cli } from "../cli.ts";

export async function run(cli: Cli): Promise<number> {
  const at = cli.number("at");
  if (at === undefined) throw usage("'loopwright fork' needs --at ITERATION: where the new run begins");
  const { project, run } = await cli.existingRun();
  await using _ = project;
  const { terminal } = cli;
  if (cli.isSet("dry-run")) {
    terminal.print(`It would make a new run that begins iteration ${at} of ${run} again.`);
    return 0;
  }
  const seed = cli.number("seed");
  const forked = await project.fork(run, at, seed === undefined ? {} : { seed });
  if (terminal.isJson) terminal.document("fork", { run: forked, from: run, iteration: at });
  else if (terminal.isQuiet) terminal.print(forked);
  else {
    terminal.print(`Run ${forked} stands before iteration ${at} of ${run}.`);
    terminal.print(`  ${cli.typed(`loopwright resume ${forked}`)}  ${terminal.style("dim", "# drives it")}`);
  }
  return 0;
}
