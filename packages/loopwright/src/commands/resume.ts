// `loopwright resume`: goes on with a run from its last checkpoint.

import {
  inline,
  isFinal,
  type Json,
  type LoadedRun,
  type Loop,
  loadRun,
  type RunRecord,
  type RunResult,
} from "@loopwright/core";
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

/** The run, with the settings that it has kept. */
async function runToResume(cli: Cli): Promise<LoadedRun & { settings: Json }> {
  const prefix = cli.words[0];
  if ((prefix === undefined) !== cli.isSet("continue"))
    throw usage("name a run, or give --continue for the newest one", "loopwright runs lists them");
  await using project = await cli.existingProject();
  if (!project) throw usage(`there is no project in ${cli.dir}, so there is no run to resume`);
  const run = prefix === undefined ? await newestRun(project) : await project.find(prefix);
  const loaded = await loadRun(project.ports.journal, run);
  const { parent, config } = loaded.record;
  if (parent) throw usage(`run ${run} belongs to ${parent.run}; resume that one`);
  return { ...loaded, settings: await inline(config, project.ports.journal) };
}

async function newestRun(project: { list(): Promise<readonly { run: string; parent?: string }[]> }): Promise<string> {
  const newest = (await project.list()).filter((listed) => listed.parent === undefined).at(-1);
  if (!newest) throw usage("there is no run here yet", "loopwright demo starts one");
  return newest.run;
}

/** What the display should know of the run's past. */
function pastOf(record: RunRecord): Partial<Watch> {
  const { run, loop, folder, ceilings, scores, usage: used, active, iterations } = record;
  if (record.ended && isFinal(record.ended.outcome)) return { run };
  return { run, loop, folder, ceilings, scores: [...scores], ...used, active, iteration: iterations };
}
