// What a model server that fails on purpose can do with one request: answer it, or fail in one of these ways.

import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

/** What one request gets. Everything left out is as a healthy server has it. */
export interface Reply {
  /** The answer; `ok` where it is left out. Think blocks are written into it as a model would. */
  text?: string;
  /** What the server sets apart as `reasoning_content`, before the text. */
  reasoning?: string;
  /** Calls of tools, after the text, each with its arguments as the model wrote them. */
  toolCalls?: readonly { name: string; input: string }[];
  /** The model that answers; the one that was asked for where it is left out. */
  model?: string;
  /** `length` for an answer that was cut off. */
  finishReason?: string;
  /** The server's count; `none` for a server that does not count. */
  usage?: { input: number; output: number } | "none";
  /** An HTTP error instead of an answer, unless it is 200. */
  status?: number;
  headers?: Record<string, string>;
  /** The body of an HTTP error or the data of an `error-event`; by default as OpenAI words it. */
  body?: string;
  /**
   * Over one JSON body, `malformed` and `error-event` are as `end`.
   * - `refuse`: the connection is closed before a word of an answer
   * - `hang`: not even headers come
   * - `stall`: half of the answer, then silence on an open connection
   * - `cut`: half of the answer, then the connection is cut
   * - `end`: half of the answer, then a tidy end without a finish reason or `[DONE]`
   * - `malformed`: half of the answer, then an event that is no JSON
   * - `error-event`: half of the answer, then an error told inside the stream
   */
  fault?: "refuse" | "hang" | "stall" | "cut" | "end" | "malformed" | "error-event";
  /** Milliseconds before the first byte, as while a server loads its model. */
  delay?: number;
  /** Milliseconds before each piece. */
  drip?: number;
  /** Milliseconds between comments that keep the connection alive during `delay`; the headers come at once then. */
  ping?: number;
  /** Characters in a piece; 4 where it is left out. */
  piece?: number;
  /** False for a server that answers with one JSON body though it was asked to stream. */
  streams?: boolean;
}

/** The parts of a chat message that tests look at. */
export type MessageContent = string | readonly { type: string; text?: string; image_url?: { url: string } }[];

/** The body of a request for a chat completion. */
export interface ChatBody {
  model: string;
  messages: readonly { role: string; content: MessageContent }[];
  stream?: boolean;
  response_format?: { type: string; json_schema?: { name: string; schema: unknown; strict?: boolean } };
  tools?: readonly { type: string; function: { name: string; parameters: unknown; strict?: boolean } }[];
  temperature?: number;
  top_p?: number;
  max_tokens?: number;
  stream_options?: { include_usage?: boolean };
}

/** A request as the server saw it. */
export interface SeenRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: ChatBody;
  /** The text of the last message. */
  prompt: string;
  ended: Promise<"answered" | "cut" | "left">;
}

const WORDS: Record<number, string> = {
  400: "Bad request",
  401: "Incorrect API key provided",
  404: "The model does not exist",
  408: "Request timeout",
  409: "Conflict",
  422: "Unprocessable",
  429: "Rate limit reached",
  500: "The server had an error",
  501: "Not implemented",
  503: "Loading model",
};

/** Carries out a reply. */
export async function sendReply(
  response: ServerResponse,
  request: SeenRequest,
  reply: Reply,
  closing: AbortSignal,
): Promise<void> {
  const { status = 200, headers = {}, fault, delay = 0, ping } = reply;
  const streams = request.body.stream === true && reply.streams !== false;
  if (fault === "hang") return;
  if (fault === "refuse") return cut(response);
  if (ping !== undefined) {
    response.writeHead(200, { "content-type": "text/event-stream", ...headers });
    for (let waited = 0; waited < delay && !response.destroyed; waited += ping) {
      response.write(": loading the model\n\n");
      await pause(ping, undefined, { signal: closing });
    }
  } else if (delay > 0) await pause(delay, undefined, { signal: closing });
  if (response.destroyed) return;
  if (status !== 200) return sendError(response, status, headers, reply.body);
  if (!response.headersSent) {
    response.writeHead(200, { "content-type": streams ? "text/event-stream" : "application/json", ...headers });
  }
  if (streams) await sendStream(response, request, reply, closing);
  else await sendWhole(response, request, reply, closing);
}

function sendError(response: ServerResponse, status: number, headers: Record<string, string>, body?: string): void {
  const words = WORDS[status] ?? "The request failed";
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(body ?? JSON.stringify({ error: { message: words, type: "error", param: null, code: null } }));
}

