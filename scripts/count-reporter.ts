// Ends a test run with one plain line, and fails it in CI where a test was skipped.

import type { Reporter, TestModule } from "vitest/node";

export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    const skipped = tests.filter((test) => test.result().state === "skipped");
    for (const test of skipped) console.log(`skipped: ${test.fullName}`);
    console.log(`${count("passed")} passed, ${count("failed")} failed, ${skipped.length} skipped`);
    if (process.env.CI === "true" && skipped.length > 0) {
      console.error("In CI a skipped test is a failure: install what is missing.");
      process.exitCode = 1;
    }
  }
}
