// Calls of models, found again among a run's events: an effect whose input is a role and a request, and whose result is
// an answer. The details are what the model layer keeps beside the answer; a model of another making may keep none.

import {
  addUsage,
  type ErrorRecord,
  type Json,
  type ModelAnswer,
  type ModelRequest,
  noUsage,
  type StampedEvent,
  type Usage,
} from "@loopwright/core";
import type { Cut } from "./prompt/fit.ts";
import type { WireAnswer } from "./wire/wire.ts";

/** A try that failed, and the seconds that were waited before the next. */
export interface FailedTry {
  endpoint: string;
  model: string;
  error: string;
  waited: number;
}

/** What is kept of how an answer came about: the details of a ModelAnswer, as plain JSON. */
export interface CallDetails {
  /** The endpoint that answered, and the model that was asked for there. */
  endpoint?: string;
  asked?: string;
  /** The tries that failed before the answer came. */
  tries?: readonly FailedTry[];
  /** What had to be cut so that the prompt fits. */
  cut?: readonly Cut[];
  /** SHA-256 of what was sent: system, prompt, digests of the images, schema, tools. */
  promptHash?: string;
  /** The prompt as it was sent, where something was cut. */
  sent?: string;
  /** The window that the server really has, where it is smaller than the configuration says. */
  served?: number;
  inputTokens?: number;
  outputTokens?: number;
  /** Whether the tokens, or some of them, are our own count: the server did not say. */
  isEstimated?: boolean;
  /** Whether the price is known; where it is not, the cost counts as 0. */
  costKnown?: boolean;
  /** Milliseconds until the first sign of an answer, and until its end. */
  firstMs?: number;
  ms?: number;
  structured?: WireAnswer["structured"];
  reasoning?: string;
  /** What the server said when it refused tools. */
  toolsRefused?: string;
}

/** A call of a model as the journal has it; without an answer or an error, it was under way when its process died. */
export interface RecordedCall {
  visit: number;
  key: string;
  role: string;
  request: ModelRequest;
  /** When its last try began, and when it ended. */
  startedAt: number;
  endedAt?: number;
  answer?: ModelAnswer;
  details: CallDetails;
  error?: ErrorRecord;
  usage?: Usage;
}

/** The event of an effect that began. */
export type EffectStarted = Extract<StampedEvent, { type: "effect-started" }>;
/** The event of an effect that ended, well or not. */
export type EffectEnded = Extract<StampedEvent, { type: "effect-finished" | "effect-failed" }>;

/** The call that an effect's events tell of; undefined where the effect is no call of a model. */
export function modelCallOf(started: EffectStarted, ended?: EffectEnded): RecordedCall | undefined {
  const { input, visit, key, at: startedAt } = started;
  if (!isCallInput(input)) return undefined;
  const call: RecordedCall = { visit, key, role: input.role, request: input.request, startedAt, details: {} };
  if (ended === undefined) return call;
  call.endedAt = ended.at;
  if (ended.usage) call.usage = ended.usage;
  if (ended.type === "effect-failed") return { ...call, error: ended.error };
  if (!isModelAnswer(ended.result)) return undefined;
  return { ...call, answer: ended.result, details: detailsOf(ended.result) };
}

/** Every call of a model among a run's events, in the order in which they were first asked for. */
export function modelCalls(events: Iterable<StampedEvent>): RecordedCall[] {
  const effects = new Map<string, { started: EffectStarted; ended?: EffectEnded; usage?: Usage }>();
  for (const event of events) {
    if (!("visit" in event && "key" in event)) continue;
    const effect = effects.get(placeOf(event));
    const { usage } = effect ?? {};
    if (event.type === "effect-started") effects.set(placeOf(event), { started: event, ...(usage && { usage }) });
    else if (effect) {
      if (event.usage) effect.usage = addUsage(usage ?? noUsage, event.usage);
      if (event.type !== "effect-charged") effect.ended = event;
    }
  }
  return [...effects.values()].flatMap(({ started, ended, usage }) => {
    const call = modelCallOf(started, ended);
    return call ? [{ ...call, ...(usage && { usage }) }] : [];
  });
}

/** Tells one effect of a run from another. */
export function placeOf({ visit, key }: { visit: number; key: string }): string {
  return `${visit}/${key}`;
}

/** Whether a value is an answer of a model. */
export function isModelAnswer(value: Json): value is Json & ModelAnswer {
  if (!isObject(value)) return false;
  const { text, model, finishReason, usage } = value;
  return [text, model, finishReason].every((word) => typeof word === "string") && isObject(usage);
}

/** What is kept beside an answer; a model of another making keeps nothing that is known here. */
export function detailsOf({ details }: ModelAnswer): CallDetails {
  return isObject(details) && typeof details.endpoint === "string" ? (details as CallDetails) : {};
}

function isCallInput(input: Json): input is { role: string; request: Json & ModelRequest } {
  if (!isObject(input) || typeof input.role !== "string" || !isObject(input.request)) return false;
  return typeof input.request.prompt === "string" || Array.isArray(input.request.prompt);
}

/** Whether a value of JSON is an object. */
export function isObject(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const LONGEST_LINE = 300;

/** The first line of a message, not longer than a person reads. */
export function oneLine(message: string): string {
  const lines = message.trim().split(/\s*\n\s*/);
  // A line that ends with a colon says nothing without the next.
  const line = (lines[0]!.endsWith(":") ? lines.slice(0, 2).join(" ") : lines[0]!).replace(/[.\s]+$/, "");
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
}
