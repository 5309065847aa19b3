// The workcell that repairs are tried in.

import type { ProjectCell } from "@loopwright/workspace";
import type { RepairContext } from "./task.ts";

export const WORKCELL = "project";

/** The workspace at a snapshot; without one, as it stands. */
export function workspaceAt(ctx: RepairContext, snapshot?: string) {
  return ctx.workcell<ProjectCell>(WORKCELL, snapshot);
}
