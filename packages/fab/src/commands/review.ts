// `loopwright fab review`: what waits for a person, everything that there is to see of it, and the answer.

import { join } from "node:path";
import { type CommandContext, usage } from "@loopwright/core";
import { plainLine, showScore } from "@loopwright/terminal";
import { findIssue, rootOf, withTracker } from "../issues.ts";
import type { FabState } from "../task.ts";
import { linksOf } from "./lineage.ts";
import { verdictToLines } from "./words.ts";

export async function review(context: CommandContext): Promise<number> {
  const [, id, answer] = context.arguments;
  return withTracker(context, async (tracker) => {
    const { output, terminal } = context;
    if (id === undefined) {
      const waiting = await tracker.list({ status: ["escalated"] });
      if (output.isJson) output.document("reviews", { issues: waiting });
      else if (waiting.length === 0) output.print("Nothing waits for a person.");
      for (const { id, priority, title, tags } of output.isJson ? [] : waiting) {
        const why = tags.find((tag) => tag.startsWith("@escalate:"))?.slice("@escalate:".length) ?? "";
        output.print(`${id}  ${priority}  ${plainLine(title)}  ${terminal.style("magenta", plainLine(why))}`);
      }
      if (waiting.length > 0) output.say(`\n  ${context.typed(`loopwright fab review ${waiting[0]!.id}`)}  # shows it`);
      return 0;
    }
    const issue = await findIssue(tracker, id);
    const project = await context.project();
    const links = await linksOf(project, (await rootOf(tracker, issue)).runs.at(0));
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
