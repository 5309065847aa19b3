// What the paths in a plan may be, and what a test file may be called. Pure.

import { plainPath } from "@loopwright/git";
import { isIgnored, isTestFile } from "@loopwright/workspace";

export { isTestFile };

/** What a test file must be called, in words that a model can act on. */
export const TEST_NAME_FORM =
  "a path inside the workspace that its runner finds: test_NAME.py for Python, NAME.test.ts or NAME.test.js otherwise";

/** A path of the workspace in its plain form; undefined for one that leads elsewhere or that the workspace leaves out. */
export function workspacePath(given: string): string | undefined {
  const { path } = plainPath(given);
  return path === undefined || isIgnored(path) ? undefined : path;
}

/** Whether a test, by its name, is one of a file's. */
export function isOf(name: string, path: string): boolean {
  return name === path || name.startsWith(`${path}::`) || name.startsWith(`${path} > `);
}

/** The file of a test, by its name. */
export function fileOf(name: string): string {
  return name.split(/::| > /, 1)[0]!;
}
