// What the REPL says: lines for a person, or with `--json` one object per line. Everything that comes from a file or a
// model is made safe here, so that no text can act on the terminal, and
// is broken between words, or between two signs in a script that puts no space between them.

import { stripVTControlCharacters } from "node:util";
import type { Style, Terminal } from "@loopwright/core";
import { cut, JSON_VERSION, LiveRegion, plainText, showAge, showCount, widthOf } from "@loopwright/terminal";

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

/** What is under way. */
export interface Stage {
  /** How many words are expected, for a bar; 0 where nobody knows. */
  expected: number;
  /** For prose: which chapter of how many, and what it is called where not all are written. */
  chapter?: { number: number; of: number; name?: string | undefined };
  /** Who is asked. */
  role?: string;
}

/** What a model has written so far. */
export interface Written {
  words: number;
  tokens_per_s: number;
}

const [SHORTEST_BAR, BAR] = [6, 24];
const FRAME_MS = 250;
/** Whoever waits longer wants to know how to get away. */
const LONG_WAIT_MS = 30_000;

/** `[██████████░░░░░░░░░░░░░░] 42% · 1,230 words · 35 tokens/s · about 2 min left`; `waited`: how long the request under way has
 * had no answer. The bar has what room the words leave of the line. */
export function progressLine(
  stage: Stage,
  written: Written | undefined,
  ms: number,
  { waited = ms, width = 100 } = {},
) {
  const { expected, chapter, role = "model" } = stage;
  const share = shareDone(stage, written?.words ?? 0);
  const parts = share === undefined ? [] : [`${Math.floor(share * 100)}%`];
  if (chapter) parts.push(chapterWords(chapter));
  if (written === undefined) {
    parts.push(`waiting for the ${role}, ${showAge(waited)}`);
    if (waited >= LONG_WAIT_MS) parts.push("Ctrl-C stops; /resume goes on");
  } else {
    parts.push(showCount(written.words, "word"));
    if (written.tokens_per_s > 0) parts.push(`${Math.round(written.tokens_per_s)} tokens/s`);
    const isFar = share !== undefined && expected > 0 && share > 0.02 && share < 0.99;
    parts.push(isFar ? `about ${showAge((ms / share) * (1 - share))} left` : showAge(ms));
  }
  const words = parts.join(" · ");
  const room = Math.min(BAR, width - words.length - "[] ".length);
  return share === undefined || room < SHORTEST_BAR ? words : `${showBar(share, room)} ${words}`;
}

function chapterWords({ number, of, name }: NonNullable<Stage["chapter"]>): string {
  if (name !== undefined) return of === 1 ? name : `${name} (${number} of ${of})`;
  return number > of ? "what all chapters share" : `chapter ${number} of ${of}`;
}

/** How much of it is done, from 0 to 1; undefined where nobody knows. The last word is never foretold. */
function shareDone({ expected, chapter }: Stage, words: number): number | undefined {
  const share = expected > 0 ? Math.min(0.99, words / expected) : undefined;
  return chapter ? Math.min(0.99, (chapter.number - 1 + (share ?? 0)) / chapter.of) : share;
}

/** A whole bar, as it stays once a text is there. */
export function fullBar(): string {
  return `${showBar(1)} 100%`;
}

function showBar(share: number, length = BAR): string {
  const full = Math.round(share * length);
  return `[${"█".repeat(full)}${"░".repeat(length - full)}]`;
}

/** The line, shown while a stage is under way. */
export class Progress {
  readonly #region: LiveRegion | undefined;
  readonly #terminal: Terminal;
  #stage: Stage | undefined;
  #written: Written | undefined;
  #startedAt = 0;
  #askedAt = 0;
  #waitsUntil = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(terminal: Terminal) {
    const { stdout, isJson, isQuiet } = terminal;
    const isLive = stdout.isTTY === true && !isJson && !isQuiet && process.env.TERM !== "dumb";
    this.#region = isLive ? new LiveRegion(stdout) : undefined;
    this.#terminal = terminal;
  }

  get isLive(): boolean {
    return this.#region !== undefined;
  }

  /** A stage begins; another chapter of the same goes on with its time. */
  begin(stage: Stage): void {
    if (!this.#region) return;
    this.#askedAt = performance.now();
    const isNext = this.#timer !== undefined && (stage.chapter?.number ?? 1) > 1;
    if (!isNext) this.#startedAt = this.#askedAt;
    [this.#stage, this.#written] = [stage, undefined];
    this.#timer ??= setInterval(() => this.#draw(), FRAME_MS).unref();
    this.#draw();
  }

  take(written: Written): void {
    this.#written = written;
    this.#draw();
  }

  /** The model is asked again after a while; the time shown is what is left. */
  wait(seconds: number): void {
    this.#written = undefined;
    this.#waitsUntil = performance.now() + seconds * 1000;
    this.#draw();
  }

  /** Takes the line away, for something that is to be printed; it comes again while the stage goes on. */
  clear(): void {
    this.#region?.clear();
  }

  end(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#stage = undefined;
    this.#region?.clear();
  }

  #draw(): void {
    if (!this.#region || !this.#stage) return;
    const now = performance.now();
    const left = this.#waitsUntil - now;
    const width = Math.max(10, this.#terminal.columns - 1);
    const line =
      left > 0
        ? `waiting to try again, ${showAge(left)} left`
        : progressLine(this.#stage, this.#written, now - this.#startedAt, { waited: now - this.#askedAt, width });
    this.#region.draw([this.#terminal.style("dim", cut(line, width))]);
  }
}
