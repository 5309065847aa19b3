// Where a command prints: what was asked for on stdout, diagnostics on stderr, with or without colors; text made fit for it; and the
// live region, the last lines of a terminal, drawn again and again, with what is printed for good above them.
//
// What comes from a run is never trusted: control characters are taken out. Of the live region:
//
// 1. The cursor rests below the region and is never hidden: whatever ends the process, the terminal is sound.
// 2. A change is one write, and it touches nothing above the region.
// 3. A line of the region takes one row, whatever width the terminal gives to its characters.
// 4. While the terminal is being resized the region rests: where its rows are is only known once that is over.

import { createRequire } from "node:module";
import type { Readable } from "node:stream";
import { stripVTControlCharacters, styleText } from "node:util";
import type { FirstPrompt, Screen, Style, Terminal as TerminalPort } from "@loopwright/core/look";

/** The version of every line and document. It changes when a field goes or changes its meaning, not when one comes. */
export const JSON_VERSION = 1;

/** A JSON document of a command that only looks. */
export function toDocument(type: string, fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { v: JSON_VERSION, type, ...fields };
}

export type { Screen } from "@loopwright/core/look";

/** How a terminal is written to. */
export interface TerminalOptions {
  isQuiet: boolean;
  isJson: boolean;
  hasColor: boolean;
}

/** The terminal of this process: its streams, columns and colors. */
export class Terminal implements TerminalPort {
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
  document(type: string, fields: Readonly<Record<string, unknown>>): void {
    this.print(JSON.stringify(toDocument(type, fields), null, 2));
  }

  style(style: Style, text: string): string {
    return this.#hasColor ? styleText(style as Parameters<typeof styleText>[0], text, { validateStream: false }) : text;
  }
}

/** How large a screen is. A terminal is asked each time: when it was resized, word of it comes late. */
export function sizeOf(screen: Screen): { columns: number; rows: number } {
  const [columns, rows] = (screen.isTTY && screen.getWindowSize?.()) || [screen.columns, screen.rows];
  return { columns: columns || 100, rows: rows || 24 };
}

/** Whether colors are wanted: neither --no-color nor NO_COLOR, on a terminal that knows them. */
export function wantsColor(noColor: boolean, screen: Screen, env = process.env): boolean {
  if (noColor || (env.NO_COLOR ?? "") !== "") return false;
  if ((env.FORCE_COLOR ?? "") !== "") return env.FORCE_COLOR !== "0";
  return screen.isTTY === true && env.TERM !== "dumb";
}

/** Who would be asked, and how much of it there is. */
export function promptHead({ role, model, id, tokens, images }: FirstPrompt): string {
  const pictures = images === 0 ? [] : [images === 1 ? "1 picture" : `${images} pictures`];
  const parts = [`${role} (${model ?? "no model is configured"})`, ...(id ? [id] : []), `about ${tokens} tokens`];
  return plainLine([...parts, ...pictures].join(" · "));
}

/** Prints the texts of a prompt whole, and what was done to reach it. */
export function printPrompt(
  terminal: Pick<TerminalPort, "print" | "style">,
  { system, user, does }: FirstPrompt,
): void {
  for (const [name, text] of Object.entries({ system, user }))
    if (text !== undefined) terminal.print(`\n${terminal.style("bold", `── ${name}`)}\n${plainText(text)}`);
  terminal.print();
  if (does !== undefined) terminal.print(`To reach the prompt, it ${does}.`);
}

// The tables for that take longer to load than most commands take to run: they are loaded for the first text that needs them.
let measure: ((text: string) => number) | undefined;

/** The columns that a text takes; escape codes take none. */
export function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  measure ??= createRequire(import.meta.url)("string-width").default as (text: string) => number;
  return measure(text);
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

/** Text broken at its spaces into lines of a width; of more lines than these the last one says that there was more. */
export function wrap(text: string, width: number, most = Number.POSITIVE_INFINITY): string[] {
  const lines: string[] = [];
  let rest = text.trim();
  while (rest !== "" && lines.length < most - 1 && widthOf(rest) > width) {
    const fitting = cut(rest, width + 1).slice(0, -1);
    const space = rest[fitting.length] === " " ? fitting.length : fitting.lastIndexOf(" ");
    const at = space > 0 ? space : Math.max(1, fitting.length);
    lines.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at).trimStart();
  }
  return rest === "" ? lines : [...lines, cut(rest, width)];
}

