// Ends a test run with the time of each suite and one plain line of counts, names every test that passed only on its second try, and
// fails it in CI where a test was skipped.

import type { Reporter, TestModule } from "vitest/node";

export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    for (const line of suiteLines(modules)) console.log(line);
    const skipped = tests.filter((test) => test.result().state === "skipped");
    if (process.env.CI === "true" && skipped.length > 0) {
      console.error("In CI a skipped test is a failure: install what is missing.");
      process.exitCode = 1;
    }
    for (const test of tests.filter((each) => each.diagnostic()?.flaky))
      console.log(`passed on a second try: ${test.module.relativeModuleId}: ${test.fullName}`);
    for (const test of skipped) console.log(`skipped: ${test.fullName}`);
    console.log(`${count("passed")} passed, ${count("failed")} failed`);
  }
}

/** Each suite with its tests and its time; files run side by side, so that the times come to more than the run took. */
function suiteLines(modules: readonly TestModule[]): string[] {
  const suites = Map.groupBy(modules, ({ relativeModuleId }) => {
    const [top, name] = relativeModuleId.split("/");
    return top === "packages" ? `unit ${name}` : (name ?? relativeModuleId);
  });
  const rows = [...suites].map(([name, files]) => {
    const sum = (of: (file: TestModule) => number) => files.reduce((total, file) => total + of(file), 0);
    return {
      name,
      tests: sum(({ children }) => [...children.allTests()].length),
      seconds: sum((file) => file.diagnostic().duration) / 1000,
    };
  });
  return rows
    .sort((a, b) => b.seconds - a.seconds)
    .map(
      ({ name, tests, seconds }) => `${seconds.toFixed(1).padStart(7)} s ${String(tests).padStart(5)} tests  ${name}`,
    );
}
