// What a test run ends with.

import { afterEach, expect, it, vi } from "vitest";
import type { TestModule } from "vitest/node";
import CountReporter from "../../scripts/count-reporter.ts";

afterEach(() => vi.restoreAllMocks());

/** A file's tests as the reporter sees them; none of them whole, so that nothing is kept. */
function moduleOf(tests: { name: string; state: string; flaky?: boolean }[]): TestModule {
  const module = { relativeModuleId: "a.test.ts", state: () => "passed" };
  const all = tests.map(({ name, state, flaky = false }) => ({
    fullName: name,
    module,
    result: () => ({ state }),
    diagnostic: () => ({ flaky }),
  }));
  return { ...module, children: { allTests: () => all } } as unknown as TestModule;
}

it("names what passed only on a second try, and ends with the counts", () => {
  const lines: string[] = [];
  vi.spyOn(console, "log").mockImplementation((line) => lines.push(line));
  vi.stubEnv("CI", "");
  const tests = [
    { name: "holds", state: "passed" },
    { name: "is flaky", state: "passed", flaky: true },
    { name: "fails", state: "failed" },
    { name: "is left out", state: "skipped" },
  ];
  new CountReporter().onTestRunEnd([moduleOf(tests)]);
  expect(lines).toEqual([
    "passed on a second try: a.test.ts: is flaky",
    "skipped: is left out",
    "2 passed, 1 failed, 1 skipped",
  ]);
  vi.unstubAllEnvs();
});
