// The wire over the AI SDK: one request to one model at one endpoint, streamed, and collected into a whole answer.
//
// 1. A part of an answer is never an answer: a truncated, stalled or garbled stream is a WireError.
// 2. Nothing is tried again here, but in a lesser form or without tools where those are refused (transport.ts).
// 3. When the call is over, for whatever reason, its connection is closed and its processes are gone.
// 4. Where the caller aborts, the signal's reason is thrown, and no WireError.

import type { Json, Redact, ToolCall } from "@loopwright/core";
import type { streamText, ToolSet } from "ai";
import { defaultRetry, type Endpoint } from "../configuration/configuration.ts";
import { redactor, secretsOf } from "../configuration/secrets.ts";
import { countTokens } from "../prompt/fit.ts";
import { callCommand } from "./command.ts";
import { type Life, LONGEST_ANSWER, TooLong, watchLife } from "./connection.ts";
import { formatOf, isStrict, loadProvider } from "./provider.ts";
import { stallError, toWireError } from "./sdk-errors.ts";
import { openWays, type Way } from "./transport.ts";
import { type Wire, type WireAnswer, type WireCall, WireError, type WireRequest } from "./wire.ts";

/** One request of the wire, with all that serves it. */
export interface Exchange {
  endpoint: Endpoint;
  request: WireRequest;
  call: WireCall;
  timeout: number;
  redact: Redact;
}

/** A wire to these endpoints: a call is given up after so many milliseconds without a sign of life, and messages lose what is
 * secret, which is the endpoints' own where nothing is said. */
export function sdkWire(
  endpoints: Readonly<Record<string, Endpoint>>,
  {
    timeout = defaultRetry.timeout * 1000,
    redact = redactor(secretsOf(endpoints, {})),
  }: Partial<Pick<Exchange, "timeout" | "redact">> = {},
): Wire {
  const askBest = openWays();
  return async (request, call) => {
    const endpoint = endpoints[request.endpoint];
    if (!endpoint) throw new WireError(`there is no endpoint ${request.endpoint}`, { isRetryable: false });
    call.signal.throwIfAborted();
    const { kind, keyEnv, key } = endpoint;
    if (keyEnv !== undefined && key === undefined)
      throw new WireError(`the environment has no ${keyEnv}`, { isRetryable: false, lacksKey: keyEnv });
    const exchange = { endpoint, request, call, timeout, redact };
    return kind === "command" ? callCommand(exchange) : askBest(kind, request, (way) => ask(exchange, way));
  };
}

async function ask(exchange: Exchange, way: Way): Promise<WireAnswer> {
  const { endpoint, request, call, timeout, redact } = exchange;
  const openStream = await loadStream(endpoint.kind);
  const told = { endpoint, model: request.model, redact };
  const life = watchLife(timeout, call.signal);
  const come = { text: "", reasoning: "", calls: "" };
  try {
    const answer = await collect(openStream(exchange, way, life), call.onText, come);
    return { ...answer, ...(way.step && { structured: way.step }) };
  } catch (error) {
    call.signal.throwIfAborted();
    const tokens = Object.values(come).reduce((sum, text) => sum + countTokens(text), 0);
    throw life.hasStalled ? stallError(timeout, told, tokens) : toWireError(error, told, tokens);
  } finally {
    life.end();
  }
}

type Stream = ReturnType<typeof streamText>["stream"];
type StreamPart = Stream extends AsyncIterable<infer Part> ? Part : never;
/** The last part of an answer: why it ended, what it cost, who gave it. */
type StreamEnd = Extract<StreamPart, { type: "finish-step" }>;

/** Loads what sends a request to a kind of endpoint: no retries, no telemetry, and nothing printed. */
async function loadStream(kind: Endpoint["kind"]) {
  const [{ jsonSchema, streamText }, openModel] = await Promise.all([import("ai"), loadProvider(kind)]);
  globalThis.AI_SDK_LOG_WARNINGS ??= false;
  return ({ endpoint, request, call }: Exchange, { step, hasTools }: Way, life: Life): Stream => {
    const { system, prompt, images, schema, tools = [], temperature, topP, maxTokens } = request;
    const files = images.map(({ bytes, mediaType }) => ({ type: "file", data: bytes, mediaType }) as const);
    // Without `execute` a call is only told.
    const offered = tools.map(({ name, description, parameters }) => {
      const inputSchema = jsonSchema(parameters as Parameters<typeof jsonSchema>[0]);
      return [name, { description, inputSchema, strict: isStrict(parameters) }] as const;
    });
    const way = [call.idempotencyKey, ...(hasTools ? ["tools"] : []), ...(step ? [step] : [])];
    return streamText({
      model: openModel(endpoint, request.model, life),
      instructions: system,
      messages: [{ role: "user", content: [...files, { type: "text", text: prompt }] }],
      temperature,
      topP,
      maxOutputTokens: maxTokens,
      ...formatOf(step, schema),
      ...(hasTools && { tools: Object.fromEntries(offered) as ToolSet }),
      // Another way to ask is another request, so its key is another.
      headers: { "idempotency-key": encodeURIComponent(way.join(" ")) },
      abortSignal: life.signal,
      maxRetries: 0,
      telemetry: { isEnabled: false },
      // Errors are read from the stream; the SDK would print them too.
      onError: () => {},
    }).stream;
  };
}

/** Where the pieces of an answer go. */
const INTO = { "text-delta": "text", "reasoning-delta": "reasoning", "tool-input-delta": "calls" } as const;

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
    if (part.type === "tool-call") {
      const input = JSON.parse(JSON.stringify(part.input ?? null)) as Json;
      toolCalls.push({ name: part.toolName, input });
    }
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

/** Whether the server said itself that its answer is over. */
function hasFinished({ finishReason, rawFinishReason }: StreamEnd): boolean {
  if (finishReason === "other") return rawFinishReason !== undefined;
  return finishReason !== "error" && finishReason !== "interrupted";
}
