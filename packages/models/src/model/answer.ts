// An answer: how far it is while it streams, and how it is recorded, with what says what was sent where, what it cost, and what
// went wrong.

import { digestOf, type ModelAnswer, type ModelCall, plainJson } from "@loopwright/core";
import type { CallDetails } from "../calls.ts";
import { costOf, type Price } from "../configuration/configuration.ts";
import { countTokens, type Fitted } from "../prompt/fit.ts";
import type { WireAnswer, WireRequest } from "../wire/wire.ts";

/** The answer as it is recorded, with its usage, and in its details what was known of its call before. */
export function recordAnswer(
  answer: WireAnswer,
  call: Pick<CallDetails, "endpoint" | "tries" | "served"> & { request: WireRequest; fitted: Fitted; price?: Price },
): ModelAnswer {
  const { request, fitted, price, tries, served, endpoint } = call;
  const { text, reasoning = "", toolCalls, model, finishReason, structured, toolsRefused } = answer;
  const calls = toolCalls ? JSON.stringify(toolCalls) : "";
  const inputTokens = counted(answer.inputTokens) ?? fitted.tokens;
  const outputTokens = counted(answer.outputTokens) ?? countTokens(text) + countTokens(reasoning) + countTokens(calls);
  const details: CallDetails = {
    endpoint,
    asked: request.model,
    tries,
    cut: fitted.cut,
    promptHash: hashRequest(request),
    sent: fitted.cut.length > 0 ? fitted.prompt : undefined,
    served,
    inputTokens,
    outputTokens,
    isEstimated: counted(answer.inputTokens) === undefined || counted(answer.outputTokens) === undefined,
    costKnown: price !== undefined,
    firstMs: Math.round(answer.firstMs),
    ms: Math.round(answer.ms),
    structured,
    reasoning: reasoning || undefined,
    toolsRefused,
  };
  const usage = { tokens: inputTokens + outputTokens, usd: costOf(price, inputTokens, outputTokens) };
  const said = { text, ...(toolCalls && { toolCalls }), model, finishReason };
  return { ...said, usage, details: plainJson(details, "the details of a model's answer") };
}

/** A server's count, where it is one that a call can have. */
function counted(tokens: number | undefined): number | undefined {
  return tokens !== undefined && tokens >= 0 && tokens <= Number.MAX_SAFE_INTEGER ? tokens : undefined;
}

function hashRequest({ system, prompt, images, schema, tools }: WireRequest): string {
  const digests = images.map(({ digest }) => digest);
  const sent = { system: system ?? null, prompt, images: digests, schema: schema ?? null, tools };
  return digestOf(plainJson(sent, "a request"));
}

/** Milliseconds between two reports. */
const INTERVAL = 200;

/** Makes what is told the text so far; it reports at most five times a second. `now` is in milliseconds. */
export function reportProgress(
  model: string,
  report: ModelCall["progress"],
  now: () => number,
): (text: string) => void {
  let startedAt: number | undefined;
  let reportedAt = Number.NEGATIVE_INFINITY;
  let counted = 0;
  let tokens = 0;
  return (text) => {
    const time = now();
    startedAt ??= time;
    if (time - reportedAt < INTERVAL) return;
    reportedAt = time;
    // Only what is new is counted: a long answer must not cost more with every report.
    tokens += countTokens(text.slice(counted));
    counted = text.length;
    const seconds = (time - startedAt) / 1000;
    const tokens_per_s = seconds > 0 ? Math.round((tokens / seconds) * 10) / 10 : 0;
    report({ words: text.match(/\S+/g)?.length ?? 0, tokens, tokens_per_s, model });
  };
}
