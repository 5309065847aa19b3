// Where the REPL's lines come from: a terminal with line editing, or a pipe; and questions of its own, beside the gates of runs.

import { createInterface } from "node:readline";
import { LoopwrightError, type Terminal } from "@loopwright/core";
import { plainLine } from "@loopwright/terminal";
import { type Output, textWidth, wrap } from "../words/output.ts";
import { messages } from "../words/words.ts";

/** What is asked for. */
export interface Asked {
  /** What stands before the cursor. */
  prompt: string;
  /** An answer to a question: it is not kept among the lines that can be called back. */
  isAnswer?: boolean;
  /** What can be said here, for completion; without, the commands. */
  words?: readonly string[];
  /** What Ctrl-C at an empty line says; the second time it leaves. */
  leaving?: string;
}

/** What completes a line: the ways it could go on, and the part of it that they replace. */
export type Completer = (line: string) => readonly [readonly string[], string];

export interface Input extends Disposable {
  /** Whether a person is there, who sees what happens and types accordingly. */
  readonly isInteractive: boolean;
  /** Whether nothing more will come. */
  readonly isOver: boolean;
  /** A line; undefined at the end of input, or where the person leaves. It may hold line breaks. */
  read(asked: Asked): Promise<string | undefined>;
  /** From now on lines of this project can be called back, and new ones are kept there. */
  remember(project: string): Promise<void>;
  close(): void;
}

/** The input that fits; `project` is the folder that is open. */
export async function openInput(terminal: Terminal, project: () => string | undefined): Promise<Input> {
  const { stdin, stdout } = terminal;
  const isTerminal = stdin.isTTY && stdout.isTTY && !terminal.isJson && process.env.TERM !== "dumb";
  if (!isTerminal) return new PipeInput(terminal);
  const [{ completer }, { TerminalInput }] = await Promise.all([
    import("./completion.ts"),
    import("./terminal-input.ts"),
  ]);
  return new TerminalInput(terminal, completer(project));
}

/** Whether a line typed at a question is meant to leave: `/quit`, or a beginning of it. */
export function isQuit(text: string): boolean {
  return /^\/(?:q|qu|qui|quit|exit|bye)$/i.test(text.trim());
}

/** What it takes to ask. */
export interface Asking {
  output: Output;
  input: Input;
  context: { isSet(flag: string): boolean };
}

/** One of some words, or an unambiguous beginning of it; undefined at the end of input. `--yes` takes the default. */
export async function askWord<Word extends string>(
  { output, input, context }: Asking,
  question: string,
  words: readonly Word[],
  fallback: Word,
): Promise<Word | undefined> {
  const prompt = `${question} (${words.join("/")}): `;
  if (context.isSet("yes")) {
    output.say(`${prompt}${fallback}`);
    return fallback;
  }
  if (output.terminal.isJson) output.line("novel-asked", { question, choices: words, default: fallback });
  for (;;) {
    const line = await input.read({ prompt: promptFor(output, prompt), isAnswer: true, words });
    if (line === undefined) return undefined;
    const typed = line.trim().toLowerCase();
    const fitting = words.filter((word) => typed !== "" && word.startsWith(typed));
    if (fitting.length === 1) return fitting[0];
    output.say(isQuit(line) ? messages.leave : `Please answer with one of: ${words.join(", ")}`);
  }
}

/** A line of free text; undefined at the end of input, or where nothing was said. */
export async function askText({ output, input, context }: Asking, question: string): Promise<string | undefined> {
  if (context.isSet("yes")) return undefined;
  if (output.terminal.isJson) output.line("novel-asked", { question });
  const line = (await input.read({ prompt: promptFor(output, question), isAnswer: true, words: [] }))?.trim();
  return line === "" ? undefined : line;
}

/** A question as a prompt. Of one that is longer than a line the last line alone is: the others are said before it, so that no
 * word is broken. */
export function promptFor(output: Output, question: string): string {
  const { stdout, columns } = output.terminal;
  const lines = stdout.isTTY ? wrap(question, textWidth(columns) - 2) : [question];
  if (lines.length > 1) output.say(lines.slice(0, -1).join("\n"));
  return `${lines.at(-1)!.trimEnd()} `;
}

/** Does one thing of a session; an error is told, and the session goes on. */
export async function attempt({ output }: { output: Output }, body: () => Promise<void>): Promise<void> {
  try {
    await body();
  } catch (error) {
    output.fail(error instanceof Error ? error.message : String(error));
    const isKnown = error instanceof LoopwrightError && process.env.LOOPWRIGHT_DEBUG !== "1";
    if (!isKnown && error instanceof Error) output.terminal.warn(error.stack ?? "");
  }
}

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
