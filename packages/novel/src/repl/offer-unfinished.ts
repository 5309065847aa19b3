// Offers an iteration that was left, with what the judge has said so far, and goes on with it.

import type { Ceilings, Loop } from "@loopwright/core";
import { plainLine, showAge } from "@loopwright/terminal";
import type { NovelTask } from "../task.ts";
import { askWord } from "./ask.ts";
import { resumeIteration } from "./drive.ts";
import type { Session } from "./session.ts";
import type { Unfinished } from "./unfinished.ts";
import { questionOf } from "./words/gate-words.ts";
import { summaryText } from "./words/note-words.ts";
import { Renderer } from "./words/renderer.ts";
import { quote } from "./words/wrapping.ts";

interface Offer {
  raised?: Partial<Ceilings>;
  /** What was said of it already. */
  wanted?: "yes" | "drop";
  /** Whether something else is to begin, which waits for this one. */
  isInTheWay?: boolean;
}

/** Shows an unfinished iteration and asks what is to become of it, where that is not said already. */
export async function offerUnfinished(
  session: Session,
  unfinished: Unfinished,
  { raised = {}, wanted, isInTheWay = false }: Offer = {},
): Promise<"yes" | "no" | "drop"> {
  const { output } = session;
  const { task, renderer, question } = await recallRun(session, unfinished.run);
  // A question that was never answered is asked again by whoever still wants to know.
  if (task.is_question && !unfinished.isHeld) {
    await drop(session, unfinished.run);
    return "drop";
  }
  output.say();
  output.say(`An iteration on ${task.target} is unfinished (${showAge(Date.now() - unfinished.at)} ago):`, "bold");
  if (task.feedback.length > 0) output.say(quote(task.feedback.join("\n"), output.terminal.columns));
  for (const { attempt, verdict, reasoning } of renderer.judged) {
    output.say(`Judge feedback on attempt ${attempt} (${verdict === "approved" ? "✓ APPROVED" : "✗ NEEDS REVISION"}):`);
    output.say(quote(reasoning, output.terminal.columns));
  }
  if (question !== undefined) output.say(`It waits for an answer to: ${question}`);
  if (unfinished.isHeld) {
    output.note("Another process is at it right now");
    return "no";
  }
  const word = wanted ?? (await askWhatBecomes(session, isInTheWay));
  if (word === "yes") await resumeRun(session, unfinished.run, task, renderer, raised);
  else if (word === "drop") {
    await drop(session, unfinished.run);
    output.note("The iteration was dropped. The manuscript is as it was");
    if (task.cascade && (await session.manuscript()).staleness.cascade)
      output.note("The cascade that it was a step of is kept: /cascade goes on with it, /cascade drop forgets it");
  } else output.note("It is kept. /resume goes on with it");
  return (word ?? "no") as "yes" | "no" | "drop";
}

function askWhatBecomes(session: Session, isInTheWay: boolean): Promise<"yes" | "no" | "drop" | undefined> {
  const no = isInTheWay ? "keeps it for /resume, and nothing new begins" : "keeps it for /resume";
  session.output.note(`yes: goes on where it stopped · no: ${no} · drop: ends it, and the book stays as it is`);
  return askWord(session, "Go on with it?", ["yes", "no", "drop"], "no");
}

async function resumeRun(
  session: Session,
  run: string,
  task: NovelTask,
  renderer: Renderer,
  raised: Partial<Ceilings>,
): Promise<void> {
  const { output } = session;
  session.target = task.target;
  if (renderer.summary !== undefined) output.say(`\n${summaryText(renderer.summary, output.terminal.columns)}\n`);
  const result = await resumeIteration(session, run, task, renderer, raised);
  if (task.kind === "derive" && result.outcome === "done") {
    const { offerDerivation } = await import("./commands/import.ts");
    await offerDerivation(session);
  }
}

/** Ends an iteration for good. Nothing of it is in the manuscript. */
export async function drop(session: Session, run: string): Promise<void> {
  const { project } = session.novel;
  const { novel } = await import("../index.ts");
  await project.cancel(run);
  await project.resume(novel as unknown as Loop, run);
}

/** A run's past, as a renderer knows it, and the question that it waits at. */
async function recallRun(
  session: Session,
  run: string,
): Promise<{ task: NovelTask; renderer: Renderer; question: string | undefined }> {
  const { project } = session.novel;
  const { input, gate } = await project.state(run);
  const isStep = (input as { cascade?: unknown }).cascade !== undefined;
  const renderer = new Renderer(session.output, { isStep });
  for await (const event of project.events(run)) renderer.recall(event);
  // What was paged then is not paged again.
  renderer.detail = undefined;
  renderer.full = undefined;
  return { task: input as unknown as NovelTask, renderer, question: gate && plainLine(questionOf(gate)) };
}
