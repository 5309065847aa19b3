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

/** Models for all roles that answer by a script, and what they were asked. */
export class ScriptedModels {
  /** Every call, in order; one that was made again is there twice. */
  readonly sent: Sent[] = [];
  readonly #script: Readonly<Record<string, readonly Scripted[]>>;

  constructor(script: Readonly<Record<string, readonly Scripted[]>>) {
    this.#script = script;
  }

  readonly models = (role: string): Model => ({
    estimate: () => ({ tokens: 1, usd: 0 }),
    call: async (request, { idempotencyKey: key }) => {
      const id = (request.id ?? "").split("@")[0]!;
      this.sent.push({ role, id, system: request.system ?? "", text: textOf(request), request, key });
      const answers = this.#script[id] ?? [];
      const nth = [...new Set(this.asked(id).map((each) => each.key))].indexOf(key);
      const answer = answers[Math.min(nth, answers.length - 1)];
      if (answer === undefined) throw new Error(`the script has no answer to the prompt '${id}'`);
      return toAnswer(answer);
    },
  });

  /** All requests of a prompt. */
  readonly asked = (id: string): Sent[] => this.sent.filter((each) => each.id === id);

  /** For `between` of a crash test: the check that no call whose answer is on record now is made again. */
  readonly sentOnce = async (test: TestEngine): Promise<() => void> => {
    const [recorded, before] = [await recordedKeys(test), this.sent.length];
    return () => {
      for (const { key, text } of this.sent.slice(before)) assert.ok(!recorded.has(key), `it was sent again: ${text}`);
    };
  };
}

/** Models for all roles, answering by prompt. A prompt that the script does not know fails the test. */
export function scriptedModels(script: Readonly<Record<string, readonly Scripted[]>>): ScriptedModels {
  return new ScriptedModels(script);
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
