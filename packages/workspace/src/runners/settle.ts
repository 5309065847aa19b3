// What is asked of every runner's results before they are believed.

import type { TestResult } from "../cell.ts";
import { readTestSource } from "../tests/source.ts";
import { loadsTests } from "./pytest.ts";
import type { Finding, Runner, TestFile } from "./types.ts";

const NONE_COLLECTED = "no test was collected";
export const NO_FILES = "there are no test files";

/** Whether that is why a run gave no results. */
export function isWithoutTests(fault: string): boolean {
  return fault === NONE_COLLECTED || fault === NO_FILES;
}

/** Words by which tests, or what configures them, may leave some out. */
const SELECTS = /python_(?:files|classes|functions)|-k\b|-m\b|--deselect|--ignore|collect_ignore|modifyitems|deselect/;

const SKIPS = /skip|todo|xfail|expectedFailure|\bx(?:it|test|describe)\b|\.only\b/i;

/** Results that hold up: every test that a file plainly declares is there, and none was skipped from elsewhere. */
export async function settleFinding(
  finding: Finding,
  runner: Runner,
  files: readonly TestFile[],
  configurations: readonly string[],
  isLenient = false,
): Promise<Finding> {
  if (finding.fault !== undefined) return finding;
  if (finding.tests.length === 0) return { fault: NONE_COLLECTED };
  if (!runner.namesBySource) return finding;
  // A suite skips by helpers of its own; what passed before and is skipped now is missed by whoever knows it.
  if (isLenient) return finding;
  const isSelected = configurations.some((text) => SELECTS.test(text)) || files.some(loadsTests);
  const missing = isSelected ? [] : await missingTests(finding.tests, files);
  if (missing.length > 0) {
    const names = missing.slice(0, 5).join(", ");
    return { fault: `${missing.length} tests that the test files declare were never reported: ${names}` };
  }
  const texts = [...files.map(({ source }) => source), ...configurations];
  const maySkip = texts.some((text) => SKIPS.test(text));
  return { ...finding, tests: maySkip ? finding.tests : finding.tests.map(unskipped) };
}

async function missingTests(tests: readonly TestResult[], files: readonly TestFile[]): Promise<string[]> {
  const reported = new Set(tests.flatMap(({ name }) => [name, name.split("[", 1)[0]!]));
  const sources = await Promise.all(files.map(({ path, source }) => readTestSource(path, source)));
  return sources.flatMap(({ names }) => names).filter((name) => !reported.has(name));
}

/** A skip that no test file asks for was raised by the tested code, which is a failure. */
function unskipped(test: TestResult): TestResult {
  if (test.state !== "skipped" && test.state !== "xfailed") return test;
  const failure = `The tested code skipped this test, which the test file does not do. ${test.failure ?? ""}`.trim();
  return { ...test, state: "failed", failure };
}
