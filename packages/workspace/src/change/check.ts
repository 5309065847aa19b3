// The last look before a run is done: what the change does to its judge, and whether the tests reach it at all.

import type { Finding } from "@loopwright/core";
import type { ProjectCell } from "../cell.ts";
import { isRunnerFile, isTestFile } from "../folder/protected.ts";
import { hardOnes } from "../judging/judge.ts";
import { grammarOf } from "../tests/grammar.ts";
import { checkReach } from "./reach.ts";
import { scanChange } from "./scan.ts";

/** Findings on what the workspace has changed, whose tests pass. Hard ones must be gone before the run is done. */
export async function checkChange(cell: ProjectCell, signal: AbortSignal): Promise<Finding[]> {
  const changes = (await cell.changes()).filter(
    ({ path }) => grammarOf(path) !== undefined && !isTestFile(path) && !isRunnerFile(path),
  );
  const scanned = await scanChange(changes);
  if (hardOnes(scanned).length > 0) return scanned;
  const reached = await checkReach(changes, (instead) => cell.runTests({ instead, signal }));
  return [...reached, ...scanned];
}
