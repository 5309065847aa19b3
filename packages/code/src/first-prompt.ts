// How `--dry-run` reaches the planner's prompt: on a copy of the workspace, which goes afterwards.

import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Json, SetUpFirstPrompt } from "@loopwright/core";
import type { WorkspaceSettings } from "@loopwright/workspace/settings";

export const firstPrompt: SetUpFirstPrompt = ({ settings }, folder) => {
  const { workspace, sandbox, ...rest } = (settings ?? {}) as unknown as Partial<WorkspaceSettings>;
  if (workspace === undefined) return { reason: "nothing is said of a workspace; start it with: loopwright code" };
  if (sandbox === "none") return { reason: "without a sandbox the workspace's tests would run with your rights" };
  const empty = join(folder, "workspace");
  if (!existsSync(workspace)) mkdirSync(empty);
  const moved = {
    ...rest,
    sandbox,
    workspace: existsSync(workspace) ? workspace : empty,
    state: join(folder, "state"),
  };
  return {
    settings: moved as unknown as Json,
    does: "copied the workspace and, if it holds a program, ran its tests twice in the sandbox",
  };
};
