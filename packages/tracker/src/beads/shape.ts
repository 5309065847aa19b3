// An issue as a line of JSON in the shape of beads, and back. What beads knows and Loopwright does not is kept beside the issue
// and written back, so that a line that went in comes out the same.

import { z } from "zod";
import { withoutUndefined } from "../change.ts";
import { type BeadsRest, type Edge, type Issue, IssueId, type JsonObject, priorities, statuses } from "../issue.ts";

const time = z.iso.datetime({ offset: true });
const text = z.string();
const count = z.int().nonnegative();
const USUAL_TYPE = "task";

const Dependency = z.looseObject({
  issue_id: IssueId,
  depends_on_id: text,
  type: text,
  created_at: time.optional(),
  created_by: text.optional(),
});

/** The seed's names of iteration fields, in an issue's metadata. */
const iterationNames = {
  index: "dk_iteration_index",
  attempts: "dk_attempts",
  currentRun: "dk_current_run_id",
  parentRun: "dk_parent_run_id",
  gateConfig: "dk_gate_config_id",
  lastReport: "dk_last_gate_report_path",
  lastFailCodes: "dk_last_fail_codes",
  judged: "dk_judged",
  unjudged: "dk_unjudged",
} as const;
type IterationName = keyof typeof iterationNames;

const Metadata = z.looseObject({
  dk_iteration_index: count.nullish(),
  dk_attempts: count.nullish(),
  dk_current_run_id: text.nullish(),
  dk_parent_run_id: text.nullish(),
  dk_gate_config_id: text.nullish(),
  dk_last_gate_report_path: text.nullish(),
  dk_last_fail_codes: z.array(text).nullish(),
  dk_judged: z.array(text).nullish(),
  dk_unjudged: z.array(text).nullish(),
  runs: z.array(text).nullish(),
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
  metadata: Metadata.nullish(),
});

/** What a line says: an issue with the edges that its dependencies are, or that it is to be left out. */
export function recordToIssue(record: unknown, now: string): Issue | "left out" {
  const { _type: type = "issue", status: given } = Any.parse(record);
  if (type !== "issue" || given === "tombstone") return "left out";
  const line = Line.parse(record);
  const { id, title, description = "", labels, assignee, created_at, updated_at, closed_at, close_reason } = line;
  // A status that is none of ours holds an issue back until someone changes it.
  const status = statuses.find((each) => each === line.status) ?? "blocked";
  const createdAt = created_at ?? now;
  const dependencies = (line.dependencies ?? []).map((each) => ({ each, edge: dependencyToEdge(each) }));
  const { rest, ...fields } = readMetadata(line.metadata ?? {});
  const beads: BeadsRest = withoutUndefined({
    status: status === line.status ? undefined : line.status,
    priority: line.priority > 3 ? line.priority : undefined,
    fields: orNothing(otherFields(line)),
    metadata: orNothing(rest),
    dependencies: listOrNothing(dependencies.filter(({ edge }) => !edge).map(({ each }) => each as JsonObject)),
  });
  return withoutUndefined({
    id,
    title,
    description,
    status,
    priority: priorities[Math.min(line.priority, 3)]!,
    tags: labels,
    ...fields,
    assignee: assignee || undefined,
    createdAt,
    updatedAt: updated_at ?? createdAt,
    closedAt: (status === "closed" && closed_at) || undefined,
    closeReason: (status === "closed" && close_reason) || undefined,
    edges: dependencies.flatMap(({ edge }) => edge ?? []),
    beads: orNothing(beads),
  });
}

/** The dependency as an edge; undefined where it is of a kind that holds nothing back. */
function dependencyToEdge(found: z.output<typeof Dependency>): Edge | undefined {
  const { issue_id: issue, depends_on_id: on, type, created_at: at, created_by: by, ...rest } = found;
  // What it depends on may be no issue, but something of another project.
  if (!IssueId.safeParse(on).success) return undefined;
  const more = withoutUndefined({ at, by, rest: orNothing(rest as JsonObject) });
  if (type === "blocks") return { kind: "blocks", from: on, to: issue, ...more };
  if (type === "fix-for") return { kind: "fix-for", from: issue, to: on, ...more };
  if (type === "parent-child") return { kind: "parent", from: issue, to: on, ...more };
  return undefined;
}

/** An edge as a dependency: who depends, and on whom. */
function edgeToDependency({ kind, from, to, at, by, rest }: Edge) {
  const [issue_id, depends_on_id] = kind === "blocks" ? [to, from] : [from, to];
  const type = kind === "parent" ? "parent-child" : kind;
  return withoutUndefined({ issue_id, depends_on_id, type, created_at: at, created_by: by, ...rest });
}

/** What a line has beyond an issue of ours. */
function otherFields(line: Readonly<Record<string, unknown>>): JsonObject {
  const isOther = ([name, value]: [string, unknown]) =>
    !Object.hasOwn(Line.shape, name) && !(name === "issue_type" && value === USUAL_TYPE);
  return Object.fromEntries(Object.entries(line).filter(isOther)) as JsonObject;
}

function readMetadata(metadata: z.output<typeof Metadata>) {
  const { asset: given, runs, loopwright_key: key, ...others } = metadata;
  const asset = typeof given === "object" && !Array.isArray(given) ? ((given ?? undefined) as JsonObject) : undefined;
  const names = Object.keys(iterationNames) as IterationName[];
  const iteration = withoutUndefined(
    Object.fromEntries(names.map((name) => [name, others[iterationNames[name]] ?? undefined])),
  ) as Issue["iteration"];
  const foreign = Object.entries(others).filter(([name]) => !Object.hasOwn(Metadata.shape, name));
  const unread = given !== undefined && given !== null && !asset ? [["asset", given]] : [];
  const rest = Object.fromEntries([...foreign, ...unread]) as JsonObject;
  return { asset, iteration, runs: runs ?? [], key: key ?? undefined, rest };
}

/** An issue as one line. */
export function issueToLine(issue: Issue): string {
  const { id, title, description, status, priority, tags, assignee, asset, iteration, runs, key, beads } = issue;
  const dependencies = [
    ...issue.edges.map(edgeToDependency).filter(({ issue_id }) => issue_id === id),
    ...(beads?.dependencies ?? []),
  ].sort((one, other) => order(one.depends_on_id, other.depends_on_id) || order(one.type, other.type));
  const metadata = withoutUndefined({
    ...beads?.metadata,
    ...(asset && { asset }),
    ...Object.fromEntries(
      Object.entries(iterationNames).map(([name, inLine]) => [inLine, iteration[name as IterationName]]),
    ),
    runs: listOrNothing(runs),
    loopwright_key: key,
  });
  return JSON.stringify({
    id,
    title,
    description: description || undefined,
    status: beads?.status ?? status,
    priority: beads?.priority ?? priorities.indexOf(priority),
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

function order(one: unknown, other: unknown): number {
  return String(one) < String(other) ? -1 : String(one) > String(other) ? 1 : 0;
}

function orNothing<Value extends object>(value: Value): Value | undefined {
  return Object.keys(value).length === 0 ? undefined : value;
}

function listOrNothing<Item>(list: readonly Item[]): readonly Item[] | undefined {
  return list.length === 0 ? undefined : list;
}
