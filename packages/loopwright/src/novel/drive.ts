// Drives an iteration: starts the run or takes it up, asks its gates in place, and says how it stands in the end.

import type { GateRecord, Loop, LoopEvent, RunResult } from "@loopwright/core";
import type { NovelTask } from "@loopwright/novel";
import { givenCeilings } from "../configuration/settings.ts";
import { eventToLine, resultToLine } from "../display/json-events.ts";
import { plainLine } from "../display/terminal.ts";
import { watchInterrupts } from "../drive/interrupts.ts";
import { pageSections } from "./input/pager.ts";
import type { Session } from "./session.ts";
import { questionOf, readChoice } from "./words/gate-words.ts";
import { Narrator } from "./words/narrator.ts";
import { downstreamLines } from "./words/words.ts";

/** Starts an iteration and drives it until it ends, waits or is stopped. */
export async function startIteration(session: Session, task: NovelTask): Promise<RunResult> {
  const { project, roles } = session.novel;
  const { settings, configuration } = roles;
  const seed = session.cli.number("seed");
  const options = { slug: `novel ${task.target}`, ceilings: configuration.ceilings, config: { ...settings } };
  return driveIteration(
    session,
    task,
    new Narrator(session.voice),
    (loop, signal) => project.start(loop, task, { ...options, signal, ...(seed !== undefined && { seed }) }) as Driven,
  );
}

/** Goes on with an iteration that was left; the narrator knows its past. */
export async function resumeIteration(
  session: Session,
  run: string,
  task: NovelTask,
  narrator: Narrator,
): Promise<RunResult> {
  const { project, roles } = session.novel;
  const ceilings = givenCeilings(session.cli, roles.configuration);
  return driveIteration(
    session,
    task,
    narrator,
    (loop, signal) => project.resume(loop, run, { ceilings, signal }) as Driven,
  );
}

type Driven = Promise<RunResult>;
type Begin = (loop: Loop, signal: AbortSignal) => Driven;

async function driveIteration(session: Session, task: NovelTask, narrator: Narrator, begin: Begin): Promise<RunResult> {
  const { voice } = session;
  const { project } = session.novel;
  const { novel } = await import("@loopwright/novel");
  const loop = novel as unknown as Loop;
  session.listener = listenerOf(session, narrator);
  try {
    let result = await interruptible(session, (signal) => begin(loop, signal));
    while (result.gate && result.outcome === "waiting") {
      if (narrator.detail) await pageSections(narrator.detail.files, voice, session.input);
      narrator.detail = undefined;
      const choice = await askGate(session, task, result.gate);
      if (choice === undefined) break;
      await project.answer(result.gate.run, choice);
      result = await interruptible(session, (signal) => project.resume(loop, result.run, { signal }) as Driven);
    }
    narrator.rest();
    tellEnd(session, result);
    if (result.outcome === "done") session.target = task.target;
    // The lines that follow in a script were written for another course of things.
    if (result.outcome === "interrupted" && !session.input.isInteractive) leave(session, result.exitCode);
    return result;
  } finally {
    narrator.rest();
    session.listener = () => {};
  }
}

function leave(session: Session, exitCode: number): void {
  session.isOver = true;
  session.exitCode = exitCode;
}

/** Events as words, or as they are with `--json`. */
function listenerOf(session: Session, narrator: Narrator): (event: LoopEvent) => void {
  const { terminal } = session.voice;
  if (!terminal.isJson) return (event) => narrator.take(event);
  const root = `${session.novel.folder}/runs`;
  return (event) => {
    narrator.recall(event);
    // Its end is told once, with all that the last line must carry.
    if (event.type !== "run-ended") terminal.print(JSON.stringify(eventToLine(event, root)));
  };
}

/** Ctrl-C stops what is under way; everything that was recorded is kept. */
async function interruptible<Value>(session: Session, body: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
  using signal = watchInterrupts(() => session.voice.note("Stopping... what was written so far is kept"));
  // Awaited here, or the signal would be let go at once.
  return await body(signal);
}

/** Asks a gate; undefined where nobody answered. */
async function askGate(session: Session, task: NovelTask, gate: GateRecord): Promise<string | undefined> {
  const { voice, input } = session;
  if (gate.name === "downstream") {
    const below = (await session.manuscript()).downstreamOf(task.target);
    voice.say(`\n${downstreamLines(below, task.target).join("\n")}\n`, "yellow");
  }
  const leaving = "(Ctrl-C again leaves; the question stays open until the project is opened again)";
  for (;;) {
    const line = await input.read({
      prompt: `${plainLine(questionOf(gate))} `,
      isAnswer: true,
      words: gate.choices,
      leaving,
    });
    if (line === undefined) return undefined;
    const choice = readChoice(gate, line);
    if (choice !== undefined) return choice;
    voice.say(`Please answer with one of: ${gate.choices.join(", ")}`);
  }
}

/** How the run stands, where its own notes have not said it. */
function tellEnd(session: Session, result: RunResult): void {
  const { voice } = session;
  if (voice.terminal.isJson) {
    const root = `${session.novel.folder}/runs`;
    voice.terminal.print(JSON.stringify(resultToLine(result, root, Date.now())));
    return;
  }
  if (result.outcome === "done" || result.outcome === "declined") return;
  const words = endings[result.outcome];
  if (words === undefined) voice.fail(result.reason);
  voice.note(words ?? "Nothing is lost: the attempts so far are kept. /resume goes on once the cause is mended");
}

/** Where a run stands that has not failed. */
const endings: Readonly<Record<string, string>> = {
  waiting: "The question stays open. It is asked again when the project is opened, or with /resume",
  interrupted: "Stopped. What was written so far is kept: /resume goes on with it",
  cancelled: "The iteration was dropped. Nothing was changed",
};
