// Drives an iteration in a session: the driver does what every run needs, and here is who shows it and asks.

import type { Ceilings, FrontEnd, GateRecord, Json, LoopEvent, RunResult } from "@loopwright/core";
import { plainLine } from "@loopwright/terminal";
import { fileTitle } from "../diff/index.ts";
import type { NovelTask } from "../task.ts";
import { askWord, promptFor } from "./ask.ts";
import { lookAt } from "./gate-looks.ts";
import { pageSections } from "./input/pager.ts";
import { pageFiles, pageLines } from "./input/text-pager.ts";
import { originOf } from "./origins.ts";
import type { Session } from "./session.ts";
import { isQuit } from "./words/command-words.ts";
import { askedWords } from "./words/gate-words.ts";
import { Renderer } from "./words/renderer.ts";
import { sideBySide } from "./words/side-by-side.ts";
import { answerLine, confirmChoices, confirmWords, isForAccept, readSpoken, type Spoken } from "./words/spoken.ts";
import { downstreamLines, messages } from "./words/words.ts";

/** Starts an iteration and drives it until it ends, waits or is stopped. */
export async function startIteration(session: Session, task: NovelTask): Promise<RunResult> {
  const frontEnd = new SessionFrontEnd(
    session,
    task,
    // What is wanted next within a cascade is followed by the rest of it.
    new Renderer(session.output, { isStep: task.cascade !== undefined || session.isCascading }),
  );
  const slug = `novel ${task.target}`;
  const { result } = await session.novel.driver.start(task as unknown as Json, { slug, frontEnd });
  return settle(session, task, result!);
}

/** Goes on with an iteration that was left; the renderer knows its past. */
export async function resumeIteration(
  session: Session,
  run: string,
  task: NovelTask,
  renderer: Renderer,
  raised: Partial<Ceilings> = {},
): Promise<RunResult> {
  const frontEnd = new SessionFrontEnd(session, task, renderer);
  const { result } = await session.novel.driver.resume(run, { frontEnd, raised });
  return settle(session, task, result!);
}

async function settle(session: Session, task: NovelTask, result: RunResult): Promise<RunResult> {
  // The lines that follow in a script were written for another course of things.
  if (result.outcome === "interrupted" && !session.input.isInteractive) {
    session.isOver = true;
    session.exitCode = result.exitCode;
  }
  if (result.outcome === "done" && !task.is_question) {
    session.target = task.target;
    const { next } = result.state as { next?: string };
    if (next !== undefined) session.wanted.push({ target: task.target, feedback: next });
    await (await import("./cascade.ts")).afterIteration(session, task);
  }
  return result;
}

const LEAVING = "(Ctrl-C again leaves; the question stays open until the project is opened again)";

/** What a level of a cascade is answered with that is decided about at the end. */
const TAKEN: Readonly<Record<string, string>> = { detail: "skip", accept: "yes" };

class SessionFrontEnd implements FrontEnd {
  readonly #session: Session;
  readonly #task: NovelTask;
  readonly #renderer: Renderer;
  /** The run that is driven, once it has said anything. */
  #run = "";
  /** The gate that was asked last: what leads to it is said once. */
  #asked: string | undefined;
  /** What was said at a question and answers the one after it. */
  #ahead: string | undefined;
  /** Whether the author has confirmed here what they want next: it is not asked twice. */
  #isNextConfirmed = false;

  constructor(session: Session, task: NovelTask, renderer: Renderer) {
    this.#session = session;
    this.#task = task;
    this.#renderer = renderer;
  }

