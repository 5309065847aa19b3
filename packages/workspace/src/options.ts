// What a project workcell is given, and what of it is refused before anything is touched.

import { lstatSync, realpathSync } from "node:fs";
import { FormatError, UsageError } from "@loopwright/core";
import { plainPath, shownPath } from "@loopwright/git";
import type { Limits, Sandbox } from "@loopwright/sandbox";
import { isIgnored } from "./folder/walk.ts";
import type { Policy } from "./policy.ts";
import type { RunnerChoice } from "./runners/types.ts";

/** Where a run on a folder of code does its work: what it keeps of how it was started. */
export interface WorkspaceSettings {
  workspace: string;
  /** A folder of the run's own, outside the workspace, for snapshots and for copies of tests that lie elsewhere. */
  state: string;
  /** Files and folders of tests; where there are none, those that are written, else those that are found in the workspace. */
  tests: readonly string[];
  /** Files and folders of tests that no model may see. */
  heldOut: readonly string[];
  /** Paths of the workspace that are no part of it, such as the project's own: not snapshotted, not listed, not written. */
  ignore: readonly string[];
  sandbox: "bwrap" | "none";
  /** Further folders of installed packages: seen read-only, and no part of the work. */
  dependencies?: readonly string[];
  /** What runs the tests, where it was said; else it is found by what is there. */
  runner?: RunnerChoice;
  /** The branch that the result becomes, in place of the user's files. */
  branch?: string;
  /** Whether nothing is applied, and the result is a patch in the run's folder. */
  patch?: boolean;
}

/** What a folder of code is opened with. */
export interface ProjectCellOptions
  extends Pick<WorkspaceSettings, "workspace" | "state">,
    Partial<Omit<WorkspaceSettings, "workspace" | "state" | "sandbox">> {
  sandbox: Sandbox;
  /** The setting by which a user says the runner, for messages. */
  runnerSetting?: string;
  limits?: Partial<Limits>;
  policy?: Policy;
}

/** What a job may use where nothing else is said. */
export const DEFAULT_LIMITS: Limits = {
  wallMs: 120_000,
  cpuMs: 240_000,
  memoryBytes: 2 ** 31,
  processes: 256,
  fileBytes: 2 ** 28,
  outputChars: 20_000,
};

/** The time that a whole suite may take where nothing else is said. */
export const SUITE_LIMITS = { wallMs: 15 * 60_000, cpuMs: 60 * 60_000 };

/** The workspace's real folder. */
export function realFolder(path: string): string {
  if (!lstatSync(path, { throwIfNoEntry: false })) {
    throw new UsageError("WORKSPACE_MISSING", `there is no workspace at ${path}: make the folder, or name another one`);
  }
  const real = realpathSync(path);
  if (real === "/" || !lstatSync(real).isDirectory()) {
    throw new UsageError("WORKSPACE_UNFIT", `${path} cannot be a workspace: it must be a folder of its own`);
  }
  return real;
}

/** Our own state, where someone has put it inside the workspace. */
export function ownPath(folder: string, state: string): string[] {
  if (state === folder) throw new UsageError("STATE_IS_WORKSPACE", "the run's state cannot be the workspace itself");
  return state.startsWith(`${folder}/`) ? [state.slice(folder.length + 1)] : [];
}

/** A test file's plain path; one that leaves the workspace is no form of an answer. */
export function testPath(given: string): string {
  const { path, refused } = plainPath(given);
  const reason = refused ?? (isIgnored(path) ? "lies in a cache or a git directory" : undefined);
  if (path === undefined || reason) throw new FormatError("TEST_PATH", `the test file '${shownPath(given)}' ${reason}`);
  return path;
}
