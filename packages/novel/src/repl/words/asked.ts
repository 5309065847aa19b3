// What a model is asked before anything is written, in words: without them a long answer looks like a standstill.

import type { Json } from "@loopwright/core";

/** By the prompt's name. */
const questions: Readonly<Record<string, string>> = {
  reach: "which files this reaches",
  condition: "whether the condition holds",
  "ask-back": "whether this says enough to act on",
  talk: "about the book",
};

/** Who is asked what by an effect; undefined for one that asks no such thing. */
export function askedOf(input: Json): { role: string; prompt: string; what: string } | undefined {
  const { role, request } = (input ?? {}) as { role?: unknown; request?: { id?: unknown } };
  const id = request?.id;
  if (typeof role !== "string" || typeof id !== "string") return undefined;
  const prompt = id.slice(id.lastIndexOf("/") + 1).split("@", 1)[0]!;
  return Object.hasOwn(questions, prompt) ? { role, prompt, what: questions[prompt]! } : undefined;
}
