// What is kept of a model's call beside its answer: enough to say what was sent where, what it cost, and what went wrong.

import { digestOf, type ModelAnswer, plainJson } from "@loopwright/core";
import type { Price } from "../configuration/configuration.ts";
import { costOf } from "../configuration/prices.ts";
import type { Cut, Fitted } from "../prompt/fit.ts";
import { countTokens } from "../prompt/tokens.ts";
import type { WireAnswer, WireRequest } from "../wire/wire.ts";

/** A try that failed, and the seconds that were waited before the next. */
export interface FailedTry {
  endpoint: string;
  model: string;
  error: string;
  waited: number;
}

/** The details of a ModelAnswer; plain JSON. */
export interface ModelDetails {
  /** The endpoint that answered, and the model that it was asked for. */
  endpoint: string;
  asked: string;
  tries: readonly FailedTry[];
  cut: readonly Cut[];
  /** SHA-256 of what was sent: system, prompt, digests of the images, schema, tools. */
  promptHash: string;
  /** The prompt as it was sent, where something was cut. */
  sent?: string;
  /** The window that the server really has, where it is smaller than the configuration says. */
  served?: number;
  inputTokens: number;
  outputTokens: number;
  /** Whether the tokens, or some of them, are our own count: the server did not say. */
  isEstimated: boolean;
  /** Whether the price is known; where it is not, the cost counts as 0. */
  costKnown: boolean;
  firstMs: number;
  ms: number;
  structured?: WireAnswer["structured"];
  reasoning?: string;
  /** What the server said when it refused tools. */
  toolsRefused?: string;
}

/** What was known of a call before it was answered. */
export interface AnsweredCall {
  /** The endpoint's own name: the request may know it by another. */
  endpoint: string;
  request: WireRequest;
  fitted: Fitted;
  served: number | undefined;
  price: Price | undefined;
  tries: readonly FailedTry[];
}

/** The answer as it is recorded, with its usage and details. */
export function recordAnswer(answer: WireAnswer, call: AnsweredCall): ModelAnswer {
  const { request, fitted, price, tries, served, endpoint } = call;
  const { text, reasoning = "", toolCalls, model, finishReason, structured, toolsRefused } = answer;
  const calls = toolCalls ? JSON.stringify(toolCalls) : "";
  const inputTokens = counted(answer.inputTokens) ?? fitted.tokens;
  const outputTokens = counted(answer.outputTokens) ?? countTokens(text) + countTokens(reasoning) + countTokens(calls);
  const details: ModelDetails = {
    endpoint,
    asked: request.model,
    tries,
    cut: fitted.cut,
    promptHash: hashRequest(request),
    ...(fitted.cut.length > 0 && { sent: fitted.prompt }),
    ...(served !== undefined && { served }),
    inputTokens,
    outputTokens,
    isEstimated: counted(answer.inputTokens) === undefined || counted(answer.outputTokens) === undefined,
    costKnown: price !== undefined,
    firstMs: Math.round(answer.firstMs),
    ms: Math.round(answer.ms),
    ...(structured && { structured }),
    ...(reasoning !== "" && { reasoning }),
    ...(toolsRefused !== undefined && { toolsRefused }),
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
  const sent = { system: system ?? null, prompt, images: digests, schema: schema ?? null, ...(tools && { tools }) };
  return digestOf(plainJson(sent, "a request"));
}
