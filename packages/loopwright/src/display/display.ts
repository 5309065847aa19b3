// The display of a run, from its events: lines for good, and on a terminal a live frame below them. With `--json` and `--quiet`
// there is none.

import { StringDecoder } from "node:string_decoder";
import type { LoopEvent } from "@loopwright/core";
import { LiveRegion, type Screen, type Terminal } from "@loopwright/terminal";
import { eventLines } from "./lines.ts";
import { frameLines, newWatch, type Watch, watchEvent } from "./watch.ts";
import type { Notes } from "./words.ts";

const FRAME_MS = 100;

export class Display {
  readonly #terminal: Terminal;
  /** The loop's own words. */
  readonly #notes: Notes;
  readonly #watch: Watch;
  readonly #isSilent: boolean;
  /** Where the live frame stands; undefined where lines are all there is. */
  readonly #region: LiveRegion | undefined;
  /** What is undone when the terminal is left to others; undefined while no frame is shown. */
  #shown: DisposableStack | undefined;
  #tick = 0;

  constructor(terminal: Terminal, notes: Notes, past: Partial<Watch> = {}) {
    this.#terminal = terminal;
    this.#notes = notes;
    this.#watch = newWatch(past);
    this.#isSilent = terminal.isJson || terminal.isQuiet;
    const isLive = terminal.stdout.isTTY === true && process.env.TERM !== "dumb" && !process.env.CI;
    this.#region = isLive && !this.#isSilent ? new LiveRegion(terminal.stdout) : undefined;
  }

  take(event: LoopEvent): void {
    const lines = eventLines(event, this.#watch, this.#terminal, this.#notes);
    watchEvent(this.#watch, event);
    if (lines.length > 0) this.#print(lines);
    if (!this.#region || event.run !== this.#watch.run) return;
    if (event.type === "phase-started") this.#show(this.#region);
    if (event.type === "run-ended") this.rest();
  }

  /** Something for the person, beside the events. */
  say(line: string): void {
    this.#print([line]);
  }

  /** Leaves the terminal to a question, or to the end. */
  rest(): void {
    this.#shown?.dispose();
    this.#shown = undefined;
  }

  #print(lines: string[]): void {
    if (this.#isSilent) return;
    if (this.#region) this.#region.print(lines);
    else for (const line of lines) this.#terminal.print(line);
  }

  #show(region: LiveRegion): void {
    const draw = () => region.draw(frameLines(this.#watch, this.#terminal, this.#tick++));
    this.#shown ??= this.#takeTerminal(region, draw);
    draw();
  }

  #takeTerminal(region: LiveRegion, draw: () => void): DisposableStack {
    const shown = new DisposableStack();
    const timer = setInterval(draw, FRAME_MS).unref();
    shown.defer(() => clearInterval(timer));
    shown.defer(() => region.clear());
    const screens = [this.#terminal.stdout, this.#terminal.stderr].filter((screen) => screen.isTTY);
    for (const screen of screens) shown.use(catchOutput(screen, (lines) => region.print(lines)));
    // Also where the process exits without more ado: at a second Ctrl-C, or before Node prints what nobody caught.
    const leave = () => this.rest();
    const suspend = () => {
      region.clear();
      process.kill(process.pid, "SIGSTOP");
    };
    process.on("exit", leave).on("SIGTSTP", suspend);
    shown.defer(() => {
      process.off("exit", leave).off("SIGTSTP", suspend);
    });
    return shown;
  }
}

/** Hands on what anyone writes to a stream, whole lines at a time, until it is disposed of: a loop's own console.log, a warning
 * of Node's. */
export function catchOutput(screen: Screen, take: (lines: string[]) => void): Disposable {
  const decoder = new StringDecoder();
  let begun = "";
  const taking = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    const lines = (begun + (typeof chunk === "string" ? chunk : decoder.write(chunk))).split("\n");
    begun = lines.pop() ?? "";
    if (lines.length > 0) take(lines);
    const done = rest.find((argument) => typeof argument === "function");
    if (done) process.nextTick(done as () => void);
    return true;
  };
  const own = Object.getOwnPropertyDescriptor(screen, "write");
  screen.write = taking;
  return {
    [Symbol.dispose]() {
      Reflect.deleteProperty(screen, "write");
      if (own) Object.defineProperty(screen, "write", own);
      if (begun !== "") take([begun]);
    },
  };
}
