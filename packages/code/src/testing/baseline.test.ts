import { describe, expect, it } from "vitest";
import { compareRuns, type SuiteRun } from "./baseline.ts";

type State = "passed" | "failed" | "skipped";

function run(states: Readonly<Record<string, State | [State, string]>>, loaded: SuiteRun["loaded"] = {}): SuiteRun {
  const tests = Object.entries(states).map(([name, given]) => {
    const [state, failure] = Array.isArray(given) ? given : [given];
    return { name, state, ...(failure !== undefined && { failure }) };
  });
  return { report: { runner: "pytest", tests, failureLines: "" }, loaded, ms: 10 };
}

describe("a baseline", () => {
  it("tells what passes, what fails, and what does one thing now and another then", () => {
    const first = run({ a: "passed", b: ["failed", "E  1 == 2"], c: "passed", d: "skipped", e: "passed" });
    const second = run({ a: "passed", b: "failed", c: "failed", d: "skipped" });
    expect(compareRuns(first, second)).toMatchObject({
      ...{ passing: ["a"], failing: ["b"], flaky: ["c", "e"], blocked: [] },
      failures: "FAILED b\nE  1 == 2",
    });
  });

  it.each([
    ["network", "E  urllib.error.URLError: <urlopen error [Errno -3] Temporary failure in name resolution>"],
    ["network", "Error: getaddrinfo EAI_AGAIN example.org"],
    ["read-only", "E  OSError: [Errno 30] Read-only file system: '/usr/x'"],
    ["permission", "PermissionError: [Errno 1] Operation not permitted"],
  ])("tells what fails for want of %s by the error at its end", (why, failure) => {
    const both = run({ a: ["failed", `Traceback\n${failure}`] });
    expect(compareRuns(both, both)).toMatchObject({ failing: [], blocked: [{ name: "a", why }] });
  });

  it("takes a word about the network in the middle of a failure for nothing", () => {
    const both = run({ a: ["failed", "Network is unreachable is what it must say\n1\n2\n3\nE  assert 1 == 2"] });
    expect(compareRuns(both, both)).toMatchObject({ failing: ["a"], blocked: [] });
  });

  it("tells of a command that is one test the line that tells most, wherever it stands, and whether the sandbox is to blame", () => {
    const said = (failure: string) => {
      const report = { runner: "npm test", tests: [{ name: "npm test", state: "failed" as const, failure }] };
      const both = { report: { ...report, failureLines: "" }, loaded: {}, ms: 10 };
      return compareRuns(both, both);
    };
    const blocked =
      "✖ 3 problems (0 errors)\nError: EROFS: read-only file system, mkdir 'x'\n  at a\n  at b\n  at c\nexit code 1";
    expect(said(blocked)).toMatchObject({
      ...{ failing: ["npm test"], blocked: [] },
      command: { said: "Error: EROFS: read-only file system, mkdir 'x'", isBlocked: true },
    });
    expect(said("ok 1 Error: EACCES\nnot ok 2 adds\nexit code 1").command).toEqual({
      ...{ said: "not ok 2 adds", isBlocked: false },
    });
    expect(said("exit code 1").command).toEqual({ said: "exit code 1", isBlocked: false });
  });

  it("knows which test files load a file of the program", () => {
    const both = run(
      { a: "passed" },
      { "t/test_a.py": ["t/test_a.py", "src/x.py"], "t/test_b.py": ["src/x.py", "src/y.py"] },
    );
    expect(compareRuns(both, both).loaded).toEqual({
      "src/x.py": ["t/test_a.py", "t/test_b.py"],
      "src/y.py": ["t/test_b.py"],
    });
  });
});
