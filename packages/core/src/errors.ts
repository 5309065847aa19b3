// Errors: every one carries a string code, and a message that says what happened, to what, and what to do next.
//
// The failure classes route a loop: E0 infrastructure, E1 execution, E2 format. E3 (ran, but wrong) is a verdict.

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import type { ErrorRecord } from "./record/events.ts";

/** E0 infrastructure, E1 execution, E2 format. */
export type FailureClass = "E0" | "E1" | "E2";

/** What all of Loopwright's own errors are. */
export class LoopwrightError extends Error {
  readonly code: string;
  /** Small facts about the failure, kept when the error is journaled and replayed. */
  readonly data: Readonly<Record<string, string | number | boolean>>;

  constructor(code: string, message: string, options: ErrorOptions & { data?: LoopwrightError["data"] } = {}) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
    this.data = options.data ?? {};
  }

  /** Goes by the names of the classes: a loop may bring its own copy of this package beside the command line's. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    const names: string[] = [];
    for (let at = Object(value); at !== null; at = Object.getPrototypeOf(at)) names.push(at.constructor?.name);
    // biome-ignore lint/complexity/noThisInStatic: each class asks by its own name
    return names.includes(this.name) && names.includes("LoopwrightError");
  }
}

/** E0: the worker, the connection or the endpoint is gone. Never shown to a model. */
export class InfrastructureError extends LoopwrightError {}

/** E1: generated work was carried out and raised. */
export class ExecutionError extends LoopwrightError {}

/** E2: an answer has not the form that was asked for. */
export class FormatError extends LoopwrightError {}

/** The caller's words are wrong: an unknown choice, an input that does not fit its schema. */
export class UsageError extends LoopwrightError {}

/** An error of what was typed: what is wrong, and where to look or what to type. */
export function usage(message: string, hint?: string): UsageError {
  return new UsageError("USAGE", hint ? `${message} (${hint})` : message);
}

/** The class of a failure, or undefined for anything that is a bug or an environment fault. */
export function failureClass(error: unknown): FailureClass | undefined {
  if (error instanceof InfrastructureError) return "E0";
  if (error instanceof ExecutionError) return "E1";
  if (error instanceof FormatError) return "E2";
  return undefined;
}

const MESSAGE_LIMIT = 8_000;

/** What of an error is journaled: enough to be thrown again as the same class. Anything can be thrown. */
export function errorToRecord(error: unknown): ErrorRecord {
  if (!(error instanceof Error)) return { name: "Error", code: "THROWN", message: cut(textOf(error)) };
  const code = "code" in error && typeof error.code === "string" ? error.code : "THROWN";
  const message = textOf(error.message);
  const record: ErrorRecord = { name: textOf(error.name), code, message: cut(message) };
  const kind = error instanceof UsageError ? "usage" : failureClass(error);
  if (kind) record.kind = kind;
  if (error instanceof LoopwrightError && Object.keys(error.data).length > 0) record.data = { ...error.data };
  const stack = framesOf(error.stack, message);
  if (stack !== "") record.stack = stack;
  return record;
}

const STACK_LIMIT = 4_000;
/** The files that call phases and effects: whoever looks for a bug need not look there, nor below. */
const callers = [import.meta.dirname, pathToFileURL(import.meta.dirname).pathname].flatMap((folder) => [
  join(folder, "run/"),
  join(folder, "loop."),
]);

/** The lines of a stack that are the loop's own; they are the same the first time and when an effect is made again. */
function framesOf(stack: unknown, message: string): string {
  if (typeof stack !== "string") return "";
  const at = stack.indexOf(message);
  const lines = (at < 0 ? stack : stack.slice(at + message.length)).split("\n");
  const frames = lines.filter((line) => /^\s+at /.test(line) && !line.includes("node:internal"));
  const end = frames.findIndex((line) => callers.some((file) => line.includes(file)));
  return (end < 0 ? frames : frames.slice(0, end)).join("\n").slice(0, STACK_LIMIT);
}

/** The error that a journaled failure stands for; its class survives the journal. */
export function recordToError({ name, code, message, kind, data, stack }: ErrorRecord): LoopwrightError {
  const kinds = { E0: InfrastructureError, E1: ExecutionError, E2: FormatError, usage: UsageError };
  const error = new (kind ? kinds[kind] : LoopwrightError)(code, message, data ? { data } : {});
  error.name = name;
  error.stack = `${name}: ${message}${stack === undefined ? "" : `\n${stack}`}`;
  return error;
}

/** Whatever was thrown, as an error. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error
    ? thrown
    : new LoopwrightError("THROWN", `${textOf(thrown)} was thrown`, { cause: thrown });
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : inspect(value);
}

function cut(message: string): string {
  if (message.length <= MESSAGE_LIMIT) return message;
  const half = MESSAGE_LIMIT / 2;
  return `${message.slice(0, half)}\n… ${message.length - MESSAGE_LIMIT} characters left out …\n${message.slice(-half)}`;
}

// The nearest right word to a wrong one, for messages that say "did you mean".

/** The known word that is fewest edits away; undefined where none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const near = known.map((name) => ({ name, edits: editsBetween(word.toLowerCase(), name.toLowerCase()) }));
  const best = near.sort((a, b) => a.edits - b.edits)[0];
  return best && best.edits <= Math.max(1, Math.floor(Math.max(word.length, best.name.length) / 2.5))
    ? best.name
    : undefined;
}

/** ` (did you mean 'x'?)`, or nothing. */
export function suggestion(word: string, known: readonly string[], show = (name: string) => name): string {
  const name = nearest(word, known);
  return name === undefined ? "" : `; did you mean ${show(name)}?`;
}

/** `; did you mean 'x'?`, or what is known where nothing is near. */
export function suggestOrList(word: string, known: readonly string[]): string {
  const near = suggestion(word, known, (name) => `'${name}'`);
  if (near !== "") return near;
  return known.length > 0 ? `; known are ${known.join(", ")}` : "";
}

/** Letters to add, drop, change or swap with their neighbor. */
function editsBetween(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? Infinity) + 1 : Infinity;
      row.push(Math.min(change, swap, last[j]! + 1, row[j - 1]! + 1));
    }
    [before, last] = [last, row];
  }
  return last[b.length]!;
}
