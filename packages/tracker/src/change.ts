// An issue made, and an issue changed: pure, so that every tracker does the same.

import { isDeepStrictEqual } from "node:util";
import { type Json, UsageError } from "@loopwright/core";
import type { z } from "zod";
import { type Change, type Issue, IssueChange, NewIssue } from "./issue.ts";

/** A new issue, with an id. */
export function makeIssue(given: NewIssue, id: string, at: string): Issue {
  const {
    title,
    description = "",
    status = "open",
    priority = "P2",
    tags = [],
    iteration = {},
    asset,
    key,
  } = read(NewIssue, given);
  return {
    id,
    title,
    description,
    status,
    priority,
    tags: [...new Set(tags)],
    iteration: withoutUndefined(iteration),
    runs: [],
    ...(asset && { asset }),
    ...(key !== undefined && { key }),
    createdAt: at,
    updatedAt: at,
    ...(status === "closed" && { closedAt: at }),
    edges: [],
  };
}

/** An issue with a change, and what differs; undefined where nothing does. */
export function changeIssue(
  issue: Issue,
  given: IssueChange,
  now: number,
): { issue: Issue; fields: NonNullable<Change["fields"]> } | undefined {
  const { reason, iteration, tags, ...rest } = read(IssueChange, given);
  // Nobody works on what is open again.
  const isGivenBack = rest.status === "open" && issue.status !== "open";
  const wanted: Issue = {
    ...issue,
    ...(isGivenBack && { assignee: "" }),
    ...withoutUndefined(rest),
    ...(tags && { tags: [...new Set(tags)] }),
    iteration: { ...issue.iteration, ...withoutUndefined(iteration ?? {}) },
  };
  return settle(issue, wanted, reason, now);
}

/** The same with another field that no change names, such as its runs. */
export function settle(issue: Issue, wanted: Issue, reason: string | undefined, now: number) {
  const fields = differences(issue, wanted);
  if (Object.keys(fields).length === 0) return undefined;
  // Later than the last change, whatever the clock says: an import takes the newer one.
  const at = new Date(Math.max(now, Date.parse(issue.updatedAt) + 1)).toISOString();
  const { closedAt, closeReason, assignee, beads, ...kept } = wanted;
  const isClosed = wanted.status === "closed";
  const why = isClosed ? (reason ?? closeReason) : undefined;
  const rest = {
    ...beads,
    ...(issue.status !== wanted.status && { status: undefined }),
    ...(issue.priority !== wanted.priority && { priority: undefined }),
  };
  const next: Issue = {
    ...kept,
    ...(assignee && { assignee }),
    updatedAt: at,
    ...(isClosed && { closedAt: closedAt ?? at }),
    ...(why !== undefined && { closeReason: why }),
    ...(beads && { beads: withoutUndefined(rest) }),
  };
  return { issue: next, fields };
}

const bookkeeping = new Set(["updatedAt", "closedAt", "edges", "beads"]);

/** What differs between two states of an issue, by field. */
export function differences(before: Issue, after: Issue): NonNullable<Change["fields"]> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)].filter((name) => !bookkeeping.has(name)));
  const fields: Record<string, { from: Json; to: Json }> = {};
  for (const name of names as Set<keyof Issue>) {
    const [from, to] = [before[name] as Json | undefined, after[name] as Json | undefined];
    if (!isDeepStrictEqual(from || null, to || null)) fields[name] = { from: from ?? null, to: to ?? null };
  }
  return fields;
}

/** A value without the properties that are undefined. */
export function withoutUndefined<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Value;
}

/** The error for an issue that is not there. */
export function noIssue(id: string): UsageError {
  return new UsageError("ISSUE_NOT_FOUND", `there is no issue '${id}': \`loopwright issue list\` shows them`);
}

function read<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const words = result.error.issues.map(({ path, message }) => `${path.join(".") || "it"}: ${message}`);
  throw new UsageError("ISSUE_INVALID", `this is no issue: ${words.join("; ")}`);
}
