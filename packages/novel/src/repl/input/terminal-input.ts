// Lines from a terminal: edited, called back, completed, pasted.
//
// The terminal is in raw mode, and told to mark pastes, only while a line is being read. In between it is as it was, so
// that Ctrl-C is a signal and an editor finds it sound. What was typed before a question was asked is no answer to it.

import { appendFileSync, lstatSync, mkdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface, type Interface, type Key } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import type { ReadStream } from "node:tty";
import { readPlainFile, type Terminal } from "@loopwright/core";
import type { Asked, Completer, Input } from "./input.ts";

/** What a terminal is told, to have pastes marked or not. */
export const PASTE_ON = "\u001B[?2004h";
export const PASTE_OFF = "\u001B[?2004l";

/** What stands for a line break of a paste in the line editor: only Enter submits. */
const BREAK = "⏎";

/** Milliseconds in which what was typed before a question comes in. */
const DRAIN_MS = 40;

const LEAVING = "(Ctrl-C again, Ctrl-D or /quit leaves)";

/** Node's line editor, with what its types leave out. */
type Editor = Interface & { history: string[]; _ttyWrite(text: string | undefined, key: Key): void };

export class TerminalInput implements Input {
  readonly isInteractive = true;
  readonly #terminal: Terminal;
  readonly #stdin: ReadStream;
  readonly #complete: Completer;
  readonly #editor: Editor;
  /** Lines that came before they were asked for. */
  readonly #early: string[] = [];
  #file: string | undefined;
  #asked: Asked | undefined;
  #answer: ((line: string | undefined) => void) | undefined;
  #isLeaving = false;
  #isClosed = false;
  /** Set while input is dropped. */
  #draining: { dropped: number } | undefined;
  /** What came of a paste so far. */
  #pasted: string | undefined;
  readonly #leave = () => this.#rest();

  get isOver(): boolean {
    return this.#isClosed && this.#early.length === 0;
  }

