// The last look before a run is done: what the change does to its judge, and whether the tests reach it at all.

import type { Finding } from "@loopwright/core";
import type { ProjectCell, TestOptions } from "../cell.ts";
import { isRunnerFile } from "../folder/protected.ts";
import { hardOnes } from "../judging/judge.ts";
import { grammarOf } from "../tests/grammar.ts";
import { findHidden } from "./hidden.ts";
import { checkReach, isUntried, type RunWith, untried } from "./reach.ts";
import { scanChange } from "./scan.ts";

/** The tests that a change is for: the files they stand in, and which of their tests count. */
export interface Aimed {
  files: readonly string[];
  counts: (name: string) => boolean;
}

/** Findings on what the workspace has changed, whose tests pass. Hard ones must be gone before the run is done. */
export async function checkChange(cell: ProjectCell, signal: AbortSignal, aimed?: Aimed): Promise<Finding[]> {
  const all = await cell.changes();
  const changes = all.filter(({ path, isHidden }) => !isHidden && grammarOf(path) !== undefined && !isRunnerFile(path));
  const scanned = [...findHidden(all, await cell.listFiles()), ...(await scanChange(changes))];
  if (hardOnes(scanned).length > 0) return scanned;
  const runWith: RunWith = (instead) => runAimed(cell, { instead, signal }, aimed);
  const reached = await checkReach(changes, runWith);
  const [suspect] = scanned;
  if (suspect && isUntried(reached)) return [untried(suspect), ...reached, ...scanned];
  // What looks into the process may do its work when it is called: it is let to, and its result taken away.
  const isSuspect = suspect !== undefined && hardOnes(reached).length === 0;
  const doubts = isSuspect ? hardOnes(await checkReach(changes, runWith, { isAtEnd: true })) : [];
  return [...reached, ...doubts, ...scanned];
}

/** Runs the tests that are aimed at; where each file answers for itself, one that does not load is what the run could not do. */
async function runAimed(cell: ProjectCell, options: TestOptions, aimed?: Aimed): Promise<Awaited<ReturnType<RunWith>>> {
  if (!aimed) return cell.runTests(options);
  const { tests, fault } = await cell.runTests({ ...options, suite: aimed.files });
  const broken = tests.filter(({ name, state }) => state === "failed" && aimed.files.includes(name));
  const why = fault ?? (broken.length > 0 ? broken.map(({ failure }) => failure).join("\n") : undefined);
  const counted = tests.filter(({ name }) => aimed.counts(name));
  return { tests: counted, ...(why !== undefined && { fault: why }) };
}
