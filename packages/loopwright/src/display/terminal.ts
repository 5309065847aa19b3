// Where a command prints: what was asked for on stdout, diagnostics on stderr, with or without colours.
//
// What comes from a run is never trusted: control characters are taken out before it reaches a terminal.

import type { Readable, Writable } from "node:stream";
import { stripVTControlCharacters, styleText } from "node:util";
import { widthOf } from "./width.ts";

type Style = Parameters<typeof styleText>[0];

/** A stream that may be a terminal. */
export type Screen = Writable & {
  isTTY?: boolean;
  columns?: number;
  rows?: number;
  getWindowSize?: () => [number, number];
};

export interface TerminalOptions {
  isQuiet: boolean;
  isJson: boolean;
  hasColor: boolean;
}

export class Terminal {
  readonly stdin: Readable & { isTTY?: boolean };
  readonly stdout: Screen;
  readonly stderr: Screen;
  readonly isQuiet: boolean;
  readonly isJson: boolean;
  readonly #hasColor: boolean;
  /** Why stdout could not be written. */
  fault: Error | undefined;

  constructor({ isQuiet, isJson, hasColor }: TerminalOptions) {
    this.stdin = process.stdin;
    this.stdout = process.stdout;
    this.stderr = process.stderr;
    this.isQuiet = isQuiet;
    this.isJson = isJson;
    this.#hasColor = hasColor;
    // A reader that went away (`| head`) is no fault of ours: what is under way goes on.
    this.stdout.on("error", (error: NodeJS.ErrnoException) => {
      // A terminal that was closed has sent a hangup too, and that ends the command in order.
      if (error.code === "EPIPE" || (error.code === "EIO" && this.stdout.isTTY)) return;
      if (!this.fault) this.warn(`loopwright: stdout cannot be written (${error.code})`);
      this.fault = error;
    });
  }

  get columns(): number {
    return sizeOf(this.stdout).columns;
  }

  /** A line of what was asked for. */
  print(line = ""): void {
    this.stdout.write(`${line}\n`);
  }

  /** A line that --quiet and --json leave out. */
  say(line = ""): void {
    if (!this.isQuiet && !this.isJson) this.print(line);
  }

  /** A line for whoever looks after the program. */
  warn(line: string): void {
    this.stderr.write(`${line}\n`);
  }

  /** One JSON document. */
  document(value: unknown): void {
    this.print(JSON.stringify(value, null, 2));
  }

  style(style: Style, text: string): string {
    return this.#hasColor ? styleText(style, text, { validateStream: false }) : text;
  }
}

/** How large a screen is. A terminal is asked each time: when it was resized, word of it comes late. */
export function sizeOf(screen: Screen): { columns: number; rows: number } {
  const [columns, rows] = (screen.isTTY && screen.getWindowSize?.()) || [screen.columns, screen.rows];
  return { columns: columns || 100, rows: rows || 24 };
}

/** Whether colours are wanted: neither --no-color nor NO_COLOR, on a terminal that knows them. */
export function wantsColor(noColor: boolean, screen: Screen, env = process.env): boolean {
  if (noColor || (env.NO_COLOR ?? "") !== "") return false;
  if ((env.FORCE_COLOR ?? "") !== "") return env.FORCE_COLOR !== "0";
  return screen.isTTY === true && env.TERM !== "dumb";
}

/** Text of a run made fit for one line of a terminal: no control characters, no line breaks. */
export function plainLine(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/\s+/g, " ")
    .replace(/[\p{Cc}\p{Bidi_Control}]/gu, "")
    .trim();
}

/** Text of several lines made fit for a terminal: its line breaks are the only control characters that stay. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text).replace(/[\p{Cc}\p{Bidi_Control}]/gu, (found) => (found === "\n" ? found : ""));
}

/** Text cut to a width, with a mark where something was left out. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = "";
  let used = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    used += widthOf(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Text filled up with spaces to a width. */
export function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}
