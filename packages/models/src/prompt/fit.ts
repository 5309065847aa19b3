// Fitting: a prompt in parts is cut until it fits the window; what was cut is told. Pure.
//
// The window holds prompt and answer together. The answer's `maxTokens` are kept free, and of the rest a tenth: other
// models count up to about so much more than our tokenizer, and a chat template adds some. Servers on one's own machine
// often cut what is too long without a word, at its beginning, so the margin is not spared.
//
// Parts are cut in order of priority, the lowest first, and of two with the same the larger first; each only as far as
// its floor allows. A part without a floor, the system text, images and a prompt that is one string are never cut.
//
// Of a part its beginning and its end are kept, and a line between them says how much was left out: so a file keeps its head,
// and a log the error at its end. The cut is made between lines, unless that would leave too little; then inside a line, between
// words where it can be. A fence that it would leave open is closed, and the one that the end lay in is opened again.

import { createRequire } from "node:module";
import { type ModelRequest, type PromptPart, UsageError } from "@loopwright/core";

/** What stands between two parts of a prompt. */
const SEPARATOR = "\n\n";
const MARGIN = 0.1;

/** A part that was cut, with its tokens before and after. */
export interface Cut {
  part: string;
  from: number;
  to: number;
}

/** What a prompt must fit into. */
export interface Room {
  /** The window of the model, and the longest answer, in tokens. */
  window: number;
  answer: number;
  /** Tokens that go along whatever is cut, by what they are for: system, images, schema. */
  beside: Readonly<Record<string, number>>;
}

export interface Fitted {
  prompt: string;
  /** The tokens of the prompt and of all that goes along. */
  tokens: number;
  cut: Cut[];
}

interface Sized extends PromptPart {
  tokens: number;
  /** What it can be cut to. */
  least: number;
}

/** The prompt as it fits the room; throws PROMPT_TOO_LARGE where it cannot. */
export function fitPrompt(prompt: ModelRequest["prompt"], room: Room, model: string, count: CountTokens): Fitted {
  const parts = (typeof prompt === "string" ? [{ name: "prompt", text: prompt, priority: 0 }] : prompt).map((part) =>
    sizePart(part, count),
  );
  const free = Math.floor((room.window - room.answer) * (1 - MARGIN)) - sum(Object.values(room.beside)) - parts.length;
  if (sum(parts.map(({ tokens, least }) => Math.min(tokens, least))) > free) throw tooLarge(parts, room, model);
  const cut: Cut[] = [];
  let over = sum(parts.map(({ tokens }) => tokens)) - free;
  for (const part of [...parts].sort((a, b) => a.priority - b.priority || b.tokens - a.tokens)) {
    if (over <= 0) break;
    if (part.tokens <= part.least) continue;
    const text = cutText(part.text, Math.max(part.least, part.tokens - over), part.floor ?? 0, count);
    const to = count(text);
    cut.push({ part: part.name, from: part.tokens, to });
    over -= part.tokens - to;
    Object.assign(part, { text, tokens: to });
  }
  const text = parts.map((part) => part.text).filter((part) => part !== "");
  const tokens = sum([...parts.map((part) => part.tokens), ...Object.values(room.beside)]);
  return { prompt: text.join(SEPARATOR), tokens, cut };
}

/** The tokens of a prompt as it stands, before anything is cut. */
export function sizePrompt(prompt: ModelRequest["prompt"], count: CountTokens): number {
  return typeof prompt === "string" ? count(prompt) : sum(prompt.map(({ text }) => count(text) + 1));
}

function sizePart(part: PromptPart, count: CountTokens): Sized {
  const tokens = count(part.text);
  const { floor } = part;
  return { ...part, tokens, least: floor === undefined ? tokens : floor <= 0 ? 0 : floor + CUT_TOKENS };
}

