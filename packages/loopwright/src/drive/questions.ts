// Gates asked in place: in a terminal, or on a pipe, where the question is printed in words and the answer read as a
// line. End of input answers nothing.
//
// A terminal keeps its own line editing, so that Ctrl-C stays a signal, and a process killed with SIGKILL leaves the
// terminal sound. What was typed before a question is shown is no answer. On a pipe the answers to several gates may stand from
// the start.

import { createInterface, type Interface } from "node:readline/promises";
import { setImmediate as turn } from "node:timers/promises";
import type { ReadStream } from "node:tty";
import type { GateRecord } from "@loopwright/core/look";
import { plainLine, plainText, type Terminal } from "@loopwright/terminal";

type Asked = Pick<GateRecord, "id" | "question" | "choices" | "default">;

/** Reads lines for the whole of a command, so that a pipe may hold the answers to several gates. */
export class Questions {
  readonly #terminal: Terminal;
  readonly #waiting: ((line: string | undefined) => void)[] = [];
  readonly #lines: string[] = [];
  #reader: Interface | undefined;
  #isOver = false;
  /** The gate that was asked last: where a line fitted no choice, its question still stands above. */
  #asked: string | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** What is said to a gate; undefined where the input is at its end, or the signal is aborted. */
  async ask(gate: Asked, signal: AbortSignal): Promise<string | undefined> {
    const terminal = this.#terminal;
    const giveUp = () => this.close();
    signal.addEventListener("abort", giveUp, { once: true });
    if (await this.#drain()) terminal.print(TYPED_AHEAD);
    const choices = gate.choices.map((choice) => (choice === gate.default ? `${choice} (default)` : choice));
    if (this.#asked !== gate.id)
      for (const line of plainText(gate.question).split("\n")) terminal.print(terminal.style("bold", line));
    this.#asked = gate.id;
    terminal.stdout.write(`  ${plainLine(choices.join(" / "))}: `);
    const line = await this.#line();
    if (terminal.stdin.isTTY) this.#pause();
    signal.removeEventListener("abort", giveUp);
    // Whoever answers in a terminal has ended the line already.
    if (!terminal.stdin.isTTY && line !== undefined) terminal.print(plainLine(line));
    return line;
  }

  /** Takes out what a terminal holds already; whether there was anything. */
  async #drain(): Promise<boolean> {
    const stdin = this.#terminal.stdin as ReadStream;
    return stdin.isTTY && !this.#isOver && (await dropTypedAhead(stdin));
  }

  /** Reads nothing more until the next question. */
  #pause(): void {
    const reader = this.#reader;
    this.#reader = undefined;
    this.#lines.length = 0;
    reader?.close();
  }

  async #line(): Promise<string | undefined> {
    this.#open();
    const ready = this.#lines.shift();
    if (ready !== undefined || this.#isOver) return ready;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #open(): void {
    if (this.#reader || this.#isOver) return;
    const reader = createInterface({ input: this.#terminal.stdin, terminal: false });
    this.#reader = reader;
    reader.on("line", (line) => {
      const waiting = this.#waiting.shift();
      if (waiting) waiting(line);
      else this.#lines.push(line);
    });
    reader.on("close", () => this.#reader === reader && this.close());
  }

  /** Gives the question up: whoever waits for an answer gets none. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#reader?.close();
    // The line of a question that nobody answered is ended before anything else is said.
    if (this.#waiting.length > 0) this.#terminal.print();
    for (const waiting of this.#waiting.splice(0)) waiting(undefined);
  }
}

/** More runs than these are not listed; the newest are. */
const MOST_RUNS = 9;

/** Which of several runs is meant, where a beginning of an id fits them all; undefined where nobody says. */
export async function whichRun(
  terminal: Terminal,
  prefix: string,
  runs: readonly string[],
): Promise<string | undefined> {
  const listed = runs.slice(-MOST_RUNS);
  const left = runs.length - listed.length;
  const older = left > 0 ? ", of which these are the newest" : "";
  const question = [`'${prefix}' fits ${runs.length} runs${older}:`, ...listed.map((run, at) => `  ${at + 1}  ${run}`)];
  const choices = listed.map((_, at) => String(at + 1));
  const questions = new Questions(terminal);
  const gate = { id: "which", question: [...question, "Which one?"].join("\n"), choices, default: "" };
  const line = (await questions.ask(gate, new AbortController().signal))?.trim() ?? "";
  questions.close();
  const begun = line === "" ? [] : runs.filter((run) => run.startsWith(line));
  return listed[Number(line) - 1] ?? (begun.length === 1 ? begun[0] : undefined);
}

const TURNS = 4;
const CTRL_C = "\u0003";

/** Said where something was taken out. */
export const TYPED_AHEAD = "(what was typed before this question is not taken as its answer)";

/** Takes out what a terminal holds already, in raw mode for one moment, a half line too; whether there was anything. */
export async function dropTypedAhead(stdin: ReadStream): Promise<boolean> {
  let dropped = "";
  const drop = (chunk: Buffer) => {
    dropped += chunk.toString("latin1");
  };
  stdin.setRawMode(true);
  stdin.on("data", drop).resume();
  // Whatever is there comes in the next turn of the event loop; the first one begins to read.
  for (let turns = 0; turns < TURNS; turns++) await turn();
  stdin.off("data", drop).pause();
  stdin.setRawMode(false);
  if (dropped.includes(CTRL_C)) process.kill(process.pid, "SIGINT");
  return dropped !== "";
}
