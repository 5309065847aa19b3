// Redaction: what is secret is taken out before anything is recorded, told or given back to a phase, so that what a phase
// sees is the same the first time and after a crash.

import { isUtf8 } from "node:buffer";

/** Takes every secret out of a text. */
export type Redact = (text: string) => string;

/** What stands where a secret stood. */
export const SECRET_MARK = "[secret]";

/** A value with the secrets taken out of every text in it, names included; the value itself where there are none. */
export function redactTexts<T>(value: T, redact: Redact | undefined): T {
  return redact === undefined ? value : (redacted(value, redact) as T);
}

function redacted(value: unknown, redact: Redact): unknown {
  if (typeof value === "string") return redact(value);
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => redacted(item, redact));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  const before = Object.entries(value);
  const after = before.map(([key, item]) => [redact(key), redacted(item, redact)] as const);
  const isSame = after.every(([key, item], at) => key === before[at]![0] && item === before[at]![1]);
  return isSame ? value : Object.fromEntries(after);
}

/** What of an event is somebody's words or values. The rest is the engine's, by which a run finds its way: names of phases,
 * keys of effects, folders, digests, the choices of a gate. */
const PAYLOADS = ["input", "state", "config", "patch", "result", "verdict", "data", "reason"];
const WORDS = { gate: ["question"], ending: ["reason"], answer: ["note"], error: ["message", "stack"] };

/** An event without secrets. */
export function redactEvent<Event extends object>(event: Event, redact: Redact | undefined): Event {
  if (redact === undefined) return event;
  const changed = { ...event } as Record<string, unknown>;
  for (const name of PAYLOADS) if (Object.hasOwn(event, name)) changed[name] = redacted(changed[name], redact);
  for (const [name, words] of Object.entries(WORDS)) {
    const part = changed[name] as Record<string, unknown> | undefined;
    if (!part) continue;
    const own = words.filter((word) => word in part).map((word) => [word, redacted(part[word], redact)]);
    changed[name] = { ...part, ...Object.fromEntries(own) };
  }
  return changed as Event;
}

/** The bytes of a file without secrets. What is no text is left as it is. */
export function redactBytes(bytes: Uint8Array | string, redact: Redact | undefined): Uint8Array {
  if (typeof bytes === "string") return Buffer.from(redactTexts(bytes, redact));
  if (redact === undefined || bytes.includes(0)) return bytes;
  const encoding = isUtf8(bytes) ? "utf8" : "latin1";
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(encoding);
  const left = redact(text);
  return left === text ? bytes : Buffer.from(left, encoding);
}
