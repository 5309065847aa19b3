// `loopwright resume`: goes on with a run from its last checkpoint.

import { isFinal, type Json, type Loop, type RunRecord, type RunResult } from "@loopwright/core";
import { usage } from "../arguments/read-arguments.ts";
import type { Cli } from "../cli.ts";
import { findLoop } from "../configuration/loops.ts";
import { givenCeilings, keptFlags } from "../configuration/settings.ts";
import type { Watch } from "../display/watch.ts";
import { driveRun } from "../drive/drive-run.ts";
import { showPlan } from "../drive/dry-run.ts";

export async function run(cli: Cli): Promise<number> {
  const { record, input, settings } = await runToResume(cli);
  const configuration = await cli.configuration(keptFlags(settings));
  const given = givenCeilings(cli, configuration);
  const found = await findLoop(record.loop, configuration, settings);
  if (cli.isSet("dry-run")) {
    const { seed } = record;
    return showPlan(cli, found.loop, { ceilings: { ...record.ceilings, ...given }, config: settings, input, seed });
  }
  return driveRun(cli, {
    found,
    past: pastOf(record),
    begin: async (project, signal) => {
      const options = { ceilings: given, take: cli.isSet("take"), signal };
      return (await project.resume(found.loop as Loop, record.run, options)) as RunResult;
    },
  });
}

/** The run as it stands, with what it was given and the settings that it has kept. */
async function runToResume(cli: Cli): Promise<{ record: RunRecord; input: Json; settings: Json }> {
  if (cli.words.length > 0 && cli.isSet("continue"))
    throw usage("name a run, or give --continue for the newest one, not both", "loopwright runs lists them");
  const { project, run } = await cli.existingRun();
  await using _ = project;
  const record = await project.record(run);
  if (record.parent) throw usage(`run ${run} belongs to ${record.parent.run}; resume that one`);
  const { input, config: settings } = await project.state(run);
  return { record, input, settings };
}

/** What the display should know of the run's past. */
function pastOf(record: RunRecord): Partial<Watch> {
  const { run, loop, folder, ceilings, scores, usage: used, active, iterations } = record;
  if (record.ended && isFinal(record.ended.outcome)) return { run };
  return { run, loop, folder, ceilings, scores: [...scores], ...used, active, iteration: iterations };
}
