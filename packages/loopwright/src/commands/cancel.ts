// `loopwright cancel`: ends a run for good. One that no process holds is ended here and now.

import { isFinal } from "@loopwright/core";
import type { Cli } from "../cli.ts";
import { commandContext } from "../loops/command-context.ts";

export async function run(cli: Cli): Promise<number> {
  const { project, run } = await cli.followedRun();
  await using _ = project;
  const { terminal } = cli;
  const record = await project.record(run);
  if (record.ended && isFinal(record.ended.outcome)) {
    if (terminal.isJson) terminal.document("cancel", { run, outcome: record.ended.outcome, underWay: false });
    else terminal.say(`Run ${run} has ended already: ${record.ended.outcome}.`);
    return 0;
  }
  if (cli.isSet("dry-run")) {
    terminal.print(`It would end run ${run} for good.`);
    return 0;
  }
  const isLive = await project.cancel(run);
  if (!isLive) {
    const found = await cli.findPackage(record.loop);
    // A loop's last word may need its workcells.
    await using context = commandContext(cli, found);
    await (await context.project()).resume(await found.loop(), run);
  }
  if (terminal.isJson) terminal.document("cancel", { run, outcome: "cancelled", underWay: isLive });
  else terminal.say(isLive ? `Run ${run} is being ended by the process that holds it.` : `Run ${run} is cancelled.`);
  return 0;
}
