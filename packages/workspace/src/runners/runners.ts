// Choosing a runner by what is there, and what is asked of every runner's results before they are believed.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "@loopwright/core";
import type { TestResult } from "../cell.ts";
import { readTestSource } from "../tests/source.ts";
import { commandRunner, vitestRunner } from "./command.ts";
import { nodeRunner } from "./node.ts";
import { pytestRunner } from "./pytest.ts";
import type { Finding, Runner, RunnerChoice, TestFile } from "./types.ts";

/** The runner for test files: the one that was chosen, else the one that their names and the workspace speak for. */
export function chooseRunner(choice: RunnerChoice | undefined, folder: string, paths: readonly string[]): Runner {
  if (typeof choice === "object") return commandRunner(choice);
  if (choice === "pytest") return pytestRunner;
  if (choice === "node") return nodeRunner;
  const hasVitest = existsSync(join(folder, "node_modules/vitest/vitest.mjs"));
  if (choice === "vitest") {
    if (hasVitest) return vitestRunner;
    throw new UsageError(
      "RUNNER_MISSING",
      "vitest is not installed in the workspace: install it, or choose another runner",
    );
  }
  const isPython = paths.filter((path) => path.endsWith(".py")).length;
  if (isPython === paths.length) return pytestRunner;
  if (isPython === 0) return hasVitest ? vitestRunner : nodeRunner;
  const message = "the tests are in Python and in JavaScript: name one runner, or a command that runs both";
  throw new UsageError("RUNNER_UNCLEAR", message);
}

const SELECTS = /python_(?:files|classes|functions)|-k\b|-m\b|--deselect|--ignore|collect_ignore|modifyitems|deselect/;

/** Results that hold up: every test that a file plainly declares is there, and none was skipped from elsewhere. */
export async function settleFinding(
  finding: Finding,
  runner: Runner,
  files: readonly TestFile[],
  configurations: readonly string[],
  isLenient = false,
): Promise<Finding> {
  if (finding.fault !== undefined) return finding;
  if (finding.tests.length === 0) return { fault: "no test was collected" };
  if (!runner.namesBySource) return finding;
  const isSelected = isLenient || configurations.some((text) => SELECTS.test(text));
  const missing = isSelected ? [] : await missingTests(finding.tests, files);
  if (missing.length > 0) {
    const names = missing.slice(0, 5).join(", ");
    return { fault: `${missing.length} tests that the test files declare were never reported: ${names}` };
  }
  const texts = [...files.map(({ source }) => source), ...configurations];
  const maySkip = texts.some((text) => /skip|todo|xfail/i.test(text));
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
