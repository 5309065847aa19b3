// From whatever the SDK throws to a WireError: what happened, at which endpoint, with which model.
//
// The SDK's errors hold the request, the headers and the server's words in full; none of that goes on. What the server
// said is cut and redacted, and no error of the SDK's is kept as a cause.

import type { Redact } from "@loopwright/core";
import type { APICallError } from "ai";
import type { Endpoint } from "../configuration/configuration.ts";
import { LostConnection, TooLong } from "./connection.ts";
import { failed, failureOf } from "./transport.ts";
import type { WireError } from "./wire.ts";

/** What an error is told about. */
export interface Told {
  endpoint: Endpoint;
  model: string;
  redact: Redact;
}

const LONGEST_WORDS = 500;

/** The error of the wire that an error of the SDK comes to, after so many tokens of an answer. */
export function toWireError(error: unknown, { endpoint, model, redact }: Told, tokens = 0): WireError {
  const where = `${placeOf(endpoint)}, asked for ${model},`;
  const {
    statusCode: status,
    responseBody = "",
    responseHeaders: headers = {},
  } = (error ?? {}) as Partial<APICallError>;
  if (status !== undefined && (status < 200 || status > 299)) {
    const said = clean(pointerOf(headers) ?? (bodyToWords(responseBody) || wordsOf(error)), redact);
    const facts = { tokens, status, retryAfter: retryAfterOf(headers) };
    return failed(failureOf(status), `${where} answered ${status}${said && `: ${said}`}`, facts);
  }
  if (isWrongRequest(error))
    return failed("not sent", `${where} cannot be sent this request: ${clean(wordsOf(error), redact)}`);
  const causes = causesOf(error);
  const long = causes.find((cause) => cause instanceof TooLong);
  if (long) return failed("too long", `${where} answered with ${long.message}`, { tokens });
  const lost = causes.find((cause) => cause instanceof LostConnection);
  const broken = causes.findLast(isSystemError);
  if (broken && !lost) {
    const message = `${where} cannot be reached: ${clean(broken.message || broken.code, redact)}`;
    return failed(mayHaveArrived(broken) ? "connection lost" : "not reached", message, { tokens });
  }
  const message = `${where} broke off its answer: ${clean(lost?.message ?? wordsOf(error), redact)}`;
  return failed(error instanceof Error ? "stream cut" : "error in the stream", message, { tokens });
}

/** The error of a call that gave no sign of life for so many milliseconds, after so many tokens of an answer. */
export function stallError(timeout: number, { endpoint, model }: Told, tokens = 0): WireError {
  const message = `${placeOf(endpoint)}, asked for ${model}, stalled: no sign of life for ${timeout / 1000} s`;
  return failed("stalled", message, { tokens });
}

/** An endpoint as messages name it: its address without credentials or query; a command line without its arguments. */
export function placeOf({ name, kind, url }: Endpoint): string {
  if (kind === "command") return `${name} (command ${url.trim().split(/\s+/, 1)[0]})`;
  const at = URL.parse(url);
  return at ? `${name} (${at.protocol}//${at.host}${at.pathname === "/" ? "" : at.pathname})` : name;
}

/** Text of others for a message: redacted before it is cut, so that no half of a secret stays. */
export function clean(text: string, redact: Redact): string {
  const whole = redact(text).replaceAll(/\s+/g, " ").trim();
  return whole.length <= LONGEST_WORDS ? whole : `${whole.slice(0, LONGEST_WORDS)}…`;
}

/** The seconds that a server asks to wait: a number, or a date by the server's own clock. */
export function retryAfterOf(headers: Readonly<Record<string, string>>): number | undefined {
  const ms = Number.parseFloat(headers["retry-after-ms"] ?? "");
  if (ms >= 0) return ms / 1000;
  const after = headers["retry-after"]?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(after)) return Number(after);
  const until = Date.parse(after);
  // A bare number would be read as a year.
  if (Number.isNaN(until) || !/[a-z]/i.test(after)) return undefined;
  const now = Date.parse(headers.date ?? "");
  return Math.max(0, Math.round((until - (Number.isNaN(now) ? Date.now() : now)) / 1000));
}

/** The words of an error, and of what it came from: the SDK's own often say less. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === "string" ? error : (JSON.stringify(error) ?? "");
  const { cause, message } = error;
  return cause instanceof Error && !message.includes(cause.message) ? `${message}: ${wordsOf(cause)}` : message;
}

/** An error and all that it came from. */
function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

/** Whether an error is of the system or of a socket: those have codes such as ECONNREFUSED, providers' own are in small letters. */
function isSystemError(error: Error): error is Error & { code: string } {
  return "code" in error && typeof error.code === "string" && /^[A-Z][A-Z0-9_]+$/.test(error.code);
}

/** Whether a request may have reached its server before its connection failed. */
function mayHaveArrived(error: Error & { code: string; syscall?: string }): boolean {
  return /^(ECONNRESET|EPIPE|ETIMEDOUT|HPE_\w+)$/.test(error.code) && error.syscall !== "connect";
}

/** Errors that are raised for what was given, before anything is sent. */
function isWrongRequest(error: unknown): boolean {
  const names = ["AI_UnsupportedFunctionalityError", "AI_InvalidArgumentError", "AI_InvalidPromptError", "TypeError"];
  return error instanceof Error && names.includes(error.name);
}

/** Where a redirect points to, so that the address can be put right. */
function pointerOf({ location = "" }: Readonly<Record<string, string>>): string | undefined {
  const url = URL.parse(location);
  return url ? `it points to ${url.origin}${url.pathname}` : undefined;
}

/** What a server says in the body of an error: its message where it has one, else all of it. */
function bodyToWords(body: string): string {
  try {
    const { error, message } = JSON.parse(body) as { error?: unknown; message?: unknown };
    if (typeof error === "string") return error;
    if (typeof error === "object" && error !== null && "message" in error) return String(error.message);
    return typeof message === "string" ? message : body;
  } catch {
    return body;
  }
}
