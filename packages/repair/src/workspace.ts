// The workcell that repairs are tried in.

import type { ProjectCell } from "@loopwright/workspace";
import type { RepairContext } from "./task.ts";

/** The workspace at a snapshot; without one, as it stands. */
export function workspaceAt(ctx: RepairContext, snapshot: string | undefined) {
  return ctx.workcell<ProjectCell>("project", snapshot);
}
