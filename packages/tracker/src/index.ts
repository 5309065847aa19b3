// Issues and their graph, for loops that work on them.

export type { Imported } from "./beads/import.ts";
export type { Change, Edge, EdgeKind, Issue, IssueChange, JsonObject, NewIssue, Priority, Status } from "./issue.ts";
export { type IssueFilter, openTracker, type Tracker, type TrackerOptions } from "./sqlite/tracker.ts";
export { rootOf, type Work, workOn } from "./work/start.ts";
