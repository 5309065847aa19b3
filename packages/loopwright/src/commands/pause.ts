// `loopwright pause`: a running run stops at its next phase boundary.

import type { RunRecord } from "@loopwright/core";
import type { Cli } from "../cli.ts";
import { stepLines } from "../display/lines.ts";
import { findPackage } from "../loops/find-package.ts";

export async function run(cli: Cli): Promise<number> {
  const { project, run } = await cli.followedRun();
  await using _ = project;
  const { terminal } = cli;
  if (cli.isSet("dry-run")) {
    await project.pause(run, { isDry: true });
    terminal.print(`It would ask run ${run} to stop at its next phase boundary.`);
    return 0;
  }
  const record = await project.record(run);
  await project.pause(run);
  if (terminal.isJson) terminal.document("pause", { run });
  else {
    terminal.say(`Run ${run} stops at its next phase boundary. Go on with: ${cli.typed(`loopwright resume ${run}`)}`);
    // What the loop adds is said where it may be loaded; the run is paused either way.
    const found = await findPackage(record.loop, await cli.configuration()).catch(() => undefined);
    const stopped: RunRecord = { ...record, ended: { outcome: "interrupted", reason: "a person paused it" } };
    for (const line of stepLines([...(found?.package.steps?.(stopped) ?? [])], cli)) terminal.say(line);
  }
  return 0;
}
