// What the REPL says: lines for a person, or with `--json` one object per line. Everything that comes from a file or a
// model is made safe here, so that no text can act on the terminal.

import { stripVTControlCharacters } from "node:util";
import type { Style, Terminal } from "@loopwright/core";
import { JSON_VERSION, plainText } from "@loopwright/terminal";
import { textWidth, wrapIndented } from "./wrapping.ts";

export class Output {
  readonly terminal: Terminal;
  /** What stands in the way of a line, such as progress that is being redrawn, and is taken away first. */
  clear: () => void = () => {};

  constructor(terminal: Terminal) {
    this.terminal = terminal;
  }

  /** Text of one or more lines. */
  say(text = "", style?: Style): void {
    const { terminal } = this;
    const safe = safeText(text);
    this.clear();
    if (terminal.isJson && safe !== "") this.line("novel-said", { text: safe });
    if (terminal.isJson) return;
    // A terminal of its own would break a long line in the middle of a word.
    const lines = terminal.stdout.isTTY
      ? wrapIndented(withinWidth(safe, terminal.columns), textWidth(terminal.columns))
      : safe.split("\n");
    for (const line of lines) terminal.print(style && line !== "" ? terminal.style(style, line) : line);
  }

  /** Text that is safe already, and may hold styles. */
  show(text: string): void {
    this.clear();
    if (this.terminal.isJson) this.line("novel-said", { text: stripVTControlCharacters(text) });
    else this.terminal.print(text);
  }

  /** `[Error: …]` */
  fail(words: string): void {
    this.say(`[Error: ${words}]`, "red");
  }

  /** `[…]` */
  note(words: string): void {
    this.say(`[${words}]`, "dim");
  }

  /** A line of `--json`. */
  line(type: string, fields: Readonly<Record<string, unknown>>): void {
    this.terminal.print(JSON.stringify({ v: JSON_VERSION, type, at: new Date().toISOString(), ...fields }));
  }
}

/** A rule that is longer than the terminal is wide would go on in the next line. */
function withinWidth(text: string, columns: number): string {
  return text.replace(/^━+$/gm, (rule) => rule.slice(0, columns));
}

/** Text of several lines made fit for a terminal; a tab is two spaces. */
export function safeText(text: string): string {
  return plainText(text.replaceAll("\t", "  "));
}
