// Progress of what a model writes: one line at the foot of the terminal, redrawn. Nothing of it stays, and a pipe sees none.

import type { Terminal } from "@loopwright/core";
import { cut, LiveRegion } from "@loopwright/terminal";
import { plural } from "./words.ts";

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

const BAR = 24;
const FRAME_MS = 250;
/** Whoever waits longer wants to know how to get away. */
const LONG_WAIT_MS = 30_000;

/** `[██████████░░░░░░░░░░░░░░] 42% · 1,230 words · 35 tokens/s · about 2 min left`; `waited`: how long the request under way has
 * had no answer. */
export function progressLine(stage: Stage, written: Written | undefined, ms: number, waited = ms) {
  const { expected, chapter, role = "model" } = stage;
  const share = shareDone(stage, written?.words ?? 0);
  const parts = share === undefined ? [] : [`${showBar(share)} ${Math.floor(share * 100)}%`];
  if (chapter) parts.push(chapterWords(chapter));
  if (written === undefined) {
    parts.push(`waiting for the ${role}, ${showTime(waited)}`);
    if (waited >= LONG_WAIT_MS) parts.push("Ctrl-C stops; it goes on from there later");
    return parts.join(" · ");
  }
  parts.push(plural(written.words, "word"));
  if (written.tokens_per_s > 0) parts.push(`${Math.round(written.tokens_per_s)} tokens/s`);
  const isFar = share !== undefined && expected > 0 && share > 0.02 && share < 0.99;
  parts.push(isFar ? `about ${showTime((ms / share) * (1 - share))} left` : showTime(ms));
  return parts.join(" · ");
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

function showBar(share: number): string {
  const full = Math.round(share * BAR);
  return `[${"█".repeat(full)}${"░".repeat(BAR - full)}]`;
}

function showTime(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
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
    const line =
      left > 0
        ? `waiting to try again, ${showTime(left)} left`
        : progressLine(this.#stage, this.#written, now - this.#startedAt, now - this.#askedAt);
    this.#region.draw([this.#terminal.style("dim", cut(line, Math.max(10, this.#terminal.columns - 1)))]);
  }
}
