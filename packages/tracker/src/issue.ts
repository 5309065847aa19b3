// What an issue is. Everything in it is plain JSON; its asset is free, and typed by whoever works on such issues.

import type { Json } from "@loopwright/core";
import { z } from "zod";
import { type EdgeKind, type Priority, priorities, type Status, statuses } from "./words.ts";

export * from "./words.ts";

/** An object that JSON can hold. */
export type JsonObject = Readonly<Record<string, Json>>;

/** That one issue hangs on another. */
export interface Edge {
  readonly kind: EdgeKind;
  readonly from: string;
  readonly to: string;
  readonly at?: string;
  readonly by?: string;
  /** What beads keeps with it beyond this. */
  readonly rest?: JsonObject;
}

/** How far the work on an issue is: the fields that a loop keeps on it. The index is fixed when the issue is created. */
export interface Iteration {
  readonly index?: number;
  readonly attempts?: number;
  readonly currentRun?: string;
  readonly parentRun?: string;
  readonly gateConfig?: string;
  readonly lastReport?: string;
  readonly lastFailCodes?: readonly string[];
}

/** What is to be done. */
export interface Issue<Asset extends JsonObject = JsonObject> {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly status: Status;
  readonly priority: Priority;
  readonly tags: readonly string[];
  /** What the issue asks for, in the words of whoever works on it. */
  readonly asset?: Asset;
  readonly iteration: Iteration;
  /** The runs that worked on it, in order. */
  readonly runs: readonly string[];
  /** What makes it one of a kind: creating another with the same key gives this one. */
  readonly key?: string;
  readonly assignee?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly closedAt?: string;
  readonly closeReason?: string;
  /** Those that begin or end here. */
  readonly edges: readonly Edge[];
  /** What an imported line has beyond this; it is written back on export. */
  readonly beads?: BeadsRest;
}

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

/** One change of an issue. */
export interface Change {
  readonly at: string;
  readonly by: string;
  readonly what: "created" | "changed" | "claimed" | "released" | "linked" | "unlinked" | "imported";
  /** Why, where someone said so. */
  readonly why?: string;
  /** What was changed, by field; null where there was nothing. */
  readonly fields?: Readonly<Record<string, { readonly from: Json; readonly to: Json }>>;
}

const line = (longest: number) => z.string().trim().min(1).max(longest);
const tag = z
  .string()
  .max(200)
  .regex(/^[^\s\p{Cc}](.*[^\s\p{Cc}])?$/u);
const free = z.record(z.string(), z.json());
const LONGEST_TEXT = 200_000;

/** The id of an issue. */
export const IssueId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/);

/** Fields that a loop keeps; all but the index can be changed later. */
export const IterationFields = z.strictObject({
  attempts: z.int().nonnegative().optional(),
  currentRun: z.string().optional(),
  parentRun: z.string().optional(),
  gateConfig: z.string().optional(),
  lastReport: z.string().optional(),
  lastFailCodes: z.array(z.string()).optional(),
});

/** What can be changed. `undefined` leaves a field as it is; an asset is replaced whole, iteration fields one by one. */
export const IssueChange = z.strictObject({
  title: line(500).optional(),
  description: z.string().max(LONGEST_TEXT).optional(),
  status: z.enum(statuses).optional(),
  priority: z.enum(priorities).optional(),
  tags: z.array(tag).optional(),
  asset: free.optional(),
  iteration: IterationFields.optional(),
  assignee: z.string().max(500).optional(),
  /** Why, for the history; kept as the reason where the issue is closed. */
  reason: z.string().max(LONGEST_TEXT).optional(),
});
export type IssueChange<Asset extends JsonObject = JsonObject> = Omit<z.input<typeof IssueChange>, "asset"> & {
  asset?: Asset;
};

/** What an issue is created from. */
export const NewIssue = IssueChange.omit({ reason: true, assignee: true }).extend({
  title: line(500),
  key: line(500).optional(),
  iteration: IterationFields.extend({ index: z.int().nonnegative().optional() }).optional(),
});
export type NewIssue<Asset extends JsonObject = JsonObject> = Omit<z.input<typeof NewIssue>, "asset"> & {
  asset?: Asset;
};
