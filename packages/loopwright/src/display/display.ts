// Displays: whatever they show of a run comes from its events. One for a terminal, one for a pipe.

import type { LoopEvent } from "@loopwright/core";
import type { Terminal } from "@loopwright/terminal";
import { LiveRegion } from "@loopwright/terminal";
import type { Notes } from "../loops/notes.ts";
import { eventLines } from "./event-lines.ts";
import { frameLines } from "./live-frame.ts";
import { catchOutput } from "./stray-output.ts";
import { newWatch, type Watch, watchEvent } from "./watch.ts";

export interface Display {
  take(event: LoopEvent): void;
  /** Something for the person, beside the events. */
  say(line: string): void;
  /** Leaves the terminal to a question, or to the end. */
  rest(): void;
}

/** The display that fits: nothing, a live frame, or plain lines. The notes are the loop's own words. */
export function openDisplay(terminal: Terminal, notes: Notes, past: Partial<Watch> = {}): Display {
  if (terminal.isJson || terminal.isQuiet) return { take: () => {}, say: () => {}, rest: () => {} };
  const isLive = terminal.stdout.isTTY === true && process.env.TERM !== "dumb" && !process.env.CI;
  return isLive ? new LiveDisplay(terminal, notes, past) : new PlainLines(terminal, notes, past);
}

class PlainLines implements Display {
  readonly #terminal: Terminal;
  readonly #notes: Notes;
  readonly #watch: Watch;

  constructor(terminal: Terminal, notes: Notes, past: Partial<Watch>) {
    this.#terminal = terminal;
    this.#notes = notes;
    this.#watch = newWatch(past);
  }

  take(event: LoopEvent): void {
    for (const line of eventLines(event, this.#watch, this.#terminal, this.#notes)) this.#terminal.print(line);
    watchEvent(this.#watch, event);
  }

  say(line: string): void {
    this.#terminal.print(line);
  }

  rest(): void {}
}

const FRAME_MS = 100;

class LiveDisplay implements Display {
  readonly #terminal: Terminal;
  readonly #notes: Notes;
  readonly #watch: Watch;
  readonly #region: LiveRegion;
  /** What is undone when the terminal is left to others; undefined while nothing is shown. */
  #shown: DisposableStack | undefined;
  #tick = 0;

  constructor(terminal: Terminal, notes: Notes, past: Partial<Watch>) {
    this.#terminal = terminal;
    this.#notes = notes;
    this.#watch = newWatch(past);
    this.#region = new LiveRegion(terminal.stdout);
  }

  take(event: LoopEvent): void {
    const lines = eventLines(event, this.#watch, this.#terminal, this.#notes);
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
}
