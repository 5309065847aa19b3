// What a test run ends with.

import { afterEach, expect, it, vi } from "vitest";
import type { TestModule } from "vitest/node";
import CountReporter from "../../scripts/count-reporter.ts";

afterEach(() => vi.restoreAllMocks());

/** A file's tests as the reporter sees them. */
function moduleOf(
  path: string,
  duration: number,
  tests: { name: string; state: string; flaky?: boolean }[],
): TestModule {
  const module = { relativeModuleId: path, state: () => "passed", diagnostic: () => ({ duration }) };
  const all = tests.map(({ name, state, flaky = false }) => ({
    fullName: name,
    module,
    result: () => ({ state }),
    diagnostic: () => ({ flaky }),
  }));
  return { ...module, children: { allTests: () => all } } as unknown as TestModule;
}

it("says how long each suite took, names what passed only on a second try, and ends with the counts", () => {
  const lines: string[] = [];
  vi.spyOn(console, "log").mockImplementation((line) => lines.push(line));
  vi.stubEnv("CI", "");
  const left = { name: "is left out", state: "skipped" };
  new CountReporter().onTestRunEnd([
    moduleOf("packages/core/src/a.test.ts", 500, [{ name: "holds", state: "passed" }, left]),
    moduleOf("test/crash/b.test.ts", 1200, [{ name: "is flaky", state: "passed", flaky: true }, left]),
    moduleOf("test/crash/c.test.ts", 300, [{ name: "fails", state: "failed" }, left]),
  ]);
  expect(lines).toEqual([
    "    1.5 s     4 tests  crash",
    "    0.5 s     2 tests  unit core",
    "passed on a second try: test/crash/b.test.ts: is flaky",
    ...Array(3).fill("skipped: is left out"),
    "2 passed, 1 failed",
  ]);
  vi.unstubAllEnvs();
});
