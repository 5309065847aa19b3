// Regressions: tests that passed in an earlier iteration and fail now. Pure.

import type { PassedTest } from "../task.ts";

/** The tests that have ever passed, each with the last iteration in which it did. */
export function rememberPassed(
  before: readonly PassedTest[],
  passed: readonly string[],
  iteration: number,
): PassedTest[] {
  const now = new Set(passed);
  const others = before.filter(({ name }) => !now.has(name));
  return [...others, ...passed.map((name) => ({ name, iteration }))];
}

/** Those of them that fail now. */
export function findRegressions(before: readonly PassedTest[], failing: readonly string[]): PassedTest[] {
  const now = new Set(failing);
  return before.filter(({ name }) => now.has(name));
}

/** Regressions as a prompt shows them. */
export function regressionsToText(regressions: readonly PassedTest[]): string {
  return regressions.map(({ name, iteration }) => `${name} (passed in iteration ${iteration})`).join("\n");
}