  take(event: LoopEvent): void {
    this.#run = event.run;
    if (this.#session.output.terminal.isJson) this.#renderer.recall(event);
    else this.#renderer.take(event);
  }

  async ask(gate: GateRecord, signal: AbortSignal): Promise<string | undefined> {
    const { input } = this.#session;
    if (gate.name === "next" && this.#isNextConfirmed) return "yes";
    await this.#page();
    if (gate.name === "downstream" && this.#asked !== gate.id) await this.#tellDownstream();
    this.#asked = gate.id;
    const known = this.#session.decidesAtEnd ? TAKEN[gate.name] : undefined;
    if (known !== undefined) {
      this.#session.output.say(`${askedWords(gate)}${known}`);
      return known;
    }
    const giveUp = () => input.close();
    signal.addEventListener("abort", giveUp, { once: true });
    const line = await this.#answer(gate);
    signal.removeEventListener("abort", giveUp);
    return line;
  }

  /** An answer as the driver reads it. What is said in words is confirmed first; a look at the texts is no answer. */
  async #answer(gate: GateRecord): Promise<string | undefined> {
    for (;;) {
      const line = this.#takeAhead(gate) ?? (await this.#read(gate));
      const text = line?.trim() ?? "";
      if (line === undefined) return undefined;
      if (isQuit(text)) {
        this.say(`${messages.leave}, and the question stays open`);
        continue;
      }
      if (text.startsWith("/")) {
        await lookAt(this.#session, this.#run, text);
        continue;
      }
      if (gate.name === "clarify") return text === "" || text.toLowerCase() === "skip" ? "skip" : `answer: ${text}`;
      if (gate.name === "variant" && /^\d\s*:\s*\d/.test(text)) return `parts: ${text}`;
      const { language } = this.#session;
      if (isForAccept(gate, text, language)) {
        this.#ahead = text;
        return "skip";
      }
      const spoken = this.#settled(gate, readSpoken(gate, line, language));
      const clearer = spoken ? undefined : this.#saidMore(gate, text);
      if (clearer !== undefined) {
        const word = await askWord(this.#session, `Begin again with "${clearer}"?`, ["yes", "no"], "yes");
        if (word === undefined) return undefined;
        if (word !== "yes") continue;
        this.#session.wanted.push({ target: this.#task.target, feedback: clearer });
        return "cancel";
      }
      if (!spoken) return answerLine(gate, line, language);
      const word = await askWord(
        this.#session,
        confirmWords(gate, spoken, this.#renderer.changed),
        confirmChoices(gate, spoken),
        "yes",
      );
      if (word === undefined) return undefined;
      if (word === "stop") return `stop: ${spoken.note}`;
      if (word !== "yes") continue;
      this.#isNextConfirmed = gate.name === "accept" && spoken.choice === "yes";
      return `${spoken.choice}: ${spoken.note}`;
    }
  }

  /** A person's own text is not written again by anyone: a no to it is the end. */
  #settled({ name }: GateRecord, spoken: Spoken | undefined): Spoken | undefined {
    const isOver = this.#task.kind === "edit" && name === "accept" && spoken?.choice === "no";
    return spoken && isOver ? { ...spoken, choice: "stop" } : spoken;
  }

  /** The feedback in clearer words, where nobody could say what it reaches and the author answers with more than a choice. */
  #saidMore({ name, choices }: GateRecord, text: string): string | undefined {
    const isOpen = name === "reach" && !choices.includes("yes");
    const isChoice = /^(?:all|add|drop|cancel|no|stop)(?!\p{L})/iu.test(answerLine({ name, choices }, text));
    if (!isOpen || isChoice || text.split(/\s+/).length < 3) return undefined;
    return `${this.#task.feedback.join(" ").replace(/[.\s]+$/, "")}: ${text}`;
  }

  #takeAhead({ name }: GateRecord): string | undefined {
    const said = name === "accept" ? this.#ahead : undefined;
    this.#ahead = undefined;
    return said;
  }

  #read(gate: GateRecord): Promise<string | undefined> {
    const { input } = this.#session;
    return input.read({ prompt: this.#prompt(gate), isAnswer: true, words: gate.choices, leaving: LEAVING });
  }

  #prompt(gate: GateRecord): string {
    const { output } = this.#session;
    if (gate.name !== "clarify") return promptFor(output, plainLine(askedWords(gate)));
    output.say(`\n${plainLine(gate.question)}`);
    return "Your answer (Enter skips): ";
  }

  /** Shows what was asked for before the question that follows it. */
  async #page(): Promise<void> {
    const { output, input } = this.#session;
    const { detail, full, variants } = this.#renderer;
    Object.assign(this.#renderer, { detail: undefined, full: undefined, variants: undefined });
    if (variants) {
      const current = this.#task.passage ?? (await this.#session.manuscript()).text(variants.path) ?? "";
      const lines = sideBySide(variants.texts, output.terminal.columns, current);
      await pageLines(fileTitle(variants.path), lines, output, input);
    }
    if (detail) await pageSections(detail.files, output, input);
    const titled = full?.files.map(({ path, content }) => ({ title: fileTitle(path), text: content }));
    if (titled) await pageFiles(titled, output, input);
  }

  async #tellDownstream(): Promise<void> {
    const [{ keptBelow }, { stayingBelow }, manuscript] = await Promise.all([
      import("../committing/read-project.ts"),
      import("../manuscript/index.ts"),
      this.#session.manuscript(),
    ]);
    const { target } = this.#task;
    const below = manuscript.downstreamOf(target);
    const kept = await keptBelow(manuscript, target);
    const origin = await originOf(this.#session, manuscript, below[0]?.level);
    const lines = downstreamLines(below, target, kept, origin, stayingBelow(manuscript, target));
    this.#session.output.say(`\n${lines.join("\n")}\n`, "yellow");
    this.#session.output.note(
      `cull-all: all of it is deleted · keep-all: it stays; what was made from the changed files is stale then${below.some(({ level }) => level !== "analysis") ? " · cascade: it stays, and that is brought in line" : ""}`,
    );
  }

  say(line: string): void {
    this.#session.output.note(line);
  }

  rest(): void {
    this.#renderer.rest();
  }

  /** How the run stands, where its own notes have not said it. */
  end({ outcome, reason }: RunResult): void {
    const { output } = this.#session;
    if (output.terminal.isJson) return;
    const { spent } = this.#renderer;
    if (spent !== undefined && outcome !== "waiting") output.note(spent);
    if (outcome === "done" || outcome === "declined") return;
    if (outcome === "ceiling") {
      this.#tellCeiling(reason);
      return;
    }
    const words = endings[outcome];
    if (words === undefined) output.fail(reason);
    output.note(words ?? "Nothing is lost: the attempts so far are kept. /resume goes on once the cause is fixed");
  }

  /** A ceiling is nothing that went wrong: what it is called, and how it is raised. */
  #tellCeiling(reason: string): void {
    const { output } = this.#session;
    const { ceiling, limit } = this.#renderer.ceiling ?? {};
    output.say(`[Stopped at a ceiling: ${reason}]`, "yellow");
    const how = ceiling === undefined || limit === undefined ? "/resume" : `/resume ${ceiling}=${limit * TWICE}`;
    output.note(`What was written so far is kept. To raise the ceiling and go on: ${how}`);
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
