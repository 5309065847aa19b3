// The wire over the AI SDK: one request to one model at one endpoint, streamed, and collected into a whole answer.
//
// 1. A part of an answer is never an answer: a truncated, stalled or garbled stream is a WireError.
// 2. Nothing is tried again here, but for the steps of the structured-output ladder, and without tools where they are refused.
// 3. When the call is over, for whatever reason, its connection is closed and its processes are gone.
// 4. Where the caller aborts, the signal's reason is thrown, and no WireError.

import type { Json, ToolCall } from "@loopwright/core";
import { defaultRetry, type Endpoint } from "../configuration/configuration.ts";
import { type Redact, redactor, secretsOf } from "../configuration/secrets.ts";
import { openLadder, type Step } from "../model/ladder.ts";
import { countTokens } from "../prompt/tokens.ts";
import { callCommand } from "./command.ts";
import { watchLife } from "./life.ts";
import { LONGEST_ANSWER, TooLong } from "./provider-fetch.ts";
import { stallError, toWireError } from "./sdk-errors.ts";
import { loadStream, type StreamEnd, type StreamPart } from "./sdk-stream.ts";
import { openTools } from "./tools.ts";
import { type Wire, type WireAnswer, type WireCall, WireError, type WireRequest } from "./wire.ts";

/** How requests are sent by the AI SDK. */
export interface SdkWireOptions {
  /** Milliseconds without a sign of life after which a call is given up. */
  timeout?: number;
  /** Takes secrets out of messages; those of the endpoints where it is left out. */
  redact?: Redact;
}

/** One request of the wire, with all that serves it. */
export interface Exchange {
  endpoint: Endpoint;
  request: WireRequest;
  call: WireCall;
  timeout: number;
  redact: Redact;
}

/** A wire to these endpoints. */
export function sdkWire(endpoints: Readonly<Record<string, Endpoint>>, options: SdkWireOptions = {}): Wire {
  const { timeout = defaultRetry.timeout * 1000, redact = redactor(secretsOf(endpoints, {})) } = options;
  const ladder = openLadder();
  const tools = openTools();
  return async (request, call) => {
    const endpoint = endpoints[request.endpoint];
    if (!endpoint) throw new WireError(`there is no endpoint ${request.endpoint}`, { isRetryable: false });
    call.signal.throwIfAborted();
    const { keyEnv, key } = endpoint;
    if (keyEnv !== undefined && key === undefined)
      throw new WireError(`the environment has no ${keyEnv}`, { isRetryable: false, lacksKey: keyEnv });
    const exchange = { endpoint, request, call, timeout, redact };
    if (endpoint.kind === "command") return callCommand(exchange);
    if (request.tools) return tools.offer(exchange, () => ask(exchange, stepBeside(request)), answer);
    return answer(exchange);
  };

  function answer(exchange: Exchange): Promise<WireAnswer> {
    const { endpoint, request } = exchange;
    if (request.schema === undefined) return ask(exchange, undefined);
    return ladder.descend(endpoint.kind, request, (step) => ask(exchange, step));
  }
}

/** The form is asked for by the prompt alone beside tools: a server that holds an answer to a form may keep it from being a call. */
function stepBeside({ schema }: WireRequest): Step | undefined {
  return schema === undefined ? undefined : "prompt";
}

async function ask(exchange: Exchange, step: Step | undefined): Promise<WireAnswer> {
  const { endpoint, request, call, timeout, redact } = exchange;
  const openStream = await loadStream(endpoint.kind);
  const told = { endpoint, model: request.model, redact };
  const life = watchLife(timeout, call.signal);
  const come = { text: "", reasoning: "", calls: "" };
  try {
    const warnings: string[] = [];
    const stream = openStream(exchange, step, life, warnings);
    const answer = await collect(stream, call.onText, come);
    return { ...answer, ...(step && { structured: step }), ...(warnings.length > 0 && { warnings }) };
  } catch (error) {
    call.signal.throwIfAborted();
    const tokens = Object.values(come).reduce((sum, text) => sum + tokensOf(text), 0);
    throw life.hasStalled ? stallError(timeout, told, tokens) : toWireError(error, told, tokens);
  } finally {
    life.end();
  }
}

const COUNTED_CHARS = 2 ** 18;

/** The tokens of what has come; of more than any answer has, by the beginning. */
function tokensOf(text: string): number {
  if (text.length <= COUNTED_CHARS) return countTokens(text);
  return Math.ceil((countTokens(text.slice(0, COUNTED_CHARS)) * text.length) / COUNTED_CHARS);
}

/** The whole answer; what has come of it stands in `come`, also where it breaks off. */
async function collect(
  stream: AsyncIterable<StreamPart>,
  onText: WireCall["onText"],
  come: { text: string; reasoning: string; calls: string },
): Promise<WireAnswer> {
  const begun = performance.now();
  let firstMs: number | undefined;
  let end: StreamEnd | undefined;
  const toolCalls: ToolCall[] = [];
  for await (const part of stream) {
    if (part.type === "error") throw part.error;
    if (part.type === "finish-step") end = part;
    if (part.type === "tool-call") toolCalls.push({ name: part.toolName, input: plainInput(part.input) });
    const into = INTO[part.type as keyof typeof INTO];
    if (!into) continue;
    firstMs ??= performance.now() - begun;
    come[into] += part.type === "tool-input-delta" ? part.delta : (part as { text: string }).text;
    if (come.text.length + come.reasoning.length + come.calls.length > LONGEST_ANSWER)
      throw new TooLong(`more than ${LONGEST_ANSWER} characters`);
    onText(come.text);
  }
  if (!end || !hasFinished(end)) throw new Error("there is no finish reason");
  const ms = performance.now() - begun;
  const { text, reasoning } = come;
  const { response, usage, finishReason, rawFinishReason } = end;
  const isEmpty = text === "" && reasoning === "" && toolCalls.length === 0;
  return {
    text,
    ...(reasoning !== "" && { reasoning }),
    ...(toolCalls.length > 0 && { toolCalls }),
    model: response.modelId,
    finishReason: finishReason === "other" ? rawFinishReason! : finishReason,
    // The SDK counts nought where a server leaves a count out.
    inputTokens: usage.inputTokens || undefined,
    outputTokens: isEmpty ? usage.outputTokens : usage.outputTokens || undefined,
    firstMs: Math.round(firstMs ?? ms),
    ms: Math.round(ms),
  };
}

/** Where the pieces of an answer go. */
const INTO = { "text-delta": "text", "reasoning-delta": "reasoning", "tool-input-delta": "calls" } as const;

/** What came as a call's arguments, as JSON has it. */
function plainInput(input: unknown): Json {
  return JSON.parse(JSON.stringify(input ?? null)) as Json;
}

/** Whether the server said itself that its answer is over. */
function hasFinished({ finishReason, rawFinishReason }: StreamEnd): boolean {
  if (finishReason === "other") return rawFinishReason !== undefined;
  return finishReason !== "error" && finishReason !== "interrupted";
}
