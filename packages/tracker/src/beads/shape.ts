// An issue as a line of JSON in the shape of beads, and back. What beads knows and Loopwright does not is kept beside the issue
// and written back, so that a line that went in comes out the same.

import type { Json } from "@loopwright/core";
import { z } from "zod";
import { withoutUndefined } from "../change.ts";
import {
  type BeadsRest,
  type Edge,
  type EdgeKind,
  type Issue,
  IssueId,
  type Iteration,
  type JsonObject,
  type Priority,
  priorities,
  type Status,
  statuses,
} from "../issue.ts";

const time = z.iso.datetime({ offset: true });
const text = z.string();
const USUAL_TYPE = "task";

const Dependency = z.looseObject({
  issue_id: IssueId,
  depends_on_id: text,
  type: text,
  created_at: time.optional(),
  created_by: text.optional(),
});

/** The seed's names of iteration fields, in an issue's metadata. */
const IterationMetadata = z.looseObject({
  dk_iteration_index: z.int().nonnegative().nullish(),
  dk_attempts: z.int().nonnegative().nullish(),
  dk_current_run_id: text.nullish(),
  dk_parent_run_id: text.nullish(),
  dk_gate_config_id: text.nullish(),
  dk_last_gate_report_path: text.nullish(),
  dk_last_fail_codes: z.array(text).nullish(),
  runs: z.array(text).nullish(),
  fix_for: z.array(IssueId).nullish(),
  loopwright_key: text.nullish(),
});

const Any = z.looseObject({ _type: text.optional() });

const Line = z.looseObject({
  id: IssueId,
  title: text.min(1).max(500),
  description: text.optional(),
  status: text.min(1).default("open"),
  priority: z.int().min(0).max(4).default(2),
  labels: z.array(text).default([]),
  assignee: text.optional(),
  created_at: time.optional(),
  updated_at: time.optional(),
  closed_at: time.nullish(),
  close_reason: text.optional(),
  dependencies: z.array(Dependency).nullish(),
  metadata: IterationMetadata.nullish(),
});

/** Which of the two ends of a beads dependency comes first: it says what an issue depends on. */
const toBeads: Record<EdgeKind, (edge: Edge) => { type: string; issue: string; on: string }> = {
  blocks: ({ from, to }) => ({ type: "blocks", issue: to, on: from }),
  "fix-for": ({ from, to }) => ({ type: "fix-for", issue: from, on: to }),
  parent: ({ from, to }) => ({ type: "parent-child", issue: from, on: to }),
};

/** An edge as beads keeps it: the issue that it belongs to, the one that this depends on, and the type. */
export function edgeToBeads(edge: Edge): { type: string; issue: string; on: string } {
  return toBeads[edge.kind](edge);
}

/** The dependency as an edge; undefined where it is of a kind that holds nothing back. */
function dependencyToEdge(found: z.output<typeof Dependency>): Edge | undefined {
  const { issue_id: issue, depends_on_id: on, type, created_at: at, created_by: by, ...rest } = found;
  // What it depends on may be no issue, but something of another project.
  if (!IssueId.safeParse(on).success) return undefined;
  const more = withoutUndefined({ at, by, rest: isEmpty(rest) ? undefined : (rest as JsonObject) });
  if (type === "blocks") return { kind: "blocks", from: on, to: issue, ...more };
  if (type === "fix-for") return { kind: "fix-for", from: issue, to: on, ...more };
  if (type === "parent-child") return { kind: "parent", from: issue, to: on, ...more };
  return undefined;
}

/** What a line says: an issue with the edges that its dependencies are, or that it is to be left out. */
export function recordToIssue(record: unknown, now: string): Issue | "left out" {
  const { _type: type = "issue", status: given } = Any.parse(record);
  if (type !== "issue" || given === "tombstone") return "left out";
  const line = Line.parse(record);
  const { id, title, description = "", labels, assignee, created_at, updated_at, closed_at, close_reason } = line;
  const status = statusOf(line.status);
  const createdAt = created_at ?? now;
  const dependencies = (line.dependencies ?? []).map((each) => ({ each, edge: dependencyToEdge(each) }));
  const { iteration, runs, key, asset, fixFor, rest } = readMetadata(line.metadata ?? {});
  const beads: BeadsRest = withoutUndefined({
    status: status === line.status ? undefined : line.status,
    priority: line.priority > 3 ? line.priority : undefined,
    fields: orNothing(otherFields(line)),
    metadata: orNothing(rest),
    dependencies: listOrNothing(dependencies.filter(({ edge }) => !edge).map(({ each }) => each as JsonObject)),
  });
  return {
    id,
    title,
    description,
    status,
    priority: priorities[Math.min(line.priority, 3)]!,
    tags: labels,
    ...(asset && { asset }),
    iteration,
    runs,
    ...(key !== undefined && { key }),
    ...(assignee && { assignee }),
    createdAt,
    updatedAt: updated_at ?? createdAt,
    ...(status === "closed" && closed_at && { closedAt: closed_at }),
    ...(status === "closed" && close_reason && { closeReason: close_reason }),
    edges: [
      ...dependencies.flatMap(({ edge }) => edge ?? []),
      ...fixFor.map((to): Edge => ({ kind: "fix-for", from: id, to })),
    ],
    ...(!isEmpty(beads) && { beads }),
  };
}