function tooLarge(parts: readonly Sized[], { window, answer, beside }: Room, model: string): UsageError {
  const sizes = parts.map(({ name, tokens, least, floor = 0 }) => {
    const stays = tokens <= least ? "stays whole" : `${figure(floor)} must stay`;
    return `'${name}' ${figure(tokens)} (${stays})`;
  });
  const others = Object.entries(beside).flatMap(([name, tokens]) => (tokens > 0 ? [`${name} ${figure(tokens)}`] : []));
  const total = sum([...parts.map(({ tokens }) => tokens), ...Object.values(beside)]);
  const message = `the prompt does not fit the context of ${model}, whatever is cut: about ${figure(total)} tokens, where the window of ${figure(window)}, less ${figure(answer)} for the answer and a tenth as a margin, has room for ${figure(Math.max(0, Math.floor((window - answer) * (1 - MARGIN))))}. Its parts: ${[...sizes, ...others].join(", ")}. Raise this model's 'context' in the configuration if its server has more room, lower 'maxTokens', or give it a smaller task.`;
  return new UsageError("PROMPT_TOO_LARGE", message, { data: { model, tokens: total, window } });
}

function figure(tokens: number): string {
  return Math.round(tokens).toLocaleString("en");
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Counts the tokens of a text. */
export type CountTokens = (text: string) => number;

/** Room for the line that says what was left out. */
const NOTE_TOKENS = 14;
/** What a cut costs beside what must be left: that line, and what is lost at the edges. */
export const CUT_TOKENS = 24;
/** How far back from a cut inside a line a space is looked for. */
const WORD = 24;

/** The text cut to at most `most` tokens, and where it is not left out whole, with at least `least` of its own. */
export function cutText(text: string, most: number, least: number, count: CountTokens): string {
  for (let room = most - NOTE_TOKENS; room > 0; ) {
    const head = keep(text, "start", Math.ceil(room / 2), least / 2, count);
    const rest = text.slice(head.length);
    const tail = keep(rest, "end", room - count(head), least / 2, count);
    const missing = rest.slice(0, rest.length - tail.length);
    const note = `[… about ${count(missing).toLocaleString("en")} tokens left out …]`;
    const plain = join(head, note, tail);
    const cut = openFence(plain) ? joinFenced(head, note, missing, tail) : plain;
    const over = count(cut) - most;
    if (over <= 0) return cut;
    room -= over;
  }
  return "";
}

function endLine(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}

function join(head: string, note: string, tail: string): string {
  return `${head && endLine(head)}${note}${tail.startsWith("\n") || tail === "" ? "" : "\n"}${tail}`;
}

/** Closes a fence that the cut would leave open, and opens the one that the end lay in again. */
function joinFenced(head: string, note: string, missing: string, tail: string): string {
  const [before, after] = [openFence(head), openFence(head + missing)];
  const closed = before ? `${endLine(head)}${before.close}\n` : head;
  const fixed = join(closed, after ? `${note}\n${after.line}` : note, tail);
  const open = openFence(fixed);
  return open ? endLine(fixed) + open.close : fixed;
}

/** As many lines from one side of a text as fit; where they would be few, a part of the next line too. */
function keep(text: string, side: "start" | "end", most: number, least: number, count: CountTokens): string {
  let kept = "";
  let used = 0;
  for (let left = text; left !== ""; ) {
    const end = left.indexOf("\n") + 1 || left.length;
    const line = side === "start" ? left.slice(0, end) : left.slice(left.lastIndexOf("\n", left.length - 2) + 1);
    // A line of so many characters cannot fit, and counting it could take long.
    const tokens = line.length > (most - used) * 256 ? Number.POSITIVE_INFINITY : count(line);
    if (used + tokens > most) {
      const isEnough = used >= Math.max(least, most / 2);
      const piece = isEnough ? "" : keepPiece(line, side, most - used, least - used, count);
      return side === "start" ? kept + piece : piece + kept;
    }
    used += tokens;
    kept = side === "start" ? kept + line : line + kept;
    left = side === "start" ? left.slice(line.length) : left.slice(0, left.length - line.length);
  }
  return kept;
}

/** The longest piece of a line, from one side of it, that fits. */
function keepPiece(line: string, side: "start" | "end", most: number, least: number, count: CountTokens): string {
  const take = (length: number) => (side === "start" ? line.slice(0, length) : line.slice(line.length - length));
  let fits = 0;
  let over = 1;
  while (over < line.length && count(take(over)) <= most) {
    fits = over;
    over = Math.min(line.length, over * 2);
  }
  while (over - fits > 1) {
    const middle = (fits + over) >> 1;
    if (count(take(middle)) <= most) fits = middle;
    else over = middle;
  }
  const piece = take(fits);
  const atWord = toWord(piece, side);
  return wellFormed(count(atWord) >= least ? atWord : piece, side);
}

/** A piece without the part of a word at the cut. */
function toWord(piece: string, side: "start" | "end"): string {
  const space = side === "start" ? piece.lastIndexOf(" ") : piece.indexOf(" ");
  if (side === "start") return space >= piece.length - WORD && space > 0 ? piece.slice(0, space) : piece;
  return space !== -1 && space < WORD ? piece.slice(space + 1) : piece;
}

/** Half of a surrogate pair at the cut is left out: what is kept must be part of the text. */
function wellFormed(piece: string, side: "start" | "end"): string {
  if (side === "start") return /[\ud800-\udbff]$/.test(piece) ? piece.slice(0, -1) : piece;
  return /^[\udc00-\udfff]/.test(piece) ? piece.slice(1) : piece;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** The line that opened the fence that a Markdown text leaves open, and the one that would close it; undefined where it leaves none. */
export function openFence(text: string): { line: string; close: string } | undefined {
  let open: ReturnType<typeof openFence>;
  for (const line of text.split("\n")) {
    const [, mark = "", rest = ""] = FENCE.exec(line) ?? [];
    if (mark === "") continue;
    if (!open) open = mark[0] === "`" && rest.includes("`") ? undefined : { line, close: mark };
    else if (mark.startsWith(open.close) && rest.trim() === "") open = undefined;
  }
  return open;
}

// Tokens: how many a text has, before a server has counted them.
//
// The vocabulary is o200k_base of gpt-tokenizer: with 200,000 entries it is nearer to those of today's models (128,000 to
// 256,000) than cl100k_base, and it loads and counts faster. Other models' own counts differ; whoever needs room for that
// leaves a margin. The vocabulary is loaded when the first text is counted, from the few files that scripts/vendor.ts
// copies: the whole library is ten times as large.

/** A rough figure for a picture: what hosted models count for one of about a megapixel, rounded up. */
export const IMAGE_TOKENS = 1_500;

/** A text without a break takes the tokenizer time by the square of its length, so it is counted in pieces. */
const LONGEST_RUN = 256;
/** A longer text is not counted but estimated: no window has room for it, and counting would block the process. */
const HUGE = 1_000_000;
const SAMPLES = 32;
const SAMPLE_LENGTH = 4_096;

let tokenizer: { countTokens(text: string, options: typeof plain): number } | undefined;
/** Text such as `<|endoftext|>` is text to us, wherever it comes from. */
const plain = { disallowedSpecial: new Set<string>() };

/** How many tokens a text has; never far below, and for a huge text rather more than there are. */
export function countTokens(text: string): number {
  return text.length > HUGE ? estimate(text) : countPieces(text);
}

/** A huge text by samples from all over it, the densest of which stands for the whole. */
function estimate(text: string): number {
  const step = (text.length - SAMPLE_LENGTH) / (SAMPLES - 1);
  let densest = 0;
  for (let sample = 0; sample < SAMPLES; sample++) {
    const at = Math.floor(sample * step);
    densest = Math.max(densest, countPieces(text.slice(at, at + SAMPLE_LENGTH)));
  }
  return Math.ceil((densest * text.length) / SAMPLE_LENGTH);
}

function countPieces(text: string): number {
  let tokens = 0;
  let counted = 0;
  for (const { 0: run, index } of text.matchAll(/\S+|\s+/g)) {
    if (run.length <= LONGEST_RUN) continue;
    tokens += count(text.slice(counted, index));
    for (let at = 0; at < run.length; at += LONGEST_RUN) tokens += count(run.slice(at, at + LONGEST_RUN));
    counted = index + run.length;
  }
  return tokens + count(text.slice(counted));
}

function count(text: string): number {
  if (text === "") return 0;
  tokenizer ??= createRequire(import.meta.url)("../../vendor/gpt-tokenizer/cjs/encoding/o200k_base.js") as NonNullable<
    typeof tokenizer
  >;
  return tokenizer.countTokens(text, plain);
}