async function sendWhole(
  response: ServerResponse,
  request: SeenRequest,
  reply: Reply,
  closing: AbortSignal,
): Promise<void> {
  const { text = wordsOf(reply), reasoning, finishReason = reasonOf(reply), fault } = reply;
  const said = { role: "assistant", content: text, ...(reasoning ? { reasoning_content: reasoning } : {}) };
  const calls = toolCallsOf(reply);
  const message = { ...said, ...(calls.length > 0 && { tool_calls: calls }) };
  const body = JSON.stringify({
    ...frame(request, reply, "chat.completion"),
    choices: [{ index: 0, message, finish_reason: finishReason }],
    ...usageOf(request, reply),
  });
  if (fault === undefined) return void response.end(body);
  response.write(body.slice(0, body.length / 2));
  await endWith(fault, response, closing, { malformed: "", error: "" });
}

async function sendStream(
  response: ServerResponse,
  request: SeenRequest,
  reply: Reply,
  closing: AbortSignal,
): Promise<void> {
  const { text = wordsOf(reply), reasoning = "", finishReason = reasonOf(reply), fault, drip = 0, piece = 4 } = reply;
  const send = (choices: unknown, more: object = {}): void => {
    const event = { ...frame(request, reply, "chat.completion.chunk"), choices, ...more };
    response.write(`data: ${JSON.stringify(event)}\n\n`);
  };
  const deltas: object[] = [
    ...pieces(reasoning, piece).map((part) => ({ reasoning_content: part })),
    ...pieces(text, piece).map((part) => ({ content: part })),
    ...toolCallsOf(reply).flatMap((call, index) => callPieces(call, index, piece)),
  ];
  const sent = fault === undefined ? deltas : deltas.slice(0, Math.ceil(deltas.length / 2));
  send([{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }]);
  for (const delta of sent) {
    if (drip > 0) await pause(drip, undefined, { signal: closing });
    if (response.destroyed) return;
    send([{ index: 0, delta, finish_reason: null }]);
  }
  if (fault !== undefined) {
    return endWith(fault, response, closing, {
      malformed: 'data: {"choices": [{"delta": \n\ndata: [DONE]\n\n',
      error: `data: ${reply.body ?? '{"error":{"message":"The model has crashed","code":500}}'}\n\n`,
    });
  }
  send([{ index: 0, delta: {}, finish_reason: finishReason }]);
  const usage = usageOf(request, reply);
  if (usage.usage && request.body.stream_options?.include_usage) send([], usage);
  response.end("data: [DONE]\n\n");
}

function wordsOf({ toolCalls }: Reply): string {
  return toolCalls ? "" : "ok";
}

function reasonOf({ toolCalls }: Reply): string {
  return toolCalls ? "tool_calls" : "stop";
}

type Call = ReturnType<typeof toolCallsOf>[number];

function toolCallsOf({ toolCalls = [] }: Reply) {
  return toolCalls.map(({ name, input }, nth) => ({
    id: `call_${nth}`,
    type: "function",
    function: { name, arguments: input },
  }));
}

/** A call as a stream has it: its name first, then its arguments piece by piece. */
function callPieces({ function: { name, arguments: input }, ...call }: Call, index: number, piece: number): object[] {
  return [
    { tool_calls: [{ index, ...call, function: { name, arguments: "" } }] },
    ...pieces(input, piece).map((part) => ({ tool_calls: [{ index, function: { arguments: part } }] })),
  ];
}

/** Ends an answer that was half sent, as the fault has it. */
async function endWith(
  fault: NonNullable<Reply["fault"]>,
  response: ServerResponse,
  closing: AbortSignal,
  words: { malformed: string; error: string },
): Promise<void> {
  if (fault === "stall") return;
  // A cut connection would otherwise take with it what is still in the socket's buffer.
  await pause(20, undefined, { signal: closing });
  if (fault === "cut") cut(response);
  else if (fault === "malformed") response.end(words.malformed);
  else if (fault === "error-event") response.end(words.error);
  else response.end();
}

function frame(request: SeenRequest, reply: Reply, object: string): object {
  return { id: "chatcmpl-1", object, created: 1_700_000_000, model: reply.model ?? request.body.model };
}

/** Counts four characters as a token where the test does not say. */
function usageOf(request: SeenRequest, { usage, text = "ok", reasoning = "" }: Reply): { usage?: object } {
  if (usage === "none") return {};
  const input = usage?.input ?? Math.ceil(request.prompt.length / 4);
  const output = usage?.output ?? Math.ceil((text.length + reasoning.length) / 4);
  return { usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output } };
}

function pieces(text: string, size: number): string[] {
  return text.match(new RegExp(`[^]{1,${size}}`, "gu")) ?? [];
}

const cuts = new WeakSet<ServerResponse>();

function cut(response: ServerResponse): void {
  cuts.add(response);
  response.destroy();
}

/** How a response will have ended. */
export function howItEnds(response: ServerResponse): SeenRequest["ended"] {
  return new Promise((resolve) => {
    response.on("close", () => {
      resolve(cuts.has(response) ? "cut" : response.writableFinished ? "answered" : "left");
    });
  });
}
