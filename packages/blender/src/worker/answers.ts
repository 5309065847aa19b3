// A Blender's answers, read as anybody's: whatever runs in it may have written them.

import { ExecutionError, InfrastructureError, type Json } from "@loopwright/core";
import { WorkerDied } from "@loopwright/sandbox";

export type Answer = { [key: string]: Json };

const MOST_WORDS = 4_000;

/** What an answer says; undefined where it is none. */
export function readAnswer(given: unknown): { ok: Answer } | { error: ExecutionError } | undefined {
  if (!isRecord(given)) return undefined;
  if (isRecord(given.error)) return { error: toError(given.error) };
  return isRecord(given.ok) ? { ok: given.ok as Answer } : undefined;
}

/** An exception as whoever wrote the code reads it. */
export function toError(given: Readonly<Record<string, unknown>>): ExecutionError {
  const [kind, message, hint] = [words(given.kind), words(given.message), words(given.hint)];
  if (kind === "refused") return new ExecutionError("BLENDER_REFUSED", message || "it was refused");
  const line = Number.isInteger(given.line) ? (given.line as number) : undefined;
  const source = words(given.source);
  const trace = Array.isArray(given.trace) ? given.trace.slice(0, 10).map(words) : [];
  const text = [
    `${kind || "Error"}: ${message}`,
    ...(line === undefined ? [] : [`at line ${line}${source ? `: ${source}` : ""}`]),
    ...(trace.length > 0 ? [`by way of ${trace.join("; ")}`] : []),
    ...(hint ? [hint] : []),
  ].join("\n");
  const data = { kind: kind || "Error", ...(line === undefined ? {} : { line }), ...(hint ? { hint } : {}) };
  return new ExecutionError("BLENDER_RAISED", text, { data });
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Text as it is, within bounds. */
export function words(value: unknown): string {
  const text = typeof value === "string" ? value : "";
  return text.length <= MOST_WORDS ? text : `${text.slice(0, MOST_WORDS)}…`;
}

/** A Blender that has died, hangs, took too much or makes no sense; or one that was told to open a scene, and could not. */
export function lost(died: unknown): unknown {
  if (died instanceof ExecutionError)
    return new InfrastructureError("BLENDER_LOST", `Blender does not open a scene of its own: ${died.message}`, {
      cause: died,
    });
  if (!(died instanceof WorkerDied)) return died;
  const how = { died: "ended by itself", limit: "was stopped", stopped: "was stopped" }[died.reason];
  return new InfrastructureError("BLENDER_LOST", `Blender ${how}: ${died.message}`, {
    cause: died,
    data: { reason: died.reason },
  });
}

/** An error, and what the code had printed by then. */
export function withOutput(error: ExecutionError, output: string): ExecutionError {
  if (output.trim() === "") return error;
  return new ExecutionError(error.code, `${error.message}\nprinted before: ${output.trim().slice(-1_000)}`, {
    data: error.data,
  });
}
