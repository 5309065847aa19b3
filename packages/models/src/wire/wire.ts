// The wire: one request to one model, once. What is behind it (a provider, a cassette, a script) is not its caller's business.

import { type Json, type ModelTool, type Redact, redactTexts, type ToolCall } from "@loopwright/core";
import type { ModelName } from "../configuration/configuration.ts";

/** A request as it goes out: fitted, with the bytes of its pictures. */
export interface WireRequest extends ModelName {
  system?: string;
  prompt: string;
  images: readonly { bytes: Uint8Array; mediaType: string; digest: string }[];
  /** The JSON Schema that the answer must fit. */
  schema?: Json;
  /** What the model may call in place of an answer. */
  tools?: readonly ModelTool[];
  temperature?: number;
  topP?: number;
  maxTokens: number;
}

/** An answer as it came in. */
export interface WireAnswer {
  /** The raw text, think blocks and all. */
  text: string;
  /** What the server itself set apart as reasoning. */
  reasoning?: string;
  toolCalls?: readonly ToolCall[];
  /** The model that really answered. */
  model: string;
  finishReason: string;
  /** As the server counts; undefined where it does not say. */
  inputTokens?: number;
  outputTokens?: number;
  /** Milliseconds until the first sign of an answer, and until its end. */
  firstMs: number;
  ms: number;
  /** The step of the structured-output ladder that was used. */
  structured?: "json_schema" | "json_object" | "prompt";
  /** What the server said when it refused tools; it was then asked without, and is from there on. */
  toolsRefused?: string;
}

/** What belongs to one request beside what is asked. */
export interface WireCall {
  signal: AbortSignal;
  /** Told as the answer streams: the text so far, and how many characters of reasoning. */
  onText(text: string): void;
  idempotencyKey: string;
  ordinal: string;
}

/** Sends a request once. Throws WireError. */
export type Wire = (request: WireRequest, call: WireCall) => Promise<WireAnswer>;

/** Why a request got no answer. */
export class WireError extends Error {
  override name = "WireError";
  /** The HTTP status, where there was one. */
  readonly status?: number | undefined;
  /** Whether another try may help. */
  readonly isRetryable!: boolean;
  /** Seconds that the server asked to wait. */
  readonly retryAfter?: number | undefined;
  /** Tokens that had come of an answer; undefined where no model can have begun on one. */
  readonly received?: number | undefined;
  /** The variable that should hold a key; nothing was sent without. */
  readonly lacksKey?: string | undefined;

  constructor(message: string, { cause, ...facts }: Omit<WireError, "name" | "message" | "stack">) {
    super(message, { cause });
    Object.assign(this, facts);
  }
}

/** A wire whose answers and errors carry no secret, whatever the server echoes. */
export function redactWire(inner: Wire, redact: Redact): Wire {
  return async (request, call) => {
    try {
      const answer = await inner(request, { ...call, onText: (text) => call.onText(redact(text)) });
      return redactTexts(answer, redact);
    } catch (error) {
      // Its cause is left behind, for it may hold the request.
      throw error instanceof WireError ? new WireError(redact(error.message), { ...error }) : error;
    }
  };
}
