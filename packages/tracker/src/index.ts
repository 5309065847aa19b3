// Issues and their graph, for loops that work on them.

export { TrackerConfiguration } from "./configuration.ts";
export { edgeToWords, waitsFor } from "./graph.ts";
export * from "./issue.ts";
export { openTracker, type TrackerOptions } from "./open.ts";
export type { Imported, IssueFilter, Tracker } from "./tracker.ts";
