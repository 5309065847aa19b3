// Tokens: how many a text has, before a server has counted them.
//
// The vocabulary is o200k_base of gpt-tokenizer: with 200,000 entries it is nearer to those of today's models (128,000 to
// 256,000) than cl100k_base, and it loads and counts faster. Other models' own counts differ; whoever needs room for that
// leaves a margin (see fit.ts). The vocabulary is loaded when the first text is counted, from the few files that scripts/vendor.ts
// copies: the whole library is ten times as large.

import { createRequire } from "node:module";

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
