// What `code` and `repair` have in common on the command line: the workspace, its tests and its sandbox.

import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { isAbsolute, join, relative, resolve } from "node:path";
import type { Json } from "@loopwright/core";
import { usage } from "../../arguments/read-arguments.ts";
import type { Cli } from "../../cli.ts";
import type { WorkspaceSettings } from "../../configuration/loops.ts";

/** Where a run works: kept with it, so that a resume finds the same. */
export function workspaceSettings(cli: Cli, workspace: string): WorkspaceSettings {
  const paths = (flag: string) => cli.list(flag).map((path) => existing(path, `--${flag}`));
  const sandbox = (cli.text("sandbox") ?? "bwrap") as WorkspaceSettings["sandbox"];
  const own = [".loopwright", "runs"].map((name) => relative(workspace, join(cli.dir, name)));
  const ignore = own.filter((path) => !path.startsWith("..") && !isAbsolute(path));
  return { workspace, state: newState(cli), tests: paths("tests"), heldOut: paths("held-out"), ignore, sandbox };
}

/** A folder of a run's own, outside its workspace. */
export function newState({ dir }: Cli): string {
  return join(dir, ".loopwright", "workspaces", randomUUID());
}

/** What a loop is told of the tests: those that it may see, and whether others decide. */
export async function givenTests({ tests, heldOut, workspace }: WorkspaceSettings): Promise<Record<string, Json>> {
  const { readTests } = await import("@loopwright/workspace");
  const files = tests.length > 0 ? ((await readTests(tests, workspace)) as unknown as Json) : undefined;
  return { ...(files !== undefined && { tests: files }), held_out: heldOut.length > 0 };
}

/** The lines that a run begins with. */
export function workspaceLines({ workspace, sandbox }: WorkspaceSettings): string[] {
  const warning = "WITHOUT A SANDBOX: generated programs run with your rights";
  return [`workspace ${workspace}`, ...(sandbox === "none" ? [warning] : [])];
}

/** A path that must be there, as it is seen from the folder that the command is run in. */
export function existing(path: string, flag: string, hint?: string): string {
  const full = resolve(path);
  if (!existsSync(full)) throw usage(`${flag}: there is no ${full}`, hint);
  return full;
}
