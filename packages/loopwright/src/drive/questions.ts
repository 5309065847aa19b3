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
  #reader: Interface | undefined;
  #lines: AsyncIterator<string> | undefined;
  #isOver = false;
  /** The gate that was asked last: where a line fitted no choice, its question still stands above. */
  #asked: string | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** What is said to a gate; undefined where the input is at its end, or the signal is aborted. */
  async ask(gate: Asked, signal: AbortSignal): Promise<string | undefined> {
    const terminal = this.#terminal;
    // The line of a question that nobody answered is ended before anything else is said.
    const giveUp = () => {
      terminal.print();
      this.close();
    };
    signal.addEventListener("abort", giveUp, { once: true });
    const stdin = terminal.stdin as ReadStream;
    if (stdin.isTTY && !this.#isOver && (await dropTypedAhead(stdin))) terminal.print(TYPED_AHEAD);
    const choices = gate.choices.map((choice) => (choice === gate.default ? `${choice} (default)` : choice));
    if (this.#asked !== gate.id)
      for (const line of plainText(gate.question).split("\n")) terminal.print(terminal.style("bold", line));
    this.#asked = gate.id;
    terminal.stdout.write(`  ${plainLine(choices.join(" / "))}: `);
    const line = await this.#line();
    signal.removeEventListener("abort", giveUp);
    // Whoever answers in a terminal has ended the line already.
    if (!signal.aborted && !(line !== undefined && stdin.isTTY)) terminal.print(plainLine(line ?? ""));
    return line;
  }

  async #line(): Promise<string | undefined> {
    if (!this.#reader && !this.#isOver) {
      this.#reader = createInterface({ input: this.#terminal.stdin, terminal: false });
      this.#lines = this.#reader[Symbol.asyncIterator]();
    }
    const line = await this.#lines?.next();
    if (line === undefined || line.done) {
      this.close();
      return undefined;
    }
    // In a terminal nothing more is read until the next question.
    if (this.#terminal.stdin.isTTY) this.#stopReading();
    return line.value;
  }

  #stopReading(): void {
    this.#reader?.close();
    this.#reader = undefined;
  }

  /** Gives the question up: whoever waits for an answer gets none. */
  close(): void {
    this.#isOver = true;
    this.#stopReading();
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
