// `loopwright verify`: checks a run's hash chain, every stored value and every artifact.

import { plainLine } from "@loopwright/terminal";
import type { Cli } from "../cli.ts";
import { isFolderGone } from "../project.ts";

export async function run(cli: Cli): Promise<number> {
  const { project, run } = await cli.existingRun();
  await using _ = project;
  const result = await project.verify(run);
  const { terminal } = cli;
  if (terminal.isJson) terminal.document("verification", { ...result });
  else {
    const { events, values, artifacts, released } = result;
    const counts = `${events} events, ${values} values, ${artifacts} artifacts${released > 0 ? `, ${released} released` : ""}`;
    terminal.say(
      `${result.ok ? terminal.style("green", "whole") : terminal.style("red", "damaged")}  ${run}: ${counts}`,
    );
    if (isFolderGone(project.dir, await project.record(run)))
      terminal.say("The run's folder is gone: it was pruned, or deleted by hand.");
    for (const problem of result.problems) terminal.print(`  ${plainLine(problem)}`);
  }
  return result.ok ? 0 : 1;
}
