// Patches: how a phase changes state (L3).
//
// A patch is shallow: a key is replaced whole, undefined drops it, append(…) extends a list, so that a growing
// history costs its new entry and not itself. Only the named keys are validated, and of a list only what is new.

import type { z } from "zod";
import { UsageError } from "../errors.ts";
import type { PatchRecord } from "./events.ts";
import { type Json, plainJson } from "./json.ts";

/** The same in every copy of this package: a loop may bring its own. */
const items: unique symbol = Symbol.for("@loopwright/core append");

/** What extends a list of the state in place of replacing it. */
export interface Append<T> {
  readonly [items]: readonly T[];
}

/** Extends a list in a patch by these entries. */
export function append<T>(...entries: T[]): Append<T> {
  return { [items]: entries };
}

/** A change of the state: whole keys, `undefined` to drop one, `append(…)` to extend a list. */
export type Patch<State> = {
  readonly [Key in keyof State]?:
    | State[Key]
    | (NonNullable<State[Key]> extends readonly (infer T)[] ? Append<T> : never);
};

export type State = Readonly<Record<string, Json>>;

/** Validates a patch against the state's schema and brings it into the form that the journal keeps. */
export function patchToRecord(schema: z.ZodObject, patch: Readonly<Record<string, unknown>>): PatchRecord {
  const record: Required<PatchRecord> = { set: {}, append: {}, drop: [] };
  for (const [key, value] of Object.entries(patch)) {
    const field: z.core.$ZodType | undefined = Object.hasOwn(schema.shape, key) ? schema.shape[key] : undefined;
    if (!field) throw new UsageError("STATE_INVALID", `state.${key} is not in the loop's state schema`);
    if (isAppend(value)) {
      const entry = entryOf(field, key);
      const added = value[items].map((item) => checkValue(entry, item, `state.${key}[]`));
      if (added.length > 0) record.append[key] = added;
    } else {
      const checked = check(field, value, `state.${key}`);
      if (checked === undefined) record.drop.push(key);
      else record.set[key] = checked;
    }
  }
  return Object.fromEntries(Object.entries(record).filter(([, part]) => Object.keys(part).length > 0));
}

/** The state after a patch. The values themselves are shared, never copied. */
export function applyPatch(state: State, patch: PatchRecord): State {
  const next: Record<string, Json> = { ...state, ...patch.set };
  for (const key of patch.drop ?? []) delete next[key];
  for (const [key, added] of Object.entries(patch.append ?? {})) {
    next[key] = Object.freeze([...((next[key] ?? []) as readonly Json[]), ...added]);
  }
  return Object.freeze(next);
}

/** A value checked by its schema, as frozen plain JSON; null where the schema makes nothing of it. */
export function checkValue(schema: z.core.$ZodType, value: unknown, name: string): Json {
  return check(schema, value, name) ?? null;
}

/** The same, undefined where the schema makes nothing of it. */
function check(schema: z.core.$ZodType, value: unknown, name: string): Json | undefined {
  const result = (schema as z.ZodType).safeParse(value);
  if (result.success) return result.data === undefined ? undefined : plainJson(result.data, name);
  const issue = result.error.issues[0];
  const path = [name, ...(issue?.path ?? []).map(String)].join(".");
  throw new UsageError("STATE_INVALID", `${path} does not fit its schema: ${issue?.message ?? "invalid"}`);
}

function isAppend(value: unknown): value is Append<unknown> {
  return typeof value === "object" && value !== null && items in value;
}

/** The schema of one entry of a list, inside whatever optional, default or readonly it is wrapped in. */
function entryOf(field: z.core.$ZodType, key: string): z.core.$ZodType {
  let schema = field;
  for (;;) {
    const def = schema._zod.def as { type: string; element?: z.core.$ZodType; innerType?: z.core.$ZodType };
    if (def.type === "array" && def.element) return def.element;
    if (!def.innerType) throw new UsageError("STATE_INVALID", `state.${key} is not a list, so nothing can be appended`);
    schema = def.innerType;
  }
}
