// Lines from a pipe, or from a terminal without line editing: each is a command, feedback, or the answer to a question.

import { createInterface } from "node:readline";
import type { Terminal } from "@loopwright/core";
import { plainLine } from "@loopwright/terminal";
import type { Asked, Input } from "./input.ts";

/** Reads lines as they come; none is lost between two questions. */
export class PipeInput implements Input {
  readonly #terminal: Terminal;
  readonly #lines: string[] = [];
  #close: (() => void) | undefined;
  #waiting: ((line: string | undefined) => void) | undefined;
  #isClosed = false;

  get isInteractive(): boolean {
    return this.#terminal.stdin.isTTY === true;
  }

  get isOver(): boolean {
    return this.#isClosed && this.#lines.length === 0;
  }

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  async read({ prompt }: Asked): Promise<string | undefined> {
    const { stdin, stdout, isJson } = this.#terminal;
    if (!isJson) stdout.write(prompt);
    const line = await this.#whole();
    // What is printed reads as the session it was; whoever types in a terminal has ended the line already.
    if (!isJson && (!stdin.isTTY || line === undefined)) stdout.write(`${plainLine(line ?? "")}\n`);
    return line;
  }

  /** The next line; one that ends with a backslash goes on in the line after it, the line break kept. */
  async #whole(): Promise<string | undefined> {
    const line = await this.#next();
    return line?.endsWith("\\") ? `${line.slice(0, -1)}\n${(await this.#whole()) ?? ""}` : line;
  }

  async #next(): Promise<string | undefined> {
    if (!this.#close && !this.#isClosed) this.#open();
    const ready = this.#lines.shift();
    if (ready !== undefined || this.#isClosed) return ready;
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  #open(): void {
    const reader = createInterface({ input: this.#terminal.stdin, terminal: false, crlfDelay: Infinity });
    this.#close = () => reader.close();
    reader.on("line", (line) => (this.#waiting ? this.#answer(line) : void this.#lines.push(line)));
    reader.on("close", () => this.#end());
  }

  #answer(line: string | undefined): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.(line);
  }

  #end(): void {
    this.#isClosed = true;
    this.#answer(undefined);
  }

  async remember(): Promise<void> {}

  close(): void {
    this.#close?.();
    this.#end();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
