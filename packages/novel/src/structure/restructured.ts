// How the history tells that chapters were merged, split, moved or dropped.

import type { HistoryEntry } from "../types.ts";

export const RESTRUCTURED = "From here on chapters have the numbers that they have after this step.";

export function isRestructured({ kind, semantic_summary }: HistoryEntry): boolean {
  return kind === "edit" && semantic_summary === RESTRUCTURED;
}
