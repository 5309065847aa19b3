// Tells a run of the novel loop as it goes, in the writer's words. Everything comes from the run's events.

import type { GateRecord, Json, LoopEvent } from "@loopwright/core";
import { plainLine, showNumber } from "@loopwright/terminal";
import { nameOf } from "../../manuscript/files/layout.ts";
import type { NovelNotes } from "../../notes.ts";
import { noteLines } from "./note-words.ts";
import { fullBar, type Output, Progress, type Written } from "./output.ts";
import { questionOf } from "./words.ts";

type Note = { [Name in keyof NovelNotes]: { name: Name; data: NovelNotes[Name] } }[keyof NovelNotes];

export class Renderer {
  readonly #output: Output;
  readonly #progress: Progress;
  /** Whether the run is a step of a cascade: what comes after it is said by whoever goes on. */
  readonly #isStep: boolean;
  /** Open gates by id: the answer's event does not say what was asked. */
  readonly #gates = new Map<string, GateRecord>();
  /** The chapter of prose that is being written. */
  #chapter = 1;
  /** What was asked last before anything was written. */
  #asked = "";
  /** The last note of each kind: what is to be paged before the next question, and what one that is asked again in another session needs. */
  readonly #last: Partial<NovelNotes> = {};
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
    const lines = noteLines(name, data, { columns, kind: this.#last["target-checked"], isStep: this.#isStep });
    for (const { text, style } of lines ?? []) this.#output.say(text, style);
  }

  #remember({ name, data }: Note): void {
    Object.assign(this.#last, { [name]: data });
    if (name === "generation-began") this.#chapter = 1;
    if (name === "chapter-finished") this.#chapter = (data.at ?? data.chapter) + 1;
    if (name === "judged") this.judged.push(data);
  }

  /** The last summary of the changes. */
  get summary(): string | undefined {
    return this.#last["semantic-diff"]?.text;
  }

  /** What is to be paged before the next question, once: sections of a diff, the text of an attempt, variants. */
  takePages() {
    const { "detail-shown": detail, "full-shown": full, "variants-written": variants } = this.#last;
    for (const name of ["detail-shown", "full-shown", "variants-written"] as const) delete this.#last[name];
    return { detail, full, variants };
  }

  #enter(phase: string): void {
    const { words_before = 0, chapters, files, variants } = this.#last["generation-began"] ?? {};
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
      to === 0 ? `${part} (left out)` : `${part} (${showNumber(to)} of ${showNumber(from)} tokens)`,
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
