// Offers an iteration that was left, with what the judge has said so far, and goes on with it.

import type { Ceilings, Loop } from "@loopwright/core";
import { showAge } from "@loopwright/terminal";
import type { NovelTask } from "../task.ts";
import { askWord } from "./ask.ts";
import { resumeIteration } from "./drive.ts";
import type { Session } from "./session.ts";
import type { Unfinished } from "./unfinished.ts";
import { questionOf } from "./words/gate-words.ts";
import { Narrator } from "./words/narrator.ts";
import { firstLine, quote } from "./words/wrapping.ts";

/** Shows an unfinished iteration and asks what is to become of it. */
export async function offerUnfinished(
  session: Session,
  unfinished: Unfinished,
  raised: Partial<Ceilings> = {},
): Promise<"yes" | "no" | "drop"> {
  const { voice } = session;
  const { task, narrator, question } = await recallRun(session, unfinished.run);
  // A question that was never answered is asked again by whoever still wants to know.
  if (task.is_question && !unfinished.isHeld) {
    await drop(session, unfinished.run);
    return "drop";
  }
  voice.say();
  voice.say(`An iteration on ${task.target} is unfinished (${showAge(Date.now() - unfinished.at)} ago):`, "bold");
  if (task.feedback.length > 0) voice.say(quote(task.feedback.join("\n"), voice.terminal.columns));
  for (const { attempt, verdict, reasoning } of narrator.judged) {
    voice.say(`Judge feedback on attempt ${attempt} (${verdict === "approved" ? "✓ APPROVED" : "✗ NEEDS REVISION"}):`);
    voice.say(quote(reasoning, voice.terminal.columns));
  }
  if (question !== undefined) voice.say(`It waits for an answer to: ${question}`);
  if (unfinished.isHeld) {
    voice.note("Another process is at it right now");
    return "no";
  }
  const word = await askWord(session, "Go on with it?", ["yes", "no", "drop"], "no");
  if (word === "yes") await goOn(session, unfinished.run, task, narrator, raised);
  else if (word === "drop") {
    await drop(session, unfinished.run);
    voice.note("The iteration was dropped. The manuscript is as it was");
  } else voice.note("It is kept. /resume goes on with it");
  return (word ?? "no") as "yes" | "no" | "drop";
}

async function goOn(
  session: Session,
  run: string,
  task: NovelTask,
  narrator: Narrator,
  raised: Partial<Ceilings>,
): Promise<void> {
  const { voice } = session;
  session.target = task.target;
  if (narrator.summary !== undefined) voice.say(`\n${narrator.summary.trimEnd()}\n`);
  await resumeIteration(session, run, task, narrator, raised);
}

/** Ends an iteration for good. Nothing of it is in the manuscript. */
export async function drop(session: Session, run: string): Promise<void> {
  const { project } = session.novel;
  const { novel } = await import("../index.ts");
  await project.cancel(run);
  await project.resume(novel as unknown as Loop, run);
}

/** A run's past, as a narrator knows it, and the question that it waits at. */
async function recallRun(
  session: Session,
  run: string,
): Promise<{ task: NovelTask; narrator: Narrator; question: string | undefined }> {
  const { project } = session.novel;
  const narrator = new Narrator(session.voice);
  const { input, gate } = await project.state(run);
  for await (const event of project.events(run)) narrator.recall(event);
  // What was paged then is not paged again.
  narrator.detail = undefined;
  narrator.full = undefined;
  return { task: input as unknown as NovelTask, narrator, question: gate && firstLine(questionOf(gate), 200) };
}
