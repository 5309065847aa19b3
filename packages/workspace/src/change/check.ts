// The last look before a run is done: what the change does to its judge, and whether the tests reach it at all.

import type { Finding } from "@loopwright/core";
import type { ProjectCell } from "../cell.ts";
import { isRunnerFile } from "../folder/protected.ts";
import { hardOnes } from "../judging/judge.ts";
import { grammarOf } from "../tests/grammar.ts";
import { findHidden } from "./hidden.ts";
import { checkReach, isUntried, type RunWith, untried } from "./reach.ts";
import { scanChange } from "./scan.ts";

/** Findings on what the workspace has changed, whose tests pass. Hard ones must be gone before the run is done. */
export async function checkChange(cell: ProjectCell, signal: AbortSignal): Promise<Finding[]> {
  const all = await cell.changes();
  const changes = all.filter(({ path, isHidden }) => !isHidden && grammarOf(path) !== undefined && !isRunnerFile(path));
  const scanned = [...findHidden(all, await cell.listFiles()), ...(await scanChange(changes))];
  if (hardOnes(scanned).length > 0) return scanned;
  const runWith: RunWith = (instead) => cell.runTests({ instead, signal });
  const reached = await checkReach(changes, runWith);
  const [suspect] = scanned;
  if (suspect && isUntried(reached)) return [untried(suspect), ...reached, ...scanned];
  // What looks into the process may do its work when it is called: it is let to, and its result taken away.
  const isSuspect = suspect !== undefined && hardOnes(reached).length === 0;
  const doubts = isSuspect ? hardOnes(await checkReach(changes, runWith, { isAtEnd: true })) : [];
  return [...reached, ...doubts, ...scanned];
}
