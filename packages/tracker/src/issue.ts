// What an issue is. Everything in it is plain JSON; its asset is free, and typed by whoever works on such issues.

import type { Json } from "@loopwright/core";
import { z } from "zod";
import { edgeKinds, priorities, statuses } from "./words.ts";

export * from "./words.ts";

/** An object that JSON can hold. */
export type JsonObject = Readonly<Record<string, Json>>;

const json: z.ZodType<Json> = z.json();
const object: z.ZodType<JsonObject> = z.record(z.string(), json);
const text = z.string();
const time = z.iso.datetime({ offset: true });
const count = z.int().nonnegative();
const line = (longest: number) => z.string().trim().min(1).max(longest);
const tag = z
  .string()
  .max(200)
  .regex(/^[^\s\p{Cc}](.*[^\s\p{Cc}])?$/u);
const LONGEST_TEXT = 200_000;

/** The id of an issue. */
export const IssueId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/);

const Edge = z.strictObject({
  kind: z.enum(edgeKinds),
  from: text,
  to: text,
  at: time.optional(),
  by: text.optional(),
  /** What beads keeps with it beyond this. */
  rest: object.optional(),
});
/** That one issue hangs on another. */
export type Edge = Readonly<z.output<typeof Edge>>;

/** Fields that a loop keeps; all but the index can be changed later. */
const IterationFields = z.strictObject({
  attempts: count.optional(),
  currentRun: text.optional(),
  parentRun: text.optional(),
  gateConfig: text.optional(),
  lastReport: text.optional(),
  lastFailCodes: z.array(text).optional(),
  judged: z.array(text).optional().describe("what was asked for, and who says what of it"),
  unjudged: z.array(text).optional().describe("the words of it that nobody could judge"),
});
const Iteration = IterationFields.extend({ index: count.optional() });

/** What beads knows and Loopwright does not. */
export interface BeadsRest {
  /** A status or a priority of its own, as long as ours has not been changed. */
  readonly status?: string;
  readonly priority?: number;
  readonly fields?: JsonObject;
  readonly metadata?: JsonObject;
  /** Edges of other kinds: they hold nothing back. */
  readonly dependencies?: readonly JsonObject[];
}

/** What is to be done. */
export const Issue = z.strictObject({
  id: text,
  title: text,
  description: text,
  status: z.enum(statuses),
  priority: z.enum(priorities),
  tags: z.array(text),
  asset: object.optional().describe("what it asks for, in the words of whoever works on it"),
  iteration: Iteration.describe("what a loop keeps on it"),
  runs: z.array(text),
  key: text.optional(),
  assignee: text.optional(),
  createdAt: time,
  updatedAt: time,
  closedAt: time.optional(),
  closeReason: text.optional(),
  edges: z.array(Edge),
  beads: object.optional().describe("what an imported line has beyond this"),
});
export type Issue<Asset extends JsonObject = JsonObject> = Readonly<Omit<z.output<typeof Issue>, "asset" | "beads">> & {
  readonly asset?: Asset;
  readonly beads?: BeadsRest;
};

/** One change of an issue: by field, what was there and what is; null where there was nothing. */
export const Change = z.strictObject({
  at: time,
  by: text,
  what: z.enum(["created", "changed", "claimed", "released", "linked", "unlinked", "imported"]),
  why: text.optional(),
  fields: z.record(text, z.strictObject({ from: json, to: json })).optional(),
});
export type Change = Readonly<z.output<typeof Change>>;

/** What can be changed. `undefined` leaves a field as it is; an asset is replaced whole, iteration fields one by one. */
export const IssueChange = z.strictObject({
  title: line(500).optional(),
  description: z.string().max(LONGEST_TEXT).optional(),
  status: z.enum(statuses).optional(),
  priority: z.enum(priorities).optional(),
  tags: z.array(tag).optional(),
  asset: object.optional(),
  iteration: IterationFields.optional(),
  assignee: z.string().max(500).optional(),
  /** Why, for the history; kept as the reason where the issue is closed. */
  reason: z.string().max(LONGEST_TEXT).optional(),
});
export type IssueChange<Asset extends JsonObject = JsonObject> = Omit<z.input<typeof IssueChange>, "asset"> & {
  asset?: Asset;
};

/** What an issue is created from. A key makes it one of a kind: creating another with the same key gives this one. */
export const NewIssue = IssueChange.omit({ reason: true, assignee: true }).extend({
  title: line(500),
  key: line(500).optional(),
  iteration: Iteration.optional(),
});
export type NewIssue<Asset extends JsonObject = JsonObject> = Omit<z.input<typeof NewIssue>, "asset"> & {
  asset?: Asset;
};
