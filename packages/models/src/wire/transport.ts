// Transport: what is done where a model gives no answer. All of it stands here, in one table; an answer that came and cannot be
// used (E1, E2) is the core's to ask for again (core/fast-retry.ts). Nothing else asks twice.
//
// A failure that may pass is tried again after the policy's waits, then the fallbacks are asked, each with tries of its own
// (model.ts). A form or tools that a server refuses are left for less, at once and for as long as the process lives.

import type { Endpoint, RetryPolicy } from "../configuration/configuration.ts";
import { type WireAnswer, WireError, type WireRequest } from "./wire.ts";

/** What can happen: whether another try may help, and whether a model may have begun on an answer of which nothing came. */
const table = {
  "not reached": { mayPass: true, mayCost: false },
  "connection lost": { mayPass: true, mayCost: true },
  stalled: { mayPass: true, mayCost: true },
  "stream cut": { mayPass: true, mayCost: true },
  "error in the stream": { mayPass: true, mayCost: false },
  busy: { mayPass: true, mayCost: false }, // 408, 409, 429, 5xx
  "gateway gave up": { mayPass: true, mayCost: true }, // 504, 524
  refused: { mayPass: false, mayCost: false }, // any other status
  "not sent": { mayPass: false, mayCost: false },
  "too long": { mayPass: false, mayCost: true },
  "program not run": { mayPass: false, mayCost: false },
  "program failed": { mayPass: true, mayCost: false },
  "program ended": { mayPass: true, mayCost: true },
} as const;

/** Which failure a status of HTTP is. */
export function failureOf(status: number): keyof typeof table {
  if (status === 504 || status === 524) return "gateway gave up";
  return status === 408 || status === 409 || status === 429 || status >= 500 ? "busy" : "refused";
}

/** The error of a failure after so many tokens of an answer. */
export function failed(
  failure: keyof typeof table,
  message: string,
  { tokens = 0, ...more }: { tokens?: number; status?: number; retryAfter?: number | undefined } = {},
): WireError {
  const { mayPass, mayCost } = table[failure];
  return new WireError(message, {
    ...more,
    isRetryable: mayPass,
    received: mayCost || tokens > 0 ? tokens : undefined,
  });
}

/** The longest that a server can make us wait, in seconds. */
const LONGEST_WAIT = 600;

/** The seconds to wait after a failure: the policy's, or longer where the server asks for it. */
export function waitAfter(error: WireError, failures: number, { waits }: RetryPolicy): number | undefined {
  const wait = waits[failures - 1];
  if (wait === undefined || !error.isRetryable) return undefined;
  return Math.max(wait, Math.min(error.retryAfter || 0, LONGEST_WAIT));
}

/** Tries until there is a result; throws what the last try failed on. Anything but a WireError is thrown at once. */
export async function retry<Result>(
  policy: RetryPolicy,
  makeTry: () => Promise<Result>,
  wait: (ms: number) => Promise<void>,
  onFailure: (error: WireError, wait: number | undefined) => void,
): Promise<Result> {
  for (let failures = 1; ; failures++) {
    try {
      return await makeTry();
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      const seconds = waitAfter(error, failures, policy);
      onFailure(error, seconds);
      if (seconds === undefined) throw error;
      await wait(seconds * 1000);
    }
  }
}

/** How an answer's form is asked for, and whether tools are offered beside it. */
export interface Way {
  step?: WireAnswer["structured"];
  hasTools?: true;
}

/** How each kind of endpoint can be asked for a form, the best first. Anthropic has no JSON without a schema. */
const STEPS: Readonly<Record<Endpoint["kind"], readonly NonNullable<Way["step"]>[]>> = {
  "openai-compatible": ["json_schema", "json_object", "prompt"],
  openai: ["json_schema", "json_object", "prompt"],
  anthropic: ["json_schema", "prompt"],
  command: ["prompt"],
};

/** What a server answers that does not know a response format or tools, or cannot serve them. */
const REFUSALS = [400, 404, 422, 501];

/** Makes what asks the best way that a model has not refused, and remembers which held for as long as it lives. */
export function openWays() {
  const held = new Map<string, { step?: Way["step"]; refusesTools?: true }>();
  return async (
    kind: Endpoint["kind"],
    { endpoint, model, schema, tools }: Pick<WireRequest, "endpoint" | "model" | "schema" | "tools">,
    ask: (way: Way) => Promise<WireAnswer>,
  ): Promise<WireAnswer> => {
    const key = JSON.stringify([endpoint, model]);
    const known = held.get(key) ?? {};
    const steps = STEPS[kind];
    const plain: Way[] =
      schema === undefined ? [{}] : steps.slice(steps.indexOf(known.step ?? steps[0]!)).map((step) => ({ step }));
    // Beside tools the form is asked for by the prompt alone: a server that holds an answer to a form may keep it from being a call.
    const offer: Way = { hasTools: true, ...(schema !== undefined && { step: "prompt" }) };
    const ways = tools && !known.refusesTools ? [offer, ...plain] : plain;
    let toolsRefused: string | undefined;
    for (const way of ways) {
      try {
        const answer = await ask(way);
        // Only what held is remembered: where all ways are refused, the fault lies elsewhere in the request.
        const step = way.hasTools ? known.step : (way.step ?? known.step);
        held.set(key, { step, ...((toolsRefused !== undefined || known.refusesTools) && { refusesTools: true }) });
        return toolsRefused === undefined ? answer : { ...answer, toolsRefused };
      } catch (error) {
        if (way === ways.at(-1) || !isRefusal(error)) throw error;
        if (way.hasTools) toolsRefused = error.message;
      }
    }
    throw new TypeError(`${kind} has no step`);
  };
}

/** Whether a server refused what it was asked for; one that had begun to answer did not. */
function isRefusal(error: unknown): error is WireError {
  return error instanceof WireError && error.received === undefined && REFUSALS.includes(error.status ?? 0);
}
