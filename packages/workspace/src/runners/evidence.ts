// What all runners ask of their evidence: a seal that fits, texts of bearable length, an output's telling end.

import { createHmac, timingSafeEqual } from "node:crypto";
import type { JunitCase } from "./junit.ts";
import type { Evidence } from "./types.ts";

const LONGEST_FAILURE = 2_000;
const LONGEST_TAIL = 1_500;

/** A sealed statement's facts, or undefined where it is missing, torn, or sealed by someone without the nonce. */
export function sealedStatement(evidence: Evidence, nonce: string, xml: string): Record<string, unknown> | undefined {
  try {
    const { facts, seal } = JSON.parse(evidence.report("statement.json") ?? "") as { facts: string; seal: string };
    const right = createHmac("sha256", nonce).update(facts).update("\n").update(xml).digest();
    const given = Buffer.from(seal, "hex");
    if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
    return JSON.parse(facts) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** A failure's words: its text where there is one, else its message; the middle of a long one left out. */
export function failureOf({ text, message }: JunitCase): string {
  const words = text.trim() === "" ? message : text;
  return cutMiddle(words.trim(), LONGEST_FAILURE);
}

/** The end of an output, where programs say what went wrong. */
export function tailOf(output: string): string {
  const text = output.trim();
  return text.length <= LONGEST_TAIL ? text : `…\n${text.slice(-LONGEST_TAIL)}`;
}

/** A sentence, and what the program last printed under it. */
export function faultWith(sentence: string, output: string): string {
  const tail = tailOf(output);
  return tail === "" ? sentence : `${sentence}\n${tail}`;
}

function cutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.floor(limit / 2);
  return `${text.slice(0, half)}\n… ${text.length - 2 * half} characters left out …\n${text.slice(-half)}`;
}
