// Models that answer by a script: the nth time a prompt is asked, its nth answer; the last one again when there are no more.
// A call that is made again after a crash, with the same idempotency key, gets the answer that it got before.

import assert from "node:assert/strict";
import type { Model, ModelAnswer, ModelRequest } from "../ports.ts";
import { idempotencyKeyOf } from "../run/effects.ts";
import type { TestEngine } from "./engine.ts";

/** What a prompt is answered with: a text, a value as JSON, an answer that is odd in another way, or a failure. */
export type Scripted = string | { json: unknown } | { answer: Partial<ModelAnswer> } | Error;

/** A request as the script saw it. */
export interface Sent {
  role: string;
  /** The prompt's id, without version and hash. */
  id: string;
  system: string;
  text: string;
  request: ModelRequest;
  /** The same for every try of one call. */
  key: string;
}

/** Models that answer by a script, and what they were asked. */
export interface ScriptedModels {
  models: (role: string) => Model;
  /** Every call, in order; one that was made again is there twice. */
  sent: Sent[];
  /** The texts of all requests of a prompt. */
  asked(id: string): Sent[];
  /** For `between` of a crash test: the check that no call whose answer is on record now is made again. */
  sentOnce(test: TestEngine): Promise<() => void>;
}

/** Models for all roles, answering by prompt. A prompt that the script does not know fails the test. */
export function scriptedModels(script: Readonly<Record<string, readonly Scripted[]>>): ScriptedModels {
  const sent: Sent[] = [];
  const given = new Map<string, Scripted>();
  const counts = new Map<string, number>();
  const next = (id: string, key: string): Scripted => {
    const before = given.get(key);
    if (before !== undefined) return before;
    const answers = script[id] ?? [];
    const count = counts.get(id) ?? 0;
    counts.set(id, count + 1);
    const answer = answers[Math.min(count, answers.length - 1)];
    if (answer === undefined) throw new Error(`the script has no answer to the prompt '${id}'`);
    given.set(key, answer);
    return answer;
  };
  const model = (role: string): Model => ({
    estimate: () => ({ tokens: 1, usd: 0 }),
    call: async (request, { idempotencyKey: key }) => {
      const id = (request.id ?? "").split("@")[0]!;
      sent.push({ role, id, system: request.system ?? "", text: textOf(request), request, key });
      return toAnswer(next(id, key));
    },
  });
  const sentOnce = async (test: TestEngine) => {
    const [recorded, before] = [await recordedKeys(test), sent.length];
    return () => {
      for (const { key, text } of sent.slice(before)) assert.ok(!recorded.has(key), `it was sent again: ${text}`);
    };
  };
  return { models: model, sent, asked: (id) => sent.filter((each) => each.id === id), sentOnce };
}

/** The idempotency keys of all effects that have a result. */
async function recordedKeys({ journal, chain }: TestEngine): Promise<Set<string>> {
  const keys = new Set<string>();
  for (const run of await journal.runs()) {
    const started = new Map<string, string>();
    for (const event of await chain(run)) {
      if (event.type === "effect-started") started.set(`${event.visit} ${event.key}`, idempotencyKeyOf(run, event));
      if (event.type === "effect-finished") keys.add(started.get(`${event.visit} ${event.key}`)!);
    }
  }
  return keys;
}

/** The whole text of a request's prompt. */
function textOf({ prompt }: ModelRequest): string {
  return typeof prompt === "string" ? prompt : prompt.map(({ text }) => text).join("\n\n");
}

function toAnswer(scripted: Scripted): ModelAnswer {
  if (scripted instanceof Error) throw scripted;
  const plain = { text: "", model: "scripted", finishReason: "stop", usage: { tokens: 1, usd: 0 } };
  if (typeof scripted === "string") return { ...plain, text: scripted };
  if ("json" in scripted) return { ...plain, text: JSON.stringify(scripted.json) };
  return { ...plain, ...scripted.answer };
}
