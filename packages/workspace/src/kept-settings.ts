// What a run on a folder of code keeps of how it was started, so that a resume finds the same.

import { isAbsolute } from "node:path";
import { type Json, usage } from "@loopwright/core";
import type { RunnerChoice } from "./runners/types.ts";

/** Where a run on a folder of code does its work. */
export interface WorkspaceSettings {
  workspace: string;
  /** A folder of the run's own, outside the workspace. */
  state: string;
  tests: readonly string[];
  heldOut: readonly string[];
  /** What of the workspace is the project's own, and no part of the work. */
  ignore: readonly string[];
  sandbox: "bwrap" | "none";
  /** Further folders of installed packages. */
  dependencies?: readonly string[];
  /** What runs the tests, where it was said. */
  runner?: RunnerChoice;
  /** The branch that the result becomes, in place of the user's files. */
  branch?: string;
  /** Whether nothing is applied, and the result is a patch in the run's folder. */
  patch?: boolean;
}

/** What a run has kept of its settings. A journal may come from anywhere: a path that means another folder wherever the command
 * is run is none that a run was started with. */
export function keptSettings(config: Json | undefined, loop: string): WorkspaceSettings | undefined {
  const kept = (config as Readonly<Record<string, Json>> | null)?.[loop] as unknown as WorkspaceSettings | undefined;
  const paths = kept ? [kept.workspace, kept.state, ...(kept.tests ?? []), ...(kept.heldOut ?? [])] : [];
  const loose = paths.find((path) => typeof path === "string" && !isAbsolute(path));
  if (loose !== undefined) throw usage(`this run names '${loose}', which is no whole path: its journal was changed`);
  return kept;
}
