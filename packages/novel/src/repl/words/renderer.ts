// Tells a run of the novel loop as it goes, in the writer's words. Everything comes from the run's events.

import type { GateRecord, Json, LoopEvent } from "@loopwright/core";
import { plainLine } from "@loopwright/terminal";
import { nameOf } from "../../layout.ts";
import type { NovelNotes } from "../../notes.ts";
import { questionOf } from "./gate-words.ts";
import { noteLines } from "./note-words.ts";
import type { Output } from "./output.ts";
import { fullBar, Progress, type Written } from "./progress.ts";
import { Spending } from "./spending.ts";
import { withCommas } from "./words.ts";

type Note = { [Name in keyof NovelNotes]: { name: Name; data: NovelNotes[Name] } }[keyof NovelNotes];

export class Renderer {
  readonly #output: Output;
  readonly #progress: Progress;
  /** Whether the run is a step of a cascade: what comes after it is said by whoever goes on. */
  readonly #isStep: boolean;
  #began: NovelNotes["generation-began"] | undefined;
  /** The chapter of prose that is being written. */
  #chapter = 1;
  /** Open gates by id: the answer's event does not say what was asked. */
  readonly #gates = new Map<string, GateRecord>();
  #attempt = 1;
  /** What was asked last before anything was written, and whether the answer is still to come. */
  #asked = "";
  #isAsking = false;
  #kind: NovelNotes["target-checked"] | undefined;
  /** What is to be paged before the next question. */
  detail: NovelNotes["detail-shown"] | undefined;
  /** The text of an attempt that is to be paged before the next question. */
  full: NovelNotes["full-shown"] | undefined;
  /** The variants that are to be shown before the next question. */
  variants: NovelNotes["variants-written"] | undefined;
  /** The last summary, for a question that is asked again in another session. */
  summary: string | undefined;
  /** What the judge has said so far. */
  readonly judged: NovelNotes["judged"][] = [];
  finalised: NovelNotes["finalised"] | undefined;
  readonly #spending = new Spending();
  /** The ceiling that ended the run. */
  ceiling: { ceiling: string; limit: number } | undefined;

  constructor(output: Output, options: { isStep?: boolean } = {}) {
    this.#output = output;
    this.#isStep = options.isStep === true;
    this.#progress = new Progress(output.terminal);
    output.clear = () => this.#progress.clear();
  }

  /** Remembers an event of an earlier session, without a word. */
  recall(event: LoopEvent): void {
    this.#spending.take(event);
    if (event.type === "gate-opened") this.#gates.set(event.gate.id, event.gate);
    if (event.type === "loop-noted") this.#remember(event as unknown as Note);
  }

  /** Tells an event as it happens. */
  take(event: LoopEvent): void {
    this.#spending.take(event);
    switch (event.type) {
      case "phase-started":
        this.#enter(event.phase);
        break;
      case "progress":
        this.#wrote(event.data);
        break;
      case "effect-started":
        this.#tellAsked(event.visit, event.input);
        break;
      case "effect-finished":
        if (this.#isAsking) this.#progress.end();
        this.#isAsking = false;
        this.#tellCut(event.result);
        break;
      case "ceiling-reached":
        this.ceiling = event;
        break;
      case "phase-finished":
        if (event.enter?.phase !== event.phase) this.#progress.end();
        break;
      case "visit-failed":
      case "run-ended":
        this.#progress.end();
        break;
      case "gate-opened":
        this.#progress.end();
        this.#gates.set(event.gate.id, event.gate);
        break;
      case "gate-answered":
        this.#tellAnswer(event.id, event.answer);
        break;
      case "loop-noted":
        this.#tell(event as unknown as Note);
        break;
      default:
    }
  }

  /** What the models took so far, in words; undefined where none was asked. */
  get spent(): string | undefined {
    return this.#spending.toText();
  }

  /** Leaves the terminal to others. */
  rest(): void {
    this.#progress.end();
  }

  #tell(note: Note): void {
    const { terminal } = this.#output;
    if (note.name === "generation-finished" && this.#progress.isLive) {
      this.#progress.end();
      this.#output.say(fullBar());
    }
    const context = { columns: terminal.columns, kind: this.#kind, isStep: this.#isStep };
    const lines = noteLines(note.name, note.data, context);
    if (lines !== undefined) for (const { text, style } of lines) this.#output.say(text, style);
    this.#remember(note);
  }

  #remember(note: Note): void {
    switch (note.name) {
      case "target-checked":
        this.#kind = note.data;
        break;
      case "generation-began":
        this.#began = note.data;
        this.#attempt = note.data.attempt;
        this.#chapter = 1;
        break;
      case "chapter-finished":
        this.#chapter = (note.data.at ?? note.data.chapter) + 1;
        break;
      case "judged":
        this.judged.push(note.data);
        break;
      case "semantic-diff":
        this.summary = note.data.text;
        break;
      case "detail-shown":
        this.detail = note.data;
        break;
      case "variants-written":
        this.variants = note.data;
        break;
      case "full-shown":
        this.full = note.data;
        break;
      case "finalised":
        this.finalised = note.data;
        break;
      default:
    }
  }