  constructor(terminal: Terminal, complete: Completer) {
    this.#terminal = terminal;
    this.#stdin = terminal.stdin as ReadStream;
    this.#complete = complete;
    this.#editor = createInterface({
      input: this.#stdin,
      output: terminal.stdout,
      terminal: true,
      historySize: HISTORY_SIZE,
      removeHistoryDuplicates: true,
      completer: (line: string) => this.#completions(line),
    }) as Editor;
    const press = this.#editor._ttyWrite.bind(this.#editor);
    this.#editor._ttyWrite = (text, key) => this.#press(text, key, press);
    this.#editor.on("line", (line) => this.#take(line));
    this.#editor.on("history", (history) => this.#keep(history));
    this.#editor.on("SIGINT", () => this.#interrupt());
    this.#editor.on("SIGCONT", () => this.#wake());
    this.#editor.on("close", () => this.#end());
    // A terminal that was closed fails to be read.
    this.#stdin.on("error", () => this.#end());
    process.on("exit", this.#leave);
    this.#rest();
  }

  async read(asked: Asked): Promise<string | undefined> {
    if (asked.isAnswer) await this.#drain();
    const early = this.#early.shift();
    if (early !== undefined) {
      this.#terminal.print(`${asked.prompt}${early}`);
      return withBreaks(early);
    }
    if (this.#isClosed) return undefined;
    this.#asked = asked;
    this.#isLeaving = false;
    this.#wake();
    this.#editor.setPrompt(asked.prompt);
    this.#editor.prompt();
    const line = await new Promise<string | undefined>((resolve) => {
      this.#answer = resolve;
    });
    this.#rest();
    return line === undefined ? undefined : withBreaks(line);
  }

  /** Drops what was typed before anyone could know the question: nothing is accepted by a key too many. */
  async #drain(): Promise<void> {
    if (this.#isClosed) return;
    this.#draining = { dropped: this.#early.splice(0).length };
    this.#wake();
    await wait(DRAIN_MS);
    if (this.#draining.dropped > 0)
      this.#terminal.print("(what was typed before this question is not taken as its answer)");
    this.#draining = undefined;
  }

  async remember(project: string): Promise<void> {
    this.#file = historyFile(project);
    this.#editor.history = await readHistory(this.#file);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#editor.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** A key, or a sign of a paste, which presses none: what a terminal would act on is no text. */
  #press(text: string | undefined, key: Key, press: Editor["_ttyWrite"]): void {
    if (this.#draining) this.#draining.dropped++;
    else if (key.name === "paste-start") this.#pasted = "";
    else if (this.#pasted === undefined) press(text, key);
    else if (key.name !== "paste-end") this.#pasted += key.sequence ?? "";
    else {
      const breaks = this.#pasted.replace(/\r\n?|\n/g, BREAK).replaceAll("\t", "  ");
      this.#pasted = undefined;
      press(breaks.replace(/\p{Cc}/gu, ""), {});
    }
  }

  #take(line: string): void {
    if (this.#answer === undefined) return void this.#early.push(line);
    const answer = this.#answer;
    this.#answer = undefined;
    answer(line);
  }

  /** An answer is not called back later; a line is, also in the next session. */
  #keep(history: string[]): void {
    if (this.#asked?.isAnswer) history.shift();
    else if (this.#file !== undefined && history[0] !== undefined) appendHistory(this.#file, history[0]);
  }

  #completions(line: string): [string[], string] {
    const words = this.#asked?.words;
    if (words === undefined) {
      const [found, part] = this.#complete(line);
      return [[...found], part];
    }
    const typed = line.trimStart().toLowerCase();
    return [words.filter((word) => word.startsWith(typed)), line];
  }

  /** Ctrl-C: takes the text away; where there is none it asks, and the second time it leaves. */
  #interrupt(): void {
    if (this.#editor.line !== "") {
      this.#isLeaving = false;
      this.#editor.write(null, { ctrl: true, name: "e" });
      this.#editor.write(null, { ctrl: true, name: "u" });
      return;
    }
    if (this.#isLeaving) this.close();
    else {
      this.#isLeaving = true;
      this.#terminal.print(`\n${this.#asked?.leaving ?? LEAVING}`);
      this.#editor.prompt();
    }
  }

  #end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#answer !== undefined) this.#terminal.print();
    this.#rest();
    process.off("exit", this.#leave);
    const answer = this.#answer;
    this.#answer = undefined;
    answer?.(undefined);
  }

  #wake(): void {
    this.#stdin.setRawMode(true);
    this.#terminal.stdout.write(PASTE_ON);
    this.#editor.resume();
  }

  #rest(): void {
    if (!this.#isClosed) this.#editor.pause();
    if (!this.#stdin.isRaw) return;
    this.#terminal.stdout.write(PASTE_OFF);
    this.#stdin.setRawMode(false);
  }
}

/** A submitted line as it was meant: its line breaks are line breaks again. */
function withBreaks(line: string): string {
  return line.replaceAll(BREAK, "\n");
}

/** How many lines are called back. */
export const HISTORY_SIZE = 1_000;

/** Where a project keeps them. */
export function historyFile(project: string): string {
  return join(project, ".loopwright", "novel-history");
}

/** The lines of a file, newest first, each once. A file that has grown long is cut. */
export async function readHistory(file: string): Promise<string[]> {
  const lines = readOwn(file)
    .split("\n")
    .filter((line) => line !== "");
  const newest = [...new Set(lines.toReversed())].slice(0, HISTORY_SIZE);
  if (lines.length > 2 * HISTORY_SIZE) await writeFile(file, `${newest.toReversed().join("\n")}\n`).catch(() => {});
  return newest;
}

function readOwn(file: string): string {
  try {
    return isOwn(file) ? readPlainFile(file) : "";
  } catch {
    return "";
  }
}

/** Keeps a line. */
export function appendHistory(file: string, line: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    if (isOwn(file, true)) appendFileSync(file, `${line}\n`, { mode: 0o600 });
  } catch {
    // It can still be called back in this session.
  }
}

/** Whether a file is a plain one; of one that is not there yet, what is said. */
function isOwn(file: string, isNew = false): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? isNew;
}
