// Displays: whatever they show of a run comes from its events. One for a terminal, one for a pipe, one for `--json`.

import type { LoopEvent, RunResult } from "@loopwright/core";
import { eventLines } from "./event-lines.ts";
import { eventToLine, resultToLine } from "./json-events.ts";
import { frameLines } from "./live-frame.ts";
import { LiveRegion } from "./live-region.ts";
import { catchOutput } from "./stray-output.ts";
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
  readonly #region: LiveRegion;
  /** What is undone when the terminal is left to others; undefined while nothing is shown. */
  #shown: DisposableStack | undefined;
  #tick = 0;

  constructor(terminal: Terminal, past: Partial<Watch>) {
    this.#terminal = terminal;
    this.#watch = newWatch(past);
    this.#region = new LiveRegion(terminal.stdout);
  }

  take(event: LoopEvent): void {
    const lines = eventLines(event, this.#watch, this.#terminal);
    watchEvent(this.#watch, event);
    if (lines.length > 0) this.#region.print(lines);
    if (event.run !== this.#watch.run) return;
    if (event.type === "phase-started") this.#show();
    if (event.type === "run-ended") this.rest();
  }

  say(line: string): void {
    this.#region.print([line]);
  }

  #show(): void {
    this.#shown ??= this.#takeTerminal();
    this.#draw();
  }

  #draw(): void {
    this.#region.draw(frameLines(this.#watch, this.#terminal, this.#tick++));
  }

  #takeTerminal(): DisposableStack {
    const shown = new DisposableStack();
    const timer = setInterval(() => this.#draw(), FRAME_MS).unref();
    shown.defer(() => clearInterval(timer));
    shown.defer(() => this.#region.clear());
    const screens = [this.#terminal.stdout, this.#terminal.stderr].filter((screen) => screen.isTTY);
    for (const screen of screens) shown.use(catchOutput(screen, (lines) => this.#region.print(lines)));
    // Also where the process exits without more ado: at a second Ctrl-C, or before Node prints what nobody caught.
    const leave = () => this.rest();
    const suspend = () => {
      this.#region.clear();
      process.kill(process.pid, "SIGSTOP");
    };
    process.on("exit", leave).on("SIGTSTP", suspend);
    shown.defer(() => {
      process.off("exit", leave).off("SIGTSTP", suspend);
    });
    return shown;
  }

  rest(): void {
    this.#shown?.dispose();
    this.#shown = undefined;
  }

  finish(): void {
    this.rest();
  }
}
