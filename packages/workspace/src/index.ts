// The project workcell: a workspace folder that is written by blocks, tried in a sandbox, and snapshotted in a git directory
// of our own. What the tests are, and what configures their runner, no one in it can change.

import type { WorkcellOptions } from "@loopwright/core";
import type { ProjectCell, ProjectCellOptions } from "./options.ts";
import { WorkspaceCell } from "./workspace-cell.ts";

export { type Aimed, type Change, checkChange } from "./change/check.ts";
export { scanChange } from "./change/scan.ts";
export type { Applied, ReplayBase, Step } from "./checkout/checkout.ts";
export type { Patch, PatchedFile } from "./checkout/patch.ts";
export { isRunnerFile } from "./folder/protected.ts";
export { isIgnored } from "./folder/walk.ts";
export * from "./judging/judge.ts";
export type * from "./options.ts";
export { DEFAULT_LIMITS, MAX_FILE_CHARS } from "./options.ts";
export { applyResult, withLeft } from "./result.ts";
export { failureLines, isWithoutTests } from "./runners/run.ts";
export type { RunnerChoice } from "./runners/types.ts";
export { treeToSnapshot } from "./snapshots/snapshots.ts";
export { readTests } from "./tests/files.ts";
export { isTestFile, isTestSource } from "./tests/names.ts";
export { readTestSource, type TestSource } from "./tests/source.ts";

/** Workcells on one workspace. */
export function projectCells(options: ProjectCellOptions) {
  return async ({ snapshot, signal }: Pick<WorkcellOptions, "snapshot" | "signal">): Promise<ProjectCell> => {
    signal.throwIfAborted();
    const cell = new WorkspaceCell(options);
    if (snapshot === undefined) await cell.begin();
    else await cell.take(snapshot);
    return cell;
  };
}
