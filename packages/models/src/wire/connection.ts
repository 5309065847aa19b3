// How a provider's package reaches its server, and how long a call lives: node:http instead of the built-in fetch.
//
// The built-in one gives up after five minutes without headers, whatever the user's timeout says, and keeps connections
// open after the answer. Here a call has one connection of its own, which lives as long as the call and no longer.

import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";

/** A longer timer would fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** The life of one call: it ends when its caller wants no more of it, or when nothing was heard of it for too long. */
export interface Life {
  readonly signal: AbortSignal;
  readonly hasStalled: boolean;
  /** Says that something was heard: any byte will do. */
  beat(): void;
  /** Ends the watch, and whatever still hangs on the signal. */
  end(): void;
}

/** Watches over a call; so many milliseconds without a beat end it. */
export function watchLife(timeout: number, caller: AbortSignal): Life {
  const ending = new AbortController();
  let hasStalled = false;
  const stall = () => {
    hasStalled = true;
    ending.abort();
  };
  const timer = setTimeout(stall, Math.min(timeout, LONGEST_TIMER));
  return {
    signal: AbortSignal.any([caller, ending.signal]),
    get hasStalled() {
      return hasStalled;
    },
    beat: () => {
      if (!ending.signal.aborted) timer.refresh();
    },
    end: () => {
      clearTimeout(timer);
      ending.abort();
    },
  };
}

/** An answer's text and reasoning together, in characters. */
export const LONGEST_ANSWER = 16 * 2 ** 20;
/** What comes over the connection, in bytes: each word of an answer has much around it. */
const LONGEST_BODY = 128 * 2 ** 20;

/** Makes the fetch of one call, with the query of the endpoint's address, which its packages would lose. Where it is to stream, an
 * answer in one JSON body becomes the stream of chat completions that was asked for. Redirects are not followed: the key was
 * meant for one address. */
export function openFetch(life: Life, search: string, streamsWholeBodies = false): typeof fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (search !== "") url.search = search;
    const incoming = await send(url, init, life.signal);
    life.beat();
    const { statusCode: status = 0, headersDistinct } = incoming;
    const pairs = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    );
    const headers = new Headers(pairs);
    if ([204, 205, 304].includes(status)) return new Response(null, { status, headers });
    const isWhole = status === 200 && /^application\/json\b/i.test(headers.get("content-type") ?? "");
    const body = ReadableStream.from(heard(incoming, life));
    if (!(isWhole && streamsWholeBodies)) return new Response(body, { status, headers });
    return new Response(wholeToEvent(await new Response(body).text()), { status });
  };
}

function send(url: URL, init: RequestInit, signal: AbortSignal): Promise<IncomingMessage> {
  const body = typeof init.body === "string" ? init.body : "";
  const headers = {
    ...Object.fromEntries(new Headers(init.headers)),
    "accept-encoding": "identity",
    "content-length": Buffer.byteLength(body),
  };
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = request(url, { method: init.method ?? "POST", headers, agent: false, signal }, resolve);
  sent.on("error", reject).end(body);
  return promise;
}

/** The connection was lost while an answer came over it. */
export class LostConnection extends Error {}

/** More came than any answer has. */
export class TooLong extends Error {}

/** The bytes of a body; each is a sign of life. */
async function* heard(incoming: IncomingMessage, life: Life): AsyncGenerator<Uint8Array> {
  let come = 0;
  try {
    for await (const chunk of incoming) {
      life.beat();
      come += (chunk as Uint8Array).length;
      if (come > LONGEST_BODY) throw new TooLong(`more than ${LONGEST_BODY} bytes`);
      yield chunk as Uint8Array;
    }
  } catch (error) {
    throw error instanceof TooLong ? error : new LostConnection("the connection was lost");
  }
}

/** A whole chat completion as the one event of a stream; what is none goes on as it came, for the package to refuse. */
export function wholeToEvent(text: string): string {
  if (/^\s*(data|event|:)/.test(text)) return text;
  return `data: ${JSON.stringify(wholeToChunk(text)) ?? text.replaceAll(/[\r\n]+/g, " ")}\n\ndata: [DONE]\n\n`;
}

function wholeToChunk(text: string): object | undefined {
  try {
    const whole = JSON.parse(text) as { choices?: { message?: { tool_calls?: object[] | null } }[]; error?: unknown };
    if (typeof whole.error === "string") return { error: { message: whole.error } };
    if (!Array.isArray(whole.choices)) return whole;
    const choices = whole.choices.map(({ message, ...choice }) => {
      // In a stream each call of a tool has its number.
      const calls = message?.tool_calls?.map((call, index) => ({ index, ...call }));
      return { ...choice, delta: calls ? { ...message, tool_calls: calls } : message };
    });
    return { ...whole, choices };
  } catch {
    return undefined;
  }
}
