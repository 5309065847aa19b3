// Which lines to suspect: what the failing tests execute and the passing ones do not, by Ochiai's formula.

import { isTestFile, type TestCoverage } from "@loopwright/workspace";
import type { SuspectLine } from "./candidate.ts";

/** The lines that a failing test executes, the most suspicious first. */
export function rankLines(coverage: readonly TestCoverage[]): SuspectLine[] {
  const counts = new Map<string, Map<number, { failed: number; passed: number }>>();
  for (const { state, lines } of coverage) {
    for (const [path, numbers] of Object.entries(lines)) {
      if (isTestFile(path)) continue;
      const ofFile = counts.get(path) ?? new Map<number, { failed: number; passed: number }>();
      counts.set(path, ofFile);
      for (const line of new Set(numbers)) {
        const count = ofFile.get(line) ?? { failed: 0, passed: 0 };
        count[state]++;
        ofFile.set(line, count);
      }
    }
  }
  const failing = coverage.filter(({ state }) => state === "failed").length;
  const suspects: SuspectLine[] = [];
  for (const [path, ofFile] of counts) {
    for (const [line, { failed, passed }] of ofFile) {
      if (failed > 0) suspects.push({ path, line, suspicion: failed / Math.sqrt(failing * (failed + passed)) });
    }
  }
  return suspects.sort((a, b) => b.suspicion - a.suspicion || compareText(a.path, b.path) || a.line - b.line);
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