const ESCAPE = "\u001B[";
const ERASE_LINE_END = `${ESCAPE}K`;
const ERASE_BELOW = `${ESCAPE}J`;
const WRAP_OFF = `${ESCAPE}?7l`;
const WRAP_ON = `${ESCAPE}?7h`;

/** tmux tells of a resize up to 250 ms after it has moved the rows. */
const SETTLE_MS = 300;

/** Lines at the foot of a terminal that are drawn anew in place. */
export class LiveRegion {
  readonly #screen: Screen;
  readonly #write: (text: string) => void;
  readonly #canRewrap: boolean;
  /** What stands in the region, and how wide the terminal was then. */
  #lines: readonly string[] = [];
  #columns = 0;
  /** What is to be printed once the terminal has settled. */
  readonly #held: string[] = [];
  #size = { columns: 0, rows: 0 };
  #resizedAt = Number.NEGATIVE_INFINITY;

  constructor(screen: Screen, env = process.env) {
    this.#screen = screen;
    // Taken now, so that the region's own writes pass by whatever is put in the stream's way later.
    this.#write = screen.write.bind(screen);
    this.#canRewrap = rewrapsOnResize(env);
  }

  /** Shows these lines in place of those that stand there. */
  draw(lines: readonly string[]): void {
    if (this.#hasSettled()) this.#put(lines);
  }

  /** Prints lines for good, above the region; while the terminal is being resized, with the next drawing. */
  print(lines: readonly string[]): void {
    this.#held.push(...lines);
    if (this.#hasSettled()) this.#put(this.#lines);
  }

  /** Takes the region away. */
  clear(): void {
    this.#put([]);
  }

  #put(lines: readonly string[]): void {
    const { columns, rows } = sizeOf(this.#screen);
    const shown = lines.slice(0, Math.max(1, rows - 1));
    const printed = this.#held.splice(0).map((line) => `${line}\n`);
    const isStanding = this.#lines.length > 0;
    const isAnew = printed.length > 0 || (isStanding && columns !== this.#columns);
    if (!isAnew && shown.join("\n") === this.#lines.join("\n")) return;
    // Lines are written over the old ones and, where that will do, not erased first, so that nothing flickers.
    const drawn = shown.map((line) => `${line}${ERASE_LINE_END}\n`);
    const start = isStanding ? [this.#toTop(columns), isAnew ? ERASE_BELOW : ""] : [];
    const region = shown.length > 0 ? [WRAP_OFF, ...drawn, WRAP_ON] : [];
    const end = isStanding ? [ERASE_BELOW] : [];
    this.#write([...start, ...printed, ...region, ...end].join(""));
    this.#lines = shown;
    this.#columns = columns;
  }

  /** Whether the terminal's size has stood for a while; so it has where nothing is shown yet. */
  #hasSettled(): boolean {
    const { columns, rows } = sizeOf(this.#screen);
    if (this.#lines.length > 0 && (columns !== this.#size.columns || rows !== this.#size.rows))
      this.#resizedAt = performance.now();
    this.#size = { columns, rows };
    return this.#lines.length === 0 || performance.now() - this.#resizedAt >= SETTLE_MS;
  }

  /** The way from below the region to its first row. */
  #toTop(columns: number): string {
    const rowsOf = (line: string) => {
      const width = Math.min(widthOf(stripVTControlCharacters(line)), this.#columns);
      return this.#canRewrap ? Math.max(1, Math.ceil(width / columns)) : 1;
    };
    return `${ESCAPE}${this.#lines.reduce((sum, line) => sum + rowsOf(line), 0)}A\r`;
  }
}

/** Whether a terminal that is made narrower breaks the lines it shows anew: all do but a few, which cut them off. */
export function rewrapsOnResize(env: NodeJS.ProcessEnv): boolean {
  if (env.TMUX) return true;
  return !env.XTERM_VERSION && !env.STY && !/^(linux|rxvt)/.test(env.TERM ?? "");
}
