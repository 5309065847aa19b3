// What tests of wires share: endpoints, requests, calls, and a way to look at a failure.

import { type Endpoint, type WireCall, WireError, type WireRequest } from "@loopwright/models";
import { expect } from "vitest";

/** An OpenAI-compatible server at this address. */
export function endpointAt(url: string, more: Partial<Endpoint> = {}): Endpoint {
  return { name: "local", kind: "openai-compatible", url, concurrency: 1, isLocal: true, ...more };
}

/** A request to the endpoint `local`. */
export function requestFor(prompt: string, more: Partial<WireRequest> = {}): WireRequest {
  return { endpoint: "local", model: "fake", prompt, images: [], maxTokens: 100, ...more };
}

/** A call that keeps what it is told. */
export function callOf(more: Partial<WireCall> = {}): WireCall & { told: string[] } {
  const told: string[] = [];
  const onText = (text: string) => void told.push(text);
  return { signal: new AbortController().signal, onText, idempotencyKey: "key-1", ordinal: "0", told, ...more };
}

/** The WireError that a call ends with; any other end fails the test. */
export async function wireErrorOf(call: Promise<unknown>): Promise<WireError> {
  const error = await call.then(
    (answer) => expect.unreachable(`it answered ${JSON.stringify(answer)}`),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(WireError);
  return error as WireError;
}