/** What a line has beyond an issue of ours. */
function otherFields(line: Readonly<Record<string, unknown>>): JsonObject {
  const isOther = ([name, value]: [string, unknown]) =>
    !Object.hasOwn(Line.shape, name) && !(name === "issue_type" && value === USUAL_TYPE);
  return Object.fromEntries(Object.entries(line).filter(isOther)) as JsonObject;
}

/** A status that is none of ours holds an issue back until someone changes it. */
function statusOf(given: string): Status {
  return (statuses as readonly string[]).includes(given) ? (given as Status) : "blocked";
}

function readMetadata(metadata: z.output<typeof IterationMetadata>) {
  const { asset: given, runs, fix_for: fixFor, loopwright_key: key, ...others } = metadata;
  const asset = isObject(given) ? given : undefined;
  const iteration: Iteration = withoutUndefined({
    index: others.dk_iteration_index ?? undefined,
    attempts: others.dk_attempts ?? undefined,
    currentRun: others.dk_current_run_id ?? undefined,
    parentRun: others.dk_parent_run_id ?? undefined,
    gateConfig: others.dk_gate_config_id ?? undefined,
    lastReport: others.dk_last_gate_report_path ?? undefined,
    lastFailCodes: others.dk_last_fail_codes ?? undefined,
  });
  const foreign = Object.entries(others).filter(([name]) => !Object.hasOwn(IterationMetadata.shape, name));
  const unread = given !== undefined && given !== null && !asset ? [["asset", given]] : [];
  const rest = Object.fromEntries([...foreign, ...unread]) as JsonObject;
  return { asset, iteration, runs: runs ?? [], fixFor: fixFor ?? [], key: key ?? undefined, rest };
}

/** What of an issue stands in its metadata. Undefined for what it has not. */
export function metadataOf({ asset, iteration, runs, key, beads }: Issue): Record<string, Json | undefined> {
  return {
    ...beads?.metadata,
    ...(asset && { asset }),
    dk_iteration_index: iteration.index,
    dk_attempts: iteration.attempts,
    dk_current_run_id: iteration.currentRun,
    dk_parent_run_id: iteration.parentRun,
    dk_gate_config_id: iteration.gateConfig,
    dk_last_gate_report_path: iteration.lastReport,
    dk_last_fail_codes: iteration.lastFailCodes,
    runs: runs.length > 0 ? runs : undefined,
    loopwright_key: key,
  };
}

/** An issue as one line. */
export function issueToLine(issue: Issue): string {
  const { id, title, description, status, priority, tags, assignee, beads } = issue;
  const own = issue.edges.map((edge) => ({ edge, ...edgeToBeads(edge) })).filter(({ issue: owner }) => owner === id);
  const dependencies = [
    ...own.map(({ edge: { at, by, rest }, type, on }) =>
      withoutUndefined({ issue_id: id, depends_on_id: on, type, created_at: at, created_by: by, ...rest }),
    ),
    ...(beads?.dependencies ?? []),
  ].sort((one, other) => order(one.depends_on_id, other.depends_on_id) || order(one.type, other.type));
  const metadata = withoutUndefined(metadataOf(issue));
  return JSON.stringify({
    id,
    title,
    description: description || undefined,
    status: beads?.status ?? status,
    priority: beads?.priority ?? priorityToNumber(priority),
    issue_type: USUAL_TYPE,
    assignee,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.closedAt,
    close_reason: issue.closeReason,
    labels: listOrNothing(tags),
    dependencies: listOrNothing(dependencies),
    metadata: orNothing(metadata),
    ...beads?.fields,
  });
}

/** P2 is 2. */
export function priorityToNumber(priority: Priority): number {
  return priorities.indexOf(priority);
}

function order(one: unknown, other: unknown): number {
  return String(one) < String(other) ? -1 : String(one) > String(other) ? 1 : 0;
}

function orNothing<Value extends object>(value: Value): Value | undefined {
  return isEmpty(value) ? undefined : value;
}

function listOrNothing<Item>(list: readonly Item[]): readonly Item[] | undefined {
  return list.length === 0 ? undefined : list;
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
