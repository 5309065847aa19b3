import type { TestResult, TestState } from "@loopwright/workspace";
import { describe, expect, it } from "vitest";
import { compareTestFiles, correctedTests } from "./compare.ts";
import { compareTests } from "./test-set.ts";

const results = (states: Record<string, TestState>): TestResult[] =>
  Object.entries(states).map(([name, state]) => ({ name, state }));

describe("tests compared with those before", () => {
  const before = results({ a: "passed", b: "failed", c: "skipped", d: "xfailed" });

  it("have lost nothing when they are the same, or more", () => {
    expect(compareTests(before, before)).toEqual([]);
    expect(compareTests(before, [...before, { name: "e", state: "failed" }])).toEqual([]);
  });

  it("may be renamed", () => {
    const after = results({ a: "passed", renamed: "failed", c: "skipped", d: "xfailed" });
    expect(compareTests(before, after)).toEqual([]);
  });

  it.each([
    ["one is gone", { a: "passed", c: "skipped", d: "xfailed" }, ["1 tests would run, and 2 did before"]],
    [
      "one is skipped",
      { a: "passed", b: "skipped", c: "skipped", d: "xfailed" },
      ["1 tests would run, and 2 did before", "1 more tests would be skipped"],
    ],
    [
      "one is added, and another expected to fail",
      { a: "passed", b: "failed", c: "skipped", d: "xfailed", e: "xfailed" },
      ["1 more tests would be expected to fail"],
    ],
    ["all are gone", {}, ["0 tests would run, and 2 did before"]],
  ] as [string, Record<string, TestState>, string[]][])("have lost something when %s", (_, after, losses) => {
    expect(compareTests(before, results(after))).toEqual(losses);
  });
});

describe("test files compared with those before", () => {
  const file = (content: string) => [{ path: "test_a.py", content }];
  const before = file(
    "def test_a():\n    assert f(1) == 2\n    assert f(2) == 3\n\ndef test_b():\n    assert f(3) == 4\n",
  );

  it("have lost nothing when expectations are corrected", async () => {
    const after = file(before[0]!.content.replace("== 3", "== 5"));
    expect(await compareTestFiles(before, after)).toEqual([]);
  });

  it.each([
    [
      "a test is dropped",
      "def test_a():\n    assert f(1) == 2\n    assert f(2) == 3\n    assert f(3) == 4\n",
      "1 tests are declared",
    ],
    [
      "an assertion is dropped",
      before[0]!.content.replace("    assert f(2) == 3\n", ""),
      "2 assertions that say something",
    ],
    ["an assertion is emptied", before[0]!.content.replace("f(2) == 3", "True"), "2 assertions that say something"],
    ["a skip is added", `import pytest\n@pytest.mark.skip\n${before[0]!.content}`, "1 more tests are skipped"],
    [
      "an expected failure is added",
      `import pytest\n@pytest.mark.xfail\n${before[0]!.content}`,
      "1 more tests are expected",
    ],
    ["it no longer parses", `${before[0]!.content}\ndef test_c(:\n`, "no longer parse"],
    ["it is emptied", "", "0 tests are declared"],
  ])("have lost something when %s", async (_, content, words) => {
    const losses = await compareTestFiles(before, file(content));
    expect(losses.join("; ")).toContain(words);
  });
});

describe("tests that were corrected", () => {
  const file = (path: string, content: string) => [{ path, content }];
  const two =
    "from x import f\n\ndef test_a():\n    assert f(1) == 2\n\n@pytest.mark.parametrize('n', [1])\ndef test_b(n):\n    assert f(n)\n";

  it("are those whose own text has changed, with all of their cases", async () => {
    const isCorrected = await correctedTests(
      file("t/test_x.py", two),
      file("t/test_x.py", two.replace("f(n)", "f(n) > 1")),
    );
    expect(isCorrected("t/test_x.py::test_b[1]")).toBe(true);
    expect(isCorrected("t/test_x.py::test_a")).toBe(false);
    expect(isCorrected("t/test_y.py::test_b")).toBe(false);
  });

  it("are all of a file where something else in it has, or where it has gone", async () => {
    const isCorrected = await correctedTests(
      file("test_x.py", two),
      file("test_x.py", two.replace("from x", "from y")),
    );
    expect(isCorrected("test_x.py::test_a")).toBe(true);
    expect((await correctedTests(file("test_x.py", two), []))("test_x.py")).toBe(true);
  });

  it("are told apart by their titles in scripts", async () => {
    const script =
      'describe("g", () => {\n  it("a", () => { expect(f()).toBe(1); });\n  it("b", () => { expect(f()).toBe(2); });\n});\n';
    const isCorrected = await correctedTests(
      file("x.test.ts", script),
      file("x.test.ts", script.replace("toBe(2)", "toBe(3)")),
    );
    expect(isCorrected("x.test.ts > g > b")).toBe(true);
    expect(isCorrected("x.test.ts > g > a")).toBe(false);
  });
});
