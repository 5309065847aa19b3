// Tells a run of the novel loop as it goes, in the writer's words. Everything comes from the run's events.

import type { GateRecord, Json, LoopEvent } from "@loopwright/core";
import { plainLine } from "@loopwright/terminal";
import { nameOf } from "../../manuscript/files/layout.ts";
import type { NovelNotes } from "../../notes.ts";
import { questionOf } from "./gate-words.ts";
import { noteLines } from "./note-words.ts";
import type { Output } from "./output.ts";
import { fullBar, Progress, type Written } from "./progress.ts";
import { withCommas } from "./words.ts";

type Note = { [Name in keyof NovelNotes]: { name: Name; data: NovelNotes[Name] } }[keyof NovelNotes];

export class Renderer {
  readonly #output: Output;
  readonly #progress: Progress;
  /** Whether the run is a step of a cascade: what comes after it is said by whoever goes on. */
  readonly #isStep: boolean;
  /** Open gates by id: the answer's event does not say what was asked. */
  readonly #gates = new Map<string, GateRecord>();
  #kind: NovelNotes["target-checked"] | undefined;
  #began: NovelNotes["generation-began"] | undefined;
  /** The chapter of prose that is being written. */
  #chapter = 1;
  /** What was asked last before anything was written. */
  #asked = "";
  /** What is to be paged before the next question: sections of a diff, the text of an attempt, variants. */
  detail: NovelNotes["detail-shown"] | undefined;
  full: NovelNotes["full-shown"] | undefined;
  variants: NovelNotes["variants-written"] | undefined;
  /** The last summary, and what the judge has said so far: for a question that is asked again in another session. */
  summary: string | undefined;
  readonly judged: NovelNotes["judged"][] = [];
  /** The ceiling that ended the run. */
  ceiling: { ceiling: string; limit: number } | undefined;

  constructor(output: Output, options: { isStep?: boolean } = {}) {
    this.#output = output;
    this.#isStep = options.isStep === true;
    this.#progress = new Progress(output.terminal);
    output.clear = () => this.#progress.clear();
  }

  /** Leaves the terminal to others. */
  rest(): void {
    this.#progress.end();
  }

  /** Remembers an event of an earlier session, without a word. */
  recall(event: LoopEvent): void {
    if (event.type === "gate-opened") this.#gates.set(event.gate.id, event.gate);
    if (event.type === "loop-noted") this.#remember(event as unknown as Note);
  }

  /** Tells an event as it happens. */
  take(event: LoopEvent): void {
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
        this.#tellCut(event.result);
        break;
      case "ceiling-reached":
        this.ceiling = event;
        break;
      case "phase-finished":
        if (event.enter?.phase !== event.phase) this.rest();
        break;
      case "visit-failed":
      case "run-ended":
      case "gate-opened":
        this.rest();
        break;
      case "gate-answered":
        this.#tellAnswer(event.id, event.answer);
        break;
      case "loop-noted":
        this.#tell(event as unknown as Note);
        break;
      default:
    }
    this.recall(event);
  }

  #tell({ name, data }: Note): void {
    const { columns } = this.#output.terminal;
    if (name === "generation-finished" && this.#progress.isLive) {
      this.rest();
      this.#output.say(fullBar());
    }
    const lines = noteLines(name, data, { columns, kind: this.#kind, isStep: this.#isStep });
    for (const { text, style } of lines ?? []) this.#output.say(text, style);
  }

  #remember(note: Note): void {
    switch (note.name) {
      case "target-checked":
        this.#kind = note.data;
        break;
      case "generation-began":
        [this.#began, this.#chapter] = [note.data, 1];
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
      case "full-shown":
        this.full = note.data;
        break;
      case "variants-written":
        this.variants = note.data;
        break;
      default:
    }
  }

  #enter(phase: string): void {
    const { words_before = 0, chapters, files, variants } = this.#began ?? {};
    const [number, written] = [this.#chapter, files?.[this.#chapter - 1]];
    // Of variants each begins its count anew.
    const expected = variants === undefined ? words_before : 0;
    if (phase === "write")
      this.#progress.begin(
        chapters
          ? {
              expected: Math.round(expected / chapters),
              chapter: { number, of: chapters, name: written && nameOf(written) },
            }
          : { expected },
      );
    else if (["judge", "summarize"].includes(phase)) this.#progress.begin({ expected: 0 });
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

  /** Who is asked what, once in a visit, where nothing else says it: without it a long answer looks like a standstill. */
  #tellAsked(visit: number, input: Json): void {
    const { role, request } = (input ?? {}) as { role?: string; request?: { id?: string } };
    const prompt = (request?.id ?? "").split("/").at(-1)!.split("@", 1)[0]!;
    if (role === undefined || !Object.hasOwn(questions, prompt)) return;
    const name = `${visit} ${prompt}`;
    if (this.#asked !== name) this.#output.say(`\n[Asking the ${role} ${questions[prompt]}...]`, "bold");
    this.#asked = name;
    this.#progress.begin({ expected: 0, role });
  }

  /** What did not fit into a model's window, part by part. */
  #tellCut(result: Json): void {
    const { details } = (result ?? {}) as { details?: { cut?: readonly { part: string; from: number; to: number }[] } };
    const parts = (details?.cut ?? []).map(({ part, from, to }) =>
      to === 0 ? `${part} (left out)` : `${part} (${withCommas(to)} of ${withCommas(from)} tokens)`,
    );
    if (parts.length > 0)
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

/** What a model is asked before anything is written, by the prompt's name. */
const questions: Readonly<Record<string, string>> = {
  read: "what the feedback reaches",
  reply: "what you mean",
  talk: "about the book",
};
