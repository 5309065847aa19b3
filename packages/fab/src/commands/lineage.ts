// `loopwright fab lineage`: the chain of an issue, run by run, with scores and codes.

import type { CommandContext, Project } from "@loopwright/core";
import { plainLine, showScore } from "@loopwright/terminal";
import { findIssue, rootOf, withTracker } from "../issues.ts";
import type { FabInput, FabState } from "../task.ts";

export interface Link {
  run: string;
  issue: string;
  iteration_index: number;
  parent_run_id: string | null;
  outcome: string;
  score: number | null;
  codes: string[];
  plan: string;
}

export async function lineage(context: CommandContext, id: string): Promise<number> {
  return withTracker(context, async (tracker) => {
    const root = await rootOf(tracker, await findIssue(tracker, id));
    const links = await linksOf(await context.project(), root.runs.at(0));
    const { output, terminal } = context;
    if (output.isJson) {
      output.document("lineage", { issue: root.id, title: root.title, status: root.status, links });
      return 0;
    }
    output.print(`${root.id}  ${plainLine(root.title)}  ${root.status}`);
    for (const link of links) {
      const score = link.score === null ? "   –" : showScore(link.score, 2);
      output.print(
        `  ${link.iteration_index}  ${score}  ${link.outcome.padEnd(10)}  ${terminal.style("dim", link.run)}  ${link.issue}`,
      );
      output.print(`           ${plainLine(link.plan.split("\n", 1)[0]!)}`);
      if (link.codes.length > 0) output.print(`           ${terminal.style("yellow", link.codes.join(" "))}`);
    }
    if (links.length === 0) output.print(`  no run yet: ${context.typed(`loopwright fab ${root.id}`)}`);
    return 0;
  });
}

/** Every run of a chain, from its first. */
export async function linksOf(project: Project, first: string | undefined): Promise<Link[]> {
  const links: Link[] = [];
  for (let run = first; run !== undefined; ) {
    const record = await project.record(run);
    const { input, state } = (await project.state(run)) as unknown as { input: FabInput; state: FabState };
    const { hard = [], soft = [] } = state.verdict?.failures ?? {};
    links.push({
      run,
      issue: input.work?.issue ?? "",
      iteration_index: input.iteration_index,
      parent_run_id: input.work?.last?.run ?? null,
      outcome: record.ended?.outcome ?? "open",
      score: state.verdict?.scores.overall ?? null,
      codes: [...hard, ...soft],
      plan: state.plan,
    });
    const next = record.ended?.by?.run;
    run = next !== undefined && (await project.list()).some((each) => each.run === next) ? next : undefined;
  }
  return links;
}
