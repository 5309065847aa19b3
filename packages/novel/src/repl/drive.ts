// Drives an iteration in a session: the driver does what every run needs, and here is who shows it and asks.

import type { FrontEnd, GateRecord, Json, LoopEvent, RunResult } from "@loopwright/core";
import { plainLine } from "@loopwright/terminal";
import type { NovelTask } from "../task.ts";
import { pageSections } from "./input/pager.ts";
import type { Session } from "./session.ts";
import { askedWords } from "./words/gate-words.ts";
import { Narrator } from "./words/narrator.ts";
import { downstreamLines } from "./words/words.ts";

/** Starts an iteration and drives it until it ends, waits or is stopped. */
export async function startIteration(session: Session, task: NovelTask): Promise<RunResult> {
  const frontEnd = new SessionFrontEnd(session, task, new Narrator(session.voice));
  const slug = `novel ${task.target}`;
  const { result } = await session.novel.driver.start(task as unknown as Json, { slug, frontEnd });
  return settle(session, task, result!);
}

/** Goes on with an iteration that was left; the narrator knows its past. */
export async function resumeIteration(
  session: Session,
  run: string,
  task: NovelTask,
  narrator: Narrator,
): Promise<RunResult> {
  const frontEnd = new SessionFrontEnd(session, task, narrator);
  const { result } = await session.novel.driver.resume(run, { frontEnd });
  return settle(session, task, result!);
}

async function settle(session: Session, task: NovelTask, result: RunResult): Promise<RunResult> {
  if (result.outcome === "done") session.target = task.target;
  // The lines that follow in a script were written for another course of things.
  if (result.outcome === "interrupted" && !session.input.isInteractive) {
    session.isOver = true;
    session.exitCode = result.exitCode;
  }
  if (result.outcome === "done") await (await import("./cascade.ts")).afterIteration(session, task);
  return result;
}

const LEAVING = "(Ctrl-C again leaves; the question stays open until the project is opened again)";

class SessionFrontEnd implements FrontEnd {
  readonly #session: Session;
  readonly #task: NovelTask;
  readonly #narrator: Narrator;
  /** The gate that was asked last: what leads to it is said once. */
  #asked: string | undefined;

  constructor(session: Session, task: NovelTask, narrator: Narrator) {
    this.#session = session;
    this.#task = task;
    this.#narrator = narrator;
  }

  take(event: LoopEvent): void {
    if (this.#session.voice.terminal.isJson) this.#narrator.recall(event);
    else this.#narrator.take(event);
  }

  async ask(gate: GateRecord, signal: AbortSignal): Promise<string | undefined> {
    const { voice, input } = this.#session;
    if (this.#narrator.detail) await pageSections(this.#narrator.detail.files, voice, input);
    this.#narrator.detail = undefined;
    if (gate.name === "downstream" && this.#asked !== gate.id) await this.#tellDownstream();
    this.#asked = gate.id;
    const giveUp = () => input.close();
    signal.addEventListener("abort", giveUp, { once: true });
    const prompt = `${plainLine(askedWords(gate))} `;
    const line = await input.read({ prompt, isAnswer: true, words: gate.choices, leaving: LEAVING });
    signal.removeEventListener("abort", giveUp);
    return line;
  }

  async #tellDownstream(): Promise<void> {
    const [{ keptBelow }, manuscript] = await Promise.all([
      import("../committing/read-project.ts"),
      this.#session.manuscript(),
    ]);
    const { target } = this.#task;
    const lines = downstreamLines(manuscript.downstreamOf(target), target, await keptBelow(manuscript, target));
    this.#session.voice.say(`\n${lines.join("\n")}\n`, "yellow");
  }

  say(line: string): void {
    this.#session.voice.note(line);
  }

  rest(): void {
    this.#narrator.rest();
  }

  /** How the run stands, where its own notes have not said it. */
  end({ outcome, reason }: RunResult): void {
    const { voice } = this.#session;
    if (voice.terminal.isJson || outcome === "done" || outcome === "declined") return;
    const words = endings[outcome];
    if (words === undefined) voice.fail(reason);
    voice.note(words ?? "Nothing is lost: the attempts so far are kept. /resume goes on once the cause is mended");
  }
}

/** Where a run stands that has not failed. */
const endings: Readonly<Record<string, string>> = {
  waiting: "The question stays open. It is asked again when the project is opened, or with /resume",
  interrupted: "Stopped. What was written so far is kept: /resume goes on with it",
  cancelled: "The iteration was dropped. Nothing was changed",
};
