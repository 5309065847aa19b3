// What an analysis finds, and where.

import { comparePaths } from "../layout.ts";

export interface AnalysisFinding {
  code: string;
  severity: "hard" | "soft";
  /** 1 is the most urgent. */
  priority: 1 | 2 | 3 | 4;
  message: string;
  path?: string;
  line?: number;
}

/** The most urgent first; then by place. */
export function sortFindings(findings: readonly AnalysisFinding[]): AnalysisFinding[] {
  return [...findings].sort(
    (a, b) =>
      a.priority - b.priority ||
      comparePaths(a.path ?? "", b.path ?? "") ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.message < b.message ? -1 : a.message > b.message ? 1 : 0),
  );
}
