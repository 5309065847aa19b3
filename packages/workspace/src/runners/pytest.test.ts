import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { calm, fill, openBench } from "../../../../test/fixtures/workspaces/workspace.ts";
import type { TestReport } from "../options.ts";

const states = ({ tests }: TestReport) => Object.fromEntries(tests.map(({ name, state }) => [name, state]));
const isGreen = ({ fault, tests }: TestReport) =>
  fault === undefined && tests.length > 0 && tests.every(({ state }) => state === "passed");

const test =
  "from add import add\n\ndef test_add():\n    assert add(1, 2) == 3\n\ndef test_zero():\n    assert add(0, 0) == 0\n";
const right = "def add(a, b):\n    return a + b\n";
const wrong = "def add(a, b):\n    return 7\n";

async function judge(files: Record<string, string>, tests: Record<string, string> = { "test_add.py": test }) {
  const { cell, folder } = await openBench();
  await cell.writeTests(Object.entries(tests).map(([path, content]) => ({ path, content })));
  // As a command of the implementer's could: no block is refused here.
  fill(folder, files);
  return { report: await cell.runTests({ signal: calm }), folder, cell };
}

describe("pytest", () => {
  it("passes a right program, and leaves nothing behind", async () => {
    const { report, folder } = await judge({ "add.py": right });
    expect(report).toMatchObject({ runner: "pytest", failureLines: "" });
    expect(isGreen(report)).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(["add.py", "test_add.py"]);
  });

  it("says how each test of a wrong one fails, and nothing else", async () => {
    const { report } = await judge({ "add.py": wrong });
    expect(states(report)).toEqual({ "test_add.py::test_add": "failed", "test_add.py::test_zero": "failed" });
    expect(report.failureLines).toContain("E   assert 7 == 3");
    expect(report.failureLines).not.toContain("ValueError");
    expect(report.failureLines).not.toMatch(/loopwright|session starts/);
  });

  it("tells skipped, expected failures, cases and classes apart, by names that stay the same", async () => {
    const source = `
import pytest
from add import add
@pytest.mark.parametrize("a,b", [(1, 2), (3, 4)])
def test_cases(a, b): assert add(a, b) == a + b
@pytest.mark.skip(reason="not now")
def test_skipped(): pass
@pytest.mark.xfail
def test_expected(): assert add(1, 1) == 3
class TestGroup:
    def test_inner(self): assert add(1, 1) == 2
@pytest.fixture
def broken():
    yield
    raise RuntimeError("teardown")
def test_teardown(broken): pass
`;
    const { report, cell } = await judge({ "add.py": right }, { "t/test_all.py": source });
    expect(states(report)).toEqual({
      "t/test_all.py::test_cases[1-2]": "passed",
      "t/test_all.py::test_cases[3-4]": "passed",
      "t/test_all.py::test_skipped": "skipped",
      "t/test_all.py::test_expected": "xfailed",
      "t/test_all.py::TestGroup::test_inner": "passed",
      "t/test_all.py::test_teardown": "failed",
    });
    expect(states(await cell.runTests({ signal: calm }))).toEqual(states(report));
  });

  it("names every test that its files declare before anyone has written a line, as failed", async () => {
    const source = `${test}
import pytest
@pytest.mark.parametrize("x", [1, 2])
def test_cases(x): assert add(x, x)
class TestShape:
    def test_inner(self): assert add(1, 1)
`;
    const { report } = await judge({}, { "test_add.py": source });
    expect(report.fault).toContain("No module named 'add'");
    const names = ["test_add", "test_zero", "test_cases", "TestShape::test_inner"];
    expect(states(report)).toEqual(Object.fromEntries(names.map((name) => [`test_add.py::${name}`, "failed"])));
  });

  it("is a fault where the tests themselves do not parse", async () => {
    const { report } = await judge({ "add.py": right }, { "test_add.py": "def test_a(:\n" });
    expect(report.fault).toContain("SyntaxError");
    expect(report.tests).toEqual([]);
  });

  it("stops tests that never end, and says so", async () => {
    const { cell } = await openBench(
      { "add.py": "def add(a, b):\n    while True: pass\n" },
      { limits: { wallMs: 2_000 } },
    );
    await cell.writeTests([{ path: "test_add.py", content: test }]);
    expect((await cell.runTests({ signal: calm })).fault).toContain("The tests were stopped: it ran longer than 2 s");
  });
});

describe("a suite of pytest's", () => {
  it("has each file that could not be run say why by itself", async () => {
    const { cell } = await openBench({
      "a/conftest.py": "import no_such_plugin\n",
      "a/test_a.py": "def test_a(): pass\n",
      "b/test_b.py":
        "import os\n\ndef test_b():\n    print('before it left', flush=True)\n    os.write(2, b'the last words')\n    os._exit(3)\n",
      "c/test_c.py": "def test_c(): assert 1 == 2\n",
    });
    const { tests } = await cell.runTests({ suite: true, signal: calm });
    const failure = (name: string) => tests.find((each) => each.name === name)?.failure ?? "";
    expect(failure("a/test_a.py")).toContain("No module named 'no_such_plugin'");
    expect(failure("b/test_b.py")).toContain("pytest ended without a report");
    expect(failure("c/test_c.py::test_c")).toContain("assert 1 == 2");
    for (const { failure: words } of tests) expect(words).not.toContain("this must be seen");
    expect(tests).toHaveLength(3);
  });
});

describe("what the user had at the start counts", () => {
  it("as configuration and as fixtures", async () => {
    const { cell, folder } = await openBench({
      "conftest.py": "import pytest\n@pytest.fixture\ndef three(): return 3\n",
      "pytest.ini": "[pytest]\npython_functions = check_*\npythonpath = src\n",
      "src/add.py": right,
      "test_add.py": "from add import add\ndef check_add(three): assert add(1, 2) == three\n",
    });
    expect(states(await cell.runTests({ signal: calm }))).toEqual({ "test_add.py::check_add": "passed" });
    fill(folder, { "conftest.py": "", "src/conftest.py": "import os; os._exit(0)\n" });
    expect(states(await cell.runTests({ signal: calm }))).toEqual({ "test_add.py::check_add": "passed" });
    expect(readdirSync(join(folder, "src"))).toEqual(["add.py"]);
  });

  it("and stops at no first failure, whatever it says", async () => {
    const { cell } = await openBench({
      "pytest.ini": "[pytest]\naddopts = -x -q\n",
      "add.py": wrong,
      "test_add.py": test,
    });
    const report = await cell.runTests({ signal: calm });
    expect(Object.keys(states(report))).toHaveLength(2);
  });
});
