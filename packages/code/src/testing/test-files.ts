// What the paths in a plan may be, and what a test file may be called. Pure.

import { plainPath } from "@loopwright/git";
import { type FileBlock, isIgnored, isRunnerFile, isTestFile, isTestSource } from "@loopwright/workspace";
import { RUNNER_NAMES } from "@loopwright/workspace/settings";

export { isTestFile };

/** What a test file must be called, in words that a model can act on. */
export const TEST_NAME_FORM =
  "a path inside the workspace that its runner finds: test_NAME.py for Python, NAME.test.ts or NAME.test.js otherwise";

/** What it may be called among a program's own, which have names of their own. */
export const ANY_TEST_NAME_FORM =
  "a path inside the workspace, in a folder of tests or with 'test' or 'spec' in its name, as the program's other tests have it";
const ANY_TEST_NAME = /(?:^|[/._-])(?:tests?|__tests__|specs?)(?:[/._-]|$)/i;

/** Whether a path may be a test's among a program's own. */
export function isAnyTestName(path: string): boolean {
  return isTestFile(path) || (ANY_TEST_NAME.test(path) && !isRunnerFile(path));
}

/** Whether what runs the tests finds a file by its name; what a command runs, only the command knows. */
export function isFoundBy(runner: string, { path, content }: FileBlock): boolean {
  const isKnown = RUNNER_NAMES.some((name) => name === runner);
  return !isKnown || isTestFile(path) || isTestSource(path, content);
}

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
