// Drives an iteration in a session: the driver does what every run needs, and here is who shows it and asks.

import type { Ceilings, FrontEnd, GateRecord, Json, LoopEvent, RunResult } from "@loopwright/core";
import { plainLine } from "@loopwright/terminal";
import { fileTitle } from "../diff/index.ts";
import type { NovelTask } from "../task.ts";
import { askWord } from "./ask.ts";
import { lookAt } from "./gate-looks.ts";
import { pageSections } from "./input/pager.ts";
import { pageFiles, pageLines } from "./input/text-pager.ts";
import type { Session } from "./session.ts";
import { askedWords } from "./words/gate-words.ts";
import { Narrator } from "./words/narrator.ts";
import { sideBySide } from "./words/side-by-side.ts";
import { confirmWords, readSpoken } from "./words/spoken.ts";
import { downstreamLines } from "./words/words.ts";
import { wrap } from "./words/wrapping.ts";

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
  raised: Partial<Ceilings> = {},
): Promise<RunResult> {
  const frontEnd = new SessionFrontEnd(session, task, narrator);
  const { result } = await session.novel.driver.resume(run, { frontEnd, raised });
  return settle(session, task, result!);
}

async function settle(session: Session, task: NovelTask, result: RunResult): Promise<RunResult> {
  if (result.outcome === "done" && !task.is_question) {
    session.target = task.target;
    // What was wanted before a cascade began is still wanted after it.
    session.next = (result.state as { next?: string }).next ?? (session.isCascading ? session.next : undefined);
  }
  // The lines that follow in a script were written for another course of things.
  if (result.outcome === "interrupted" && !session.input.isInteractive) {
    session.isOver = true;
    session.exitCode = result.exitCode;
  }
  if (result.outcome === "done" && !task.is_question)
    await (await import("./cascade.ts")).afterIteration(session, task);
  return result;
}

const LEAVING = "(Ctrl-C again leaves; the question stays open until the project is opened again)";

class SessionFrontEnd implements FrontEnd {
  readonly #session: Session;
  readonly #task: NovelTask;
  readonly #narrator: Narrator;
  /** The run that is driven, once it has said anything. */
  #run = "";
  /** The gate that was asked last: what leads to it is said once. */
  #asked: string | undefined;

  constructor(session: Session, task: NovelTask, narrator: Narrator) {
    this.#session = session;
    this.#task = task;
    this.#narrator = narrator;
  }

  take(event: LoopEvent): void {
    this.#run = event.run;
    if (this.#session.voice.terminal.isJson) this.#narrator.recall(event);
    else this.#narrator.take(event);
  }

  async ask(gate: GateRecord, signal: AbortSignal): Promise<string | undefined> {
    const { input } = this.#session;
    await this.#page();
    if (gate.name === "downstream" && this.#asked !== gate.id) await this.#tellDownstream();
    this.#asked = gate.id;
    const giveUp = () => input.close();
    signal.addEventListener("abort", giveUp, { once: true });
    const line = await this.#answer(gate);
    signal.removeEventListener("abort", giveUp);
    return line;
  }

  /** An answer as the driver reads it. What is said in words is confirmed first; a look at the texts is no answer. */
  async #answer(gate: GateRecord): Promise<string | undefined> {
    const { input } = this.#session;
    for (;;) {
      const line = await input.read({
        prompt: this.#prompt(gate),
        isAnswer: true,
        words: gate.choices,
        leaving: LEAVING,
      });
      const text = line?.trim() ?? "";
      if (line === undefined) return undefined;
      if (text.startsWith("/")) {
        await lookAt(this.#session, this.#run, text);
        continue;
      }
      if (gate.name === "clarify") return text === "" || text.toLowerCase() === "skip" ? "skip" : `answer: ${text}`;
      if (gate.name === "variant" && /^\d\s*:/.test(text)) return `parts: ${text}`;
      const spoken = readSpoken(gate, line);
      if (!spoken) return line;
      const word = await askWord(this.#session, confirmWords(gate, spoken), ["yes", "no"], "yes");
      if (word === undefined) return undefined;
      if (word === "yes") return `${spoken.choice}: ${spoken.note}`;
    }
  }

  #prompt(gate: GateRecord): string {
    if (gate.name !== "clarify") return this.#wrapped(plainLine(askedWords(gate)));
    this.#session.voice.say(`\n${plainLine(gate.question)}`);
    return "Your answer (Enter skips): ";
  }

  /** A question that is longer than a line: what comes before its last line is said first, so that no word is broken. */
  #wrapped(question: string): string {
    const { voice } = this.#session;
    const { stdout, columns } = voice.terminal;
    const lines = stdout.isTTY ? wrap(question, columns - 2) : [question];
    if (lines.length > 1) voice.say(lines.slice(0, -1).join("\n"));
    return `${lines.at(-1)} `;
  }

  /** Shows what was asked for before the question that follows it. */
  async #page(): Promise<void> {
    const { voice, input } = this.#session;
    const { detail, full, variants } = this.#narrator;
    Object.assign(this.#narrator, { detail: undefined, full: undefined, variants: undefined });
    if (variants)
      await pageLines(fileTitle(variants.path), sideBySide(variants.texts, voice.terminal.columns), voice, input);
    if (detail) await pageSections(detail.files, voice, input);
    const titled = full?.files.map(({ path, content }) => ({ title: fileTitle(path), text: content }));
    if (titled) await pageFiles(titled, voice, input);
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
    if (outcome === "ceiling") {
      this.#tellCeiling(reason);
      return;
    }
    const words = endings[outcome];
    if (words === undefined) voice.fail(reason);
    voice.note(words ?? "Nothing is lost: the attempts so far are kept. /resume goes on once the cause is fixed");
  }

  /** A ceiling is nothing that went wrong: what it is called, and how it is raised. */
  #tellCeiling(reason: string): void {
    const { voice } = this.#session;
    const { ceiling, limit } = this.#narrator.ceiling ?? {};
    voice.say(`[Stopped at a ceiling: ${reason}]`, "yellow");
    const how = ceiling === undefined || limit === undefined ? "/resume" : `/resume ${ceiling}=${limit * TWICE}`;
    voice.note(`What was written so far is kept. To raise the ceiling and go on: ${how}`);
  }
}

/** What a ceiling is raised to where nobody says: twice as far. */
const TWICE = 2;

/** Where a run stands that has not failed. */
const endings: Readonly<Record<string, string>> = {
  waiting: "The question stays open. It is asked again when the project is opened, or with /resume",
  interrupted: "Stopped. What was written so far is kept: /resume goes on with it",
  cancelled: "The iteration was dropped. Nothing was changed",
};
