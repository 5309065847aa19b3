// The last look before a run is done: what the change does to its judge, and whether the tests reach it at all.

import type { Finding } from "@loopwright/core";
import type { ProjectCell } from "../cell.ts";
import { isRunnerFile, isTestFile } from "../folder/protected.ts";
import { hardOnes } from "../judging/judge.ts";
import { grammarOf } from "../tests/grammar.ts";
import { checkReach, type RunWith } from "./reach.ts";
import { scanChange } from "./scan.ts";

/** Findings on what the workspace has changed, whose tests pass. Hard ones must be gone before the run is done. */
export async function checkChange(cell: ProjectCell, signal: AbortSignal): Promise<Finding[]> {
  const changes = (await cell.changes()).filter(
    ({ path }) => grammarOf(path) !== undefined && !isTestFile(path) && !isRunnerFile(path),
  );
  const scanned = await scanChange(changes);
  if (hardOnes(scanned).length > 0) return scanned;
  const runWith: RunWith = (instead) => cell.runTests({ instead, signal });
  const reached = await checkReach(changes, runWith);
  // What looks into the process may do its work when it is called: it is let to, and its result taken away.
  const isSuspect = scanned.length > 0 && hardOnes(reached).length === 0;
  const doubts = isSuspect ? hardOnes(await checkReach(changes, runWith, { isAtEnd: true })) : [];
  return [...reached, ...doubts, ...scanned];
}
