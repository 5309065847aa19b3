// Fitting: a prompt in parts is cut until it fits the window; what was cut is told. Pure.
//
// The window holds prompt and answer together. The answer's `maxTokens` are kept free, and of the rest a tenth: other
// models count up to about so much more than our tokenizer, and a chat template adds some. Servers on one's own machine
// often cut what is too long without a word, at its beginning, so the margin is not spared.
//
// Parts are cut in order of priority, the lowest first, and of two with the same the larger first; each only as far as
// its floor allows. A part without a floor, the system text, images and a prompt that is one string are never cut.

import { type ModelRequest, type PromptPart, UsageError } from "@loopwright/core";
import { type CountTokens, CUT_TOKENS, cutText } from "./fit-cut.ts";

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
  const parts = (typeof prompt === "string" ? [wholePrompt(prompt)] : prompt).map((part) => sizePart(part, count));
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

function wholePrompt(text: string): PromptPart {
  return { name: "prompt", text, priority: 0 };
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
