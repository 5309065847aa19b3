// Which issues a filter means.

import type { Issue } from "./issue.ts";
import type { IssueFilter } from "./tracker.ts";

/** Those of these that fit, in their order; no more are read than are wanted. */
export function fits<Any extends Issue>(
  issues: Iterable<Any>,
  { status, tags = [], limit = Infinity }: IssueFilter,
): Any[] {
  const found: Any[] = [];
  if (limit <= 0) return found;
  for (const issue of issues) {
    if (status && !status.includes(issue.status)) continue;
    if (!tags.every((tag) => issue.tags.includes(tag))) continue;
    found.push(issue);
    if (found.length >= limit) break;
  }
  return found;
}
