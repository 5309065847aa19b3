// What a test run says to a model: failure lines only, the clues in its assertions, and where the run stands. Pure.

import { judge, nameSome } from "@loopwright/workspace";
import type { CodeState, CodeTask, Report } from "../task.ts";

const MOST_CLUES = 40;
const CLUE = /^\s*(?:E\s|>|assert\b|[+-]\s)|AssertionError|ERR_ASSERTION|\b(?:expected|actual|received)\b|[!=]==?\s/i;

/** The failing tests' own words; where the tests could not be run, why. */
export function failuresOf({ fault, failureLines, tests }: Report): string {
  if (fault !== undefined) return fault.trim();
  if (failureLines.trim() !== "") return failureLines.trim();
  const failing = tests.filter(({ state }) => state === "failed");
  return failing.map(({ name, failure }) => (failure ? `${name}\n${failure}` : name)).join("\n\n");
}

/** The names of failing tests, one a line. */
export function failingNames({ tests }: Report): string {
  return tests
    .filter(({ state }) => state === "failed")
    .map(({ name }) => name)
    .join("\n");
}

/** The lines of failures that compare values, each once, with the test that they belong to. */
export function assertionClues(report: Report): string {
  const failing = report.tests.filter(({ state }) => state === "failed");
  const own = failing.flatMap(({ name, failure = "" }) => cluesIn(failure).map((clue) => `${name}: ${clue}`));
  const clues = own.length > 0 ? own : cluesIn(report.fault ?? report.failureLines);
  return [...new Set(clues)].slice(0, MOST_CLUES).join("\n");
}

function cluesIn(text: string): string[] {
  return text
    .split("\n")
    .filter((line) => CLUE.test(line))
    .map((line) => line.trim());
}

/** Where a run stands, in a sentence or two of our own. */
export function describeStatus(
  { test_report, known_tests, hidden_results, baseline, targets = [] }: CodeState,
  { min_iterations }: CodeTask,
): string {
  if (!test_report) return "";
  const { verdict, passed, failed, missing } = judge(test_report, known_tests, hidden_results);
  if (test_report.fault !== undefined) return "The tests could not be run.";
  if (verdict.verdict === "pass" && baseline)
    return `All tests pass: those that the change is for (${targets.length}), and every one of the program's own that passed before.`;
  if (verdict.verdict === "pass") return `All tests pass. The run goes on for at least ${min_iterations} iterations.`;
  const collected = passed.length + failed.length + missing.length;
  if (collected === 0) return "No test was run: none was collected, or all were skipped.";
  const ratio = `${passed.length} of ${collected} tests pass.`;
  const gone = missing.length > 0 ? ` Gone or skipped, which counts as failing: ${nameSome(missing)}.` : "";
  return ratio + gone;
}
