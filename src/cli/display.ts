// Displays: whatever they show of a run comes from its events. One for a terminal, one for a pipe, one for `--json`.
//
// The live display never hides the cursor, so that a process killed with SIGKILL leaves the terminal as it was.

import { createLogUpdate } from "log-update";
import type { RunResult } from "../core/engine.ts";
import type { LoopEvent } from "../core/events.ts";
import { eventLines } from "./event-lines.ts";
import { eventToLine, resultToLine } from "./json-events.ts";
import { frameLines } from "./live-frame.ts";
import type { Terminal } from "./terminal.ts";
import { newWatch, type Watch, watchEvent } from "./watch.ts";

export interface Display {
  take(event: LoopEvent): void;
  /** Something for the person, beside the events. */
  say(line: string): void;
  /** Leaves the terminal to a question, or to the end. */
  rest(): void;
  /** The last word on a run. */
  finish(result: RunResult): void;
}

/** The display that fits: JSON lines, nothing, a live frame, or plain lines. */
export function openDisplay(terminal: Terminal, root: string, past: Partial<Watch> = {}): Display {
  if (terminal.isJson) return new JsonLines(terminal, root);
  if (terminal.isQuiet) return { take: () => {}, say: () => {}, rest: () => {}, finish: () => {} };
  const isLive = terminal.stdout.isTTY === true && process.env.TERM !== "dumb" && !process.env.CI;
  return isLive ? new LiveDisplay(terminal, past) : new PlainLines(terminal, past);
}

class JsonLines implements Display {
  readonly #terminal: Terminal;
  readonly #root: string;
  /** The run that the command drives: the first that is heard of. */
  #run: string | undefined;

  constructor(terminal: Terminal, root: string) {
    this.#terminal = terminal;
    this.#root = root;
  }

  take(event: LoopEvent): void {
    this.#run ??= event.run;
    // Its end is told once, by `finish`, with all that the last line must carry.
    if (event.type === "run-ended" && event.run === this.#run) return;
    this.#terminal.print(JSON.stringify(eventToLine(event, this.#root)));
  }

  say(): void {}
  rest(): void {}

  finish(result: RunResult): void {
    this.#terminal.print(JSON.stringify(resultToLine(result, this.#root, Date.now())));
  }
}

class PlainLines implements Display {
  readonly #terminal: Terminal;
  readonly #watch: Watch;

  constructor(terminal: Terminal, past: Partial<Watch>) {
    this.#terminal = terminal;
    this.#watch = newWatch(past);
  }

  take(event: LoopEvent): void {
    for (const line of eventLines(event, this.#watch, this.#terminal)) this.#terminal.print(line);
    watchEvent(this.#watch, event);
  }

  say(line: string): void {
    this.#terminal.print(line);
  }

  rest(): void {}
  finish(): void {}
}

const FRAME_MS = 100;

class LiveDisplay implements Display {
  readonly #terminal: Terminal;
  readonly #watch: Watch;
  readonly #log: ReturnType<typeof createLogUpdate>;
  #timer: NodeJS.Timeout | undefined;
  #tick = 0;

  constructor(terminal: Terminal, past: Partial<Watch>) {
    this.#terminal = terminal;
    this.#watch = newWatch(past);
    this.#log = createLogUpdate(terminal.stdout as NodeJS.WriteStream, { showCursor: true });
  }

  take(event: LoopEvent): void {
    const lines = eventLines(event, this.#watch, this.#terminal);
    watchEvent(this.#watch, event);
    for (const line of lines) this.say(line);
    if (event.type === "run-ended" && event.run === this.#watch.run) {
      this.rest();
      return;
    }
    this.#timer ??= setInterval(() => this.#draw(), FRAME_MS).unref();
    if (event.type === "phase-started") this.#draw();
  }

  say(line: string): void {
    this.#log.clear();
    this.#terminal.print(line);
    if (this.#timer) this.#draw();
  }

  #draw(): void {
    this.#log(frameLines(this.#watch, this.#terminal, this.#tick++).join("\n"));
  }

  rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#log.clear();
    this.#log.done();
  }

  finish(): void {
    this.rest();
  }
}
