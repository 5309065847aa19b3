// What an analysis finds, and where.

import { z } from "zod";
import { comparePaths } from "../files/layout.ts";

const AnalysisFinding = z.strictObject({
  code: z.string(),
  severity: z.enum(["hard", "soft"]),
  /** 1 is the most urgent. */
  priority: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
  message: z.string(),
  path: z.string().exactOptional(),
  line: z.int().min(1).exactOptional(),
});
/** One finding of an analysis. */
export type AnalysisFinding = z.output<typeof AnalysisFinding>;

/** analysis/findings.json. */
export const FindingsFile = z.strictObject({ findings: z.array(AnalysisFinding) });

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
