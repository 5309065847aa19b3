// `loopwright pause`: a running run stops at its next phase boundary.

import type { Cli } from "../cli.ts";

export async function run(cli: Cli): Promise<number> {
  const { project, run } = await cli.existingRun();
  await using _ = project;
  const { terminal } = cli;
  if (cli.isSet("dry-run")) {
    terminal.print(`It would ask run ${run} to stop at its next phase boundary.`);
    return 0;
  }
  await project.pause(run);
  if (terminal.isJson) terminal.document("pause", { run });
  else terminal.say(`Run ${run} stops at its next phase boundary. Go on with: loopwright resume ${run}`);
  return 0;
}
