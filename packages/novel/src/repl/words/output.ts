// What the REPL says: lines for a person, or with `--json` one object per line. Everything that comes from a file or a
// model is made safe here, so that no text can act on the terminal, and
// is broken between words, or between two signs in a script that puts no space between them.

import { stripVTControlCharacters } from "node:util";
import type { Style, Terminal } from "@loopwright/core";
import { JSON_VERSION, plainText, widthOf } from "@loopwright/terminal";

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

/** Signs of scripts that put no space between words, and what may not begin or end a line there. */
const SIGN = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー";
const CLOSING = "、。，．！？：；）」』】〕》〉…";
const OPENING = "（「『【〔《〈";
/** What a line may be broken between. */
const PIECES = new RegExp(
  `[${OPENING}]*[${SIGN}][${CLOSING}]*|/?[^\\s${SIGN}${OPENING}/]+/?|/|[${OPENING}]+|\\s+`,
  "gu",
);

/** How wide text is in a terminal of so many columns: longer lines are hard to read. */
export function textWidth(columns: number): number {
  return Math.min(100, columns);
}

/** Lines of at most so many columns; line breaks of the text stay. A word that is longer stands on a line of its own, or is
 * broken where it must not reach beyond. */
export function wrap(text: string, width: number, { breaksWords = false } = {}): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, Math.max(10, width), breaksWords));
}

/** The same for a text whose lines are indented: what is broken off a line stands under its beginning. */
export function wrapIndented(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => {
    if (widthOf(line) <= width) return [line];
    const indent = /^\s*(?:[•✓✗*-] +|\d+\. +|(?:Before|After): +)?/.exec(line)![0];
    const under = " ".repeat(widthOf(indent));
    const parts = wrapLine(line.slice(indent.length), Math.max(10, width - under.length), false);
    return parts.map((part, at) => `${at === 0 ? indent : under}${part}`);
  });
}

function wrapLine(line: string, width: number, breaksWords: boolean): string[] {
  if (widthOf(line) <= width) return [line];
  const lines: string[] = [];
  let current = "";
  for (const piece of line.match(PIECES) ?? []) {
    const isSpace = piece.trim() === "";
    if (widthOf(current) + (isSpace ? 0 : widthOf(piece)) <= width) {
      // The space at which a line was broken is not carried over.
      if (!(isSpace && current === "" && lines.length > 0)) current += piece;
      continue;
    }
    if (current.trim() !== "") lines.push(current.trimEnd());
    current = isSpace ? "" : piece;
    for (; breaksWords && widthOf(current) > width; ) {
      const head = headOf(current, width);
      lines.push(head);
      current = current.slice(head.length);
    }
  }
  return current === "" && lines.length > 0 ? lines : [...lines, current.trimEnd()];
}

/** As much of a word as fits. */
function headOf(word: string, width: number): string {
  let head = "";
  for (const { segment } of new Intl.Segmenter().segment(word)) {
    if (head !== "" && widthOf(head + segment) > width) break;
    head += segment;
  }
  return head;
}

/** A text in quotation marks, indented, as a judge's words are shown. */
export function quote(text: string, columns: number): string {
  const lines = wrap(text.trim(), textWidth(columns) - 4);
  return lines
    .map((line, at) => `${at === 0 ? '  "' : "   "}${line}${at === lines.length - 1 ? '"' : ""}`.trimEnd())
    .join("\n");
}

/** The first line of a text, cut to a length, with a mark where something was left out. */
export function firstLine(text: string, length = 72): string {
  const line = text.trim().split("\n", 1)[0]!.trim();
  const isCut = line.length > length || line.length < text.trim().length;
  return isCut ? `${[...line].slice(0, length - 1).join("")}…` : line;
}
