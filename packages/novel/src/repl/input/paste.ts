// Bracketed paste: a terminal marks what is pasted, so that the line breaks in it are kept and only Enter submits.
//
// This stands between the terminal and the line editor. A line break inside a paste becomes a sign that the editor shows
// as any other character; it is a line break again in what is submitted.

import { Transform, type TransformCallback } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { ReadStream } from "node:tty";

/** What a terminal is told, to have pastes marked or not. */
export const PASTE_ON = "\u001B[?2004h";
export const PASTE_OFF = "\u001B[?2004l";

const BEGIN = "\u001B[200~";
const END = "\u001B[201~";

/** What stands for a line break in the line editor. */
export const BREAK = "⏎";

/** Milliseconds after which the beginning of a mark is taken for keys. */
const SPLIT_MS = 40;

/** A submitted line as it was meant: its line breaks are line breaks again. */
export function withBreaks(line: string): string {
  return line.replaceAll(BREAK, "\n");
}

/** Text of several lines as the line editor takes it. */
export function withoutBreaks(text: string): string {
  return text.replace(/\r\n?|\n/g, BREAK);
}

type Source = Pick<ReadStream, "setRawMode"> & { isTTY?: boolean };

/** The terminal's input with the line breaks of pastes replaced; it can be set to raw mode as the terminal itself. */
export class PasteFilter extends Transform {
  readonly isTTY = true;
  readonly #source: Source;
  readonly #decoder = new StringDecoder("utf8");
  #isPasting = false;
  /** What may be the beginning of a mark. */
  #held = "";
  /** Whether the last thing pasted was a carriage return, whose line feed may follow. */
  #afterReturn = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(source: Source) {
    super({ decodeStrings: true });
    this.#source = source;
  }

  setRawMode(isRaw: boolean): this {
    this.#source.setRawMode(isRaw);
    return this;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    clearTimeout(this.#timer);
    this.#take(this.#held + this.#decoder.write(chunk));
    if (this.#held !== "" && !this.#isPasting) {
      this.#timer = setTimeout(() => {
        this.push(this.#held);
        this.#held = "";
      }, SPLIT_MS);
    }
    done();
  }

  override _flush(done: TransformCallback): void {
    clearTimeout(this.#timer);
    if (this.#held !== "") this.push(this.#held);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#timer);
    done(error);
  }

  /** Passes a text on, as far as it is known what it is. */
  #take(text: string): void {
    let rest = text;
    for (;;) {
      const mark = this.#isPasting ? END : BEGIN;
      const at = rest.indexOf(mark);
      if (at < 0) break;
      this.#pass(rest.slice(0, at));
      this.#isPasting = !this.#isPasting;
      this.#afterReturn = false;
      rest = rest.slice(at + mark.length);
    }
    const held = beginningOf(this.#isPasting ? END : BEGIN, rest);
    this.#pass(rest.slice(0, rest.length - held));
    this.#held = rest.slice(rest.length - held);
  }

  #pass(text: string): void {
    if (text === "") return;
    if (!this.#isPasting) return void this.push(text);
    const joined = this.#afterReturn && text.startsWith("\n") ? text.slice(1) : text;
    this.#afterReturn = text.endsWith("\r");
    // Anything else that a terminal would act on is no text: a paste never presses keys.
    const safe = withoutBreaks(joined)
      .replaceAll("\t", "  ")
      .replace(/\p{Cc}/gu, "");
    if (safe !== "") this.push(safe);
  }
}

/** How many characters at the end of a text are a beginning of the mark. */
function beginningOf(mark: string, text: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length--)
    if (mark.startsWith(text.slice(-length))) return length;
  return 0;
}
