// An issue made, and an issue changed. Pure.

import { isDeepStrictEqual } from "node:util";
import { type Json, UsageError } from "@loopwright/core";
import type { z } from "zod";
import { type Change, type Issue, IssueChange, type JsonObject, NewIssue } from "./issue.ts";

/** A new issue, with an id. */
export function makeIssue<Asset extends JsonObject>(given: NewIssue<Asset>, id: string, at: string): Issue<Asset> {
  const issue = read(NewIssue, given) as NewIssue<Asset>;
  return withoutUndefined({
    id,
    title: issue.title,
    description: issue.description ?? "",
    status: issue.status ?? "open",
    priority: issue.priority ?? "P2",
    tags: [...new Set(issue.tags)],
    iteration: withoutUndefined(issue.iteration ?? {}),
    runs: [],
    asset: issue.asset,
    key: issue.key,
    createdAt: at,
    updatedAt: at,
    closedAt: issue.status === "closed" ? at : undefined,
    edges: [],
  });
}

/** A changed issue, and what differs. */
export interface Changed<Asset extends JsonObject = JsonObject> {
  issue: Issue<Asset>;
  fields: NonNullable<Change["fields"]>;
}

/** An issue with a change; undefined where nothing differs. */
export function changeIssue<Asset extends JsonObject>(
  issue: Issue<Asset>,
  given: IssueChange<Asset>,
  now: number,
): Changed<Asset> | undefined {
  const { reason, iteration, tags, ...rest } = read(IssueChange, given) as IssueChange<Asset>;
  // Nobody works on what is open again.
  const isGivenBack = rest.status === "open" && issue.status !== "open";
  const wanted: Issue<Asset> = {
    ...issue,
    ...(isGivenBack && { assignee: "" }),
    ...withoutUndefined(rest),
    ...(tags && { tags: [...new Set(tags)] }),
    iteration: { ...issue.iteration, ...withoutUndefined(iteration ?? {}) },
  };
  return settle(issue, wanted, reason, now);
}

/** The same with another field that no change names, such as its runs. */
export function settle<Asset extends JsonObject>(
  issue: Issue<Asset>,
  wanted: Issue<Asset>,
  reason: string | undefined,
  now: number,
): Changed<Asset> | undefined {
  const fields = differences(issue, wanted);
  if (Object.keys(fields).length === 0) return undefined;
  // Later than the last change, whatever the clock says: an import takes the newer one.
  const at = new Date(Math.max(now, Date.parse(issue.updatedAt) + 1)).toISOString();
  const { closedAt, closeReason, assignee, beads } = wanted;
  const isClosed = wanted.status === "closed";
  const rest = {
    ...beads,
    ...(issue.status !== wanted.status && { status: undefined }),
    ...(issue.priority !== wanted.priority && { priority: undefined }),
  };
  const next = withoutUndefined({
    ...wanted,
    assignee: assignee || undefined,
    updatedAt: at,
    closedAt: isClosed ? (closedAt ?? at) : undefined,
    closeReason: isClosed ? (reason ?? closeReason) : undefined,
    beads: beads && withoutUndefined(rest),
  });
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
