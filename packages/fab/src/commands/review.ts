// `loopwright fab lineage`: the chain of an issue, run by run. `loopwright fab review`: what waits for a person, everything that there
// is to see of it, and the answer.

import { join } from "node:path";
import { type CommandContext, type Project, usage } from "@loopwright/core";
import { plainLine, showScore } from "@loopwright/terminal";
import type { Issue } from "@loopwright/tracker";
import { type Asset, rootOf, withTracker } from "../issues.ts";
import type { FabInput, FabState } from "../task.ts";
import { verdictToLines } from "./judge.ts";

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
    const root = await rootOf(tracker, await tracker.find(id));
    const links = await linksOf(await context.project(), firstRunOf(root));
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

/** The run that a chain begins with: the newest where its issue was opened again. */
function firstRunOf({ runs, iteration }: Issue<Asset>): string | undefined {
  return iteration.currentRun || runs.at(-1);
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
      parent_run_id: input.work?.parent ?? null,
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

export async function review(context: CommandContext): Promise<number> {
  const [, id, answer] = context.arguments;
  return withTracker(context, async (tracker) => {
    const { output, terminal } = context;
    if (id === undefined) {
      const escalated = await tracker.list({ status: ["escalated"] });
      const waiting = escalated.filter(({ asset }) => asset?.gate !== undefined);
      if (output.isJson) output.document("reviews", { issues: waiting });
      else if (waiting.length === 0) output.print("Nothing waits for a person.");
      for (const { id, priority, title, tags, iteration } of output.isJson ? [] : waiting) {
        const why = tags.find((tag) => tag.startsWith("@escalate:"))?.slice("@escalate:".length) ?? "";
        const unjudged = iteration.unjudged?.length ? `: ${iteration.unjudged.join(", ")}` : "";
        output.print(
          `${id}  ${priority}  ${plainLine(title)}  ${terminal.style("magenta", plainLine(why + unjudged))}`,
        );
      }
      if (waiting.length > 0) output.say(`\n  ${context.typed(`loopwright fab review ${waiting[0]!.id}`)}  # shows it`);
      return 0;
    }
    const issue = await tracker.find(id);
    const project = await context.project();
    const links = await linksOf(project, firstRunOf(await rootOf(tracker, issue)));
    const last = links.at(-1);
    if (last?.outcome !== "escalated")
      throw usage(`${issue.id} does not wait for a person`, "`loopwright fab review` lists what does");
    if (answer !== undefined) {
      if (!context.isSet("dry-run")) await project.answer(last.run, answer, context.text("note"));
      return (await context.driver.resume(last.run)).exitCode;
    }
    const { state } = (await project.state(last.run)) as unknown as { state: FabState };
    const folder = join(project.dir, "runs", last.run);
    const pictures = state.views
      .filter(({ style }) => style === "shaded")
      .map(({ picture }) => join(folder, picture.path));
    if (output.isJson) {
      output.document("review", { issue, links, verdict: state.verdict, pictures });
      return 0;
    }
    output.print(`${issue.id}  ${plainLine(issue.title)}`);
    for (const line of verdictToLines(state.verdict!, (style, text) => terminal.style(style, text))) output.print(line);
    output.print("\nPictures");
    for (const path of pictures) output.print(`  ${path}`);
    output.print("\nLineage");
    for (const { iteration_index, score, outcome, codes } of links)
      output.print(
        `  ${iteration_index}  ${score === undefined || score === null ? "–" : showScore(score, 2)}  ${outcome}  ${codes.join(" ")}`,
      );
    output.print();
    for (const answer of ["accept", "reject", 'retry --note "…"', "template"])
      output.print(`  ${context.typed(`loopwright fab review ${issue.id} ${answer}`)}`);
    return 0;
  });
}