  #enter(phase: string): void {
    const { words_before: expected = 0, chapters, files, variants } = this.#began ?? {};
    const written = files?.[this.#chapter - 1];
    if (phase === "generate" && chapters)
      this.#progress.begin({
        name: "generate",
        expected: Math.round(expected / chapters),
        chapter: { number: this.#chapter, of: chapters, name: written === undefined ? undefined : nameOf(written) },
      });
    else if (phase === "generate")
      this.#progress.begin({ name: "generate", expected, isUntimed: variants !== undefined });
    else if (phase === "judge") this.#progress.begin({ name: "judge", expected: 0 });
    else if (phase === "summarize" || phase === "partial") {
      if (phase === "partial") this.#output.say(`\n[Semantic diff for attempt ${this.#attempt}...]`, "bold");
      this.#progress.begin({ name: "summarize", expected: 0 });
    }
  }

  #wrote(data: Json): void {
    const { error, next_try_in_s: seconds } = (data ?? {}) as { error?: string; next_try_in_s?: number };
    if (typeof error === "string" && typeof seconds === "number") {
      const when = seconds >= 1 ? `in ${Math.round(seconds)} s` : "now";
      this.#output.say(`[Waiting: ${plainLine(error)}. Next try ${when}]`, "yellow");
      this.#progress.wait(seconds);
      return;
    }
    const { words, tokens_per_s } = (data ?? {}) as Partial<Written>;
    if (typeof words === "number" && typeof tokens_per_s === "number") this.#progress.take({ words, tokens_per_s });
  }

  /** Who is asked what, once in a visit, where nothing else says it. */
  #tellAsked(visit: number, input: Json): void {
    const asked = askedOf(input);
    if (!asked) return;
    const name = `${visit} ${asked.prompt}`;
    if (this.#asked !== name) this.#output.say(`\n[Asking the ${asked.role} ${asked.what}...]`, "bold");
    this.#asked = name;
    this.#isAsking = true;
    this.#progress.begin({ name: "ask", expected: 0, role: asked.role });
  }

  /** What did not fit into a model's window, part by part. */
  #tellCut(result: Json): void {
    const { details } = (result ?? {}) as { details?: { cut?: readonly { part: string; from: number; to: number }[] } };
    const cut = details?.cut ?? [];
    if (cut.length === 0) return;
    const parts = cut.map(({ part, from, to }) =>
      to === 0 ? `${part} (left out)` : `${part} (${withCommas(to)} of ${withCommas(from)} tokens)`,
    );
    this.#output.say(
      `[Cut to fit the model's window: ${parts.join(", ")}; context: of the model in loopwright.yaml says how large that is]`,
      "yellow",
    );
  }

  /** A person who answered here has seen the question; what a flag said is told. */
  #tellAnswer(id: string, { choice, by }: { choice: string; by: string }): void {
    const gate = this.#gates.get(id);
    if (gate && by !== "person") this.#output.say(`${questionOf(gate)}${choice}`);
  }
}

/** What a model is asked before anything is written, by the prompt's name: without it a long answer looks like a standstill. */
const questions: Readonly<Record<string, string>> = {
  read: "what the feedback reaches",
  reach: "which files this reaches",
  condition: "whether the condition holds",
  "ask-back": "whether this says enough to act on",
  reply: "what you mean",
  talk: "about the book",
};

/** Who is asked what by an effect; undefined for one that asks no such thing. */
function askedOf(input: Json): { role: string; prompt: string; what: string } | undefined {
  const { role, request } = (input ?? {}) as { role?: unknown; request?: { id?: unknown } };
  const id = request?.id;
  if (typeof role !== "string" || typeof id !== "string") return undefined;
  const prompt = id.slice(id.lastIndexOf("/") + 1).split("@", 1)[0]!;
  return Object.hasOwn(questions, prompt) ? { role, prompt, what: questions[prompt]! } : undefined;
}
