import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  linesOf,
  openTrials,
  python,
  right,
  SLOW,
  statesOf,
  testsOf,
  tryOne,
} from "../../../../test/fixtures/workspaces/trials.ts";
import { calm, fill } from "../../../../test/fixtures/workspaces/workspace.ts";

describe("Trials of a Python program", SLOW, () => {
  it("tell which lines each test executes, those of loading among them, and none of the tests' own", async () => {
    const { trials } = await openTrials(python);
    expect(trials.way).toBe("warm");
    const coverage = await trials.coverage({ signal: calm });
    expect(statesOf(coverage)).toEqual({
      "test_clamp.py::test_low": "failed",
      "test_clamp.py::test_high": "passed",
      "test_clamp.py::test_between": "passed",
    });
    expect(linesOf(coverage, "test_clamp.py::test_low")).toEqual({ "clamp.py": [1, 2, 3] });
    expect(linesOf(coverage, "test_clamp.py::test_high")).toEqual({ "clamp.py": [1, 2, 4, 5] });
    expect(linesOf(coverage, "test_clamp.py::test_between")).toEqual({ "clamp.py": [1, 2, 4, 6] });
  });

  it("tell what is fixed, what is broken, what does not load and what never ends", async () => {
    const { trials, folder } = await openTrials(python, {}, 2);
    const tests = testsOf(await trials.coverage({ signal: calm }));
    const [low, high] = ["test_clamp.py::test_low", "test_clamp.py::test_high"];
    const contents = [
      right,
      python["clamp.py"],
      right.replace("if x > high", "if x < high"),
      "def clamp(x, low, high)\n",
      "import nothing_of_that_name\n",
      "def clamp(x, low, high):\n    while True: pass\n",
      "def clamp(x, low, high):\n    return 0\n",
    ];
    const seen: number[] = [];
    const outcomes = await trials.tryAll(
      contents.map((content) => [{ path: "clamp.py", content }]),
      { tests, signal: calm, onOutcome: (index) => seen.push(index) },
    );
    expect(outcomes).toEqual([
      { fixed: [low], passes: true },
      { fixed: [], passes: false },
      { fixed: [low], broke: high, passes: false },
      { fixed: [], passes: false, stopped: "unloadable" },
      { fixed: [], passes: false, stopped: "unloadable" },
      { fixed: [], passes: false, stopped: "limit" },
      { fixed: [low], broke: high, passes: false },
    ]);
    expect(seen.sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(readFileSync(join(folder, "clamp.py"), "utf8")).toBe(python["clamp.py"]);
  });

  it("have a version's further files and changed modules loaded anew, and nothing of the version before", async () => {
    const { trials } = await openTrials({
      "shape/__init__.py": "from shape.area import area\n",
      "shape/area.py": "def area(a, b):\n    return a + b\n",
      "test_area.py": "from shape import area\n\ndef test_area():\n    assert area(2, 3) == 6\n",
    });
    const tests = testsOf(await trials.coverage({ signal: calm }));
    const one = [{ path: "shape/area.py", content: "from shape.times import times as area\n" }];
    const two = [...one, { path: "shape/times.py", content: "def times(a, b):\n    return a * b\n" }];
    const outcomes = await trials.tryAll([one, two, one, []], { tests, signal: calm });
    expect(outcomes.map(({ passes, stopped }) => stopped ?? passes)).toEqual(["unloadable", true, "unloadable", false]);
  });

  it("know names as reports give them: cases, classes, unittest; skipped and expected failures are left out", async () => {
    const { trials, cell } = await openTrials({
      "double.py": "def double(x):\n    return x * 3\n",
      "checks/test_all.py": `
import unittest
import pytest
from double import double
@pytest.fixture
def two(tmp_path, monkeypatch, capsys):
    print("made")
    assert capsys.readouterr().out == "made\\n"
    return 2
@pytest.mark.parametrize("x", [0, 1])
def test_cases(x): assert double(x) == 2 * x
class TestGroup:
    def test_inner(self, two): assert double(two) == 4
class Old(unittest.TestCase):
    def setUp(self): self.x = 0
    def test_old(self): self.assertEqual(double(self.x), 0)
    @unittest.skip("not now")
    def test_skipped(self): pass
@pytest.mark.xfail
def test_expected(): assert double(1) == 2
`,
    });
    const coverage = await trials.coverage({ signal: calm });
    expect(trials.way).toBe("warm");
    const { tests } = await cell.runTests({ signal: calm });
    const reported = tests.filter(({ state }) => state === "passed" || state === "failed");
    expect(statesOf(coverage)).toEqual(Object.fromEntries(reported.map(({ name, state }) => [name, state])));
    expect(Object.keys(statesOf(coverage))).toHaveLength(4);
    const [outcome] = await trials.tryAll([[{ path: "double.py", content: "def double(x):\n    return x * 2\n" }]], {
      tests: testsOf(coverage),
      signal: calm,
    });
    expect(outcome).toMatchObject({ passes: true });
  });

  it("load a conftest.py anew for each version where it loads the program", async () => {
    const { trials } = await openTrials({
      ...python,
      "conftest.py":
        "import pytest\nimport clamp\n\n@pytest.fixture\ndef lowest():\n    return clamp.clamp(-5, 0, 9)\n",
      "test_clamp.py": `${python["test_clamp.py"]}\ndef test_fixture(lowest):\n    assert lowest == 0\n`,
    });
    expect(trials.way).toBe("warm");
    expect(await tryOne(trials, "clamp.py", right)).toMatchObject({ fixed: { length: 2 }, passes: true });
  });

  it("cut a test that never ends in the program as it stands, and tell what it executed until then", async () => {
    const { trials } = await openTrials({
      "count.py": "def count(n):\n    i = 0\n    while i < n:\n        i -= 1\n    return i\n",
      "test_count.py":
        "from count import count\n\ndef test_some():\n    assert count(3) == 3\n\ndef test_none():\n    assert count(0) == 0\n",
    });
    const coverage = await trials.coverage({ signal: calm });
    expect(statesOf(coverage)).toEqual({ "test_count.py::test_none": "passed", "test_count.py::test_some": "failed" });
    expect(linesOf(coverage, "test_count.py::test_some")).toEqual({ "count.py": [1, 2, 3, 4] });
    expect(linesOf(coverage, "test_count.py::test_none")).toEqual({ "count.py": [1, 2, 3, 5] });
    expect(await tryOne(trials, "count.py", "def count(n):\n    return n\n")).toMatchObject({ passes: true });
  });

  it("know a test that takes long, and does end, from one that never does", async () => {
    const { trials } = await openTrials({
      "count.py": "def count(n):\n    return sum(1 for _ in range(n)) + (n == 3)\n",
      "test_count.py":
        "from count import count\n\ndef test_many():\n    assert count(25_000_000) == 25_000_000\n\ndef test_few():\n    assert count(3) == 3\n",
    });
    expect(trials.way).toBe("warm");
    const right = "def count(n):\n    return sum(1 for _ in range(n))\n";
    expect(await tryOne(trials, "count.py", right)).toMatchObject({ passes: true });
  });

  it("find what keeps a program from ever being loaded", async () => {
    const { trials } = await openTrials({ ...python, "clamp.py": `n = 3\nwhile n != 0:\n    n += 1\n${right}` });
    expect(trials.way).toBe("warm");
    const coverage = await trials.coverage({ signal: calm });
    expect(coverage.map(({ state, lines }) => [state, lines])).toEqual(
      Array.from({ length: 3 }, () => ["failed", { "clamp.py": [1, 2, 3] }]),
    );
    expect(await tryOne(trials, "clamp.py", right)).toMatchObject({ fixed: { length: 3 }, passes: true });
  });

  it("take their names from the report where the program does not load, and what loading it executed", async () => {
    const { trials } = await openTrials({ ...python, "clamp.py": `LIMIT = 9\nLEAST = LIMITS[0]\n${right}` });
    const coverage = await trials.coverage({ signal: calm });
    expect(trials.way).toBe("warm");
    expect(coverage.map(({ state, lines }) => [state, lines])).toEqual(
      Array.from({ length: 3 }, () => ["failed", { "clamp.py": [1, 2] }]),
    );
    expect(await tryOne(trials, "clamp.py", right)).toMatchObject({ fixed: { length: 3 }, passes: true });
  });

  it("try every failing test, also after one that takes too long or leaves", async () => {
    const { trials } = await openTrials({
      "three.py": "def first(): pass\ndef second(): pass\ndef third(): pass\n",
      "test_three.py":
        "import three\ndef test_first(): assert three.first() == 1\ndef test_second(): assert three.second() == 2\ndef test_third(): assert three.third() == 3\n",
    });
    const version = "import os\ndef first():\n    while True: pass\ndef second(): os._exit(0)\ndef third(): return 3\n";
    expect(await tryOne(trials, "three.py", version)).toEqual({
      fixed: ["test_three.py::test_third"],
      passes: false,
      stopped: "limit",
    });
  });

  it("see no test that is held out, and tests from outside where a run sees them", async () => {
    const { trials } = await openTrials({ ...python, "hidden/test_secret.py": "SECRET = 1\n" }, (base) => {
      const outside = join(base, "outside");
      mkdirSync(outside);
      fill(outside, {
        "test_given.py": "from clamp import clamp\n\ndef test_given():\n    assert clamp(-5, 0, 9) == 0\n",
      });
      return { tests: [join(outside, "test_given.py")], heldOut: [join(base, "workspace/hidden")] };
    });
    const coverage = await trials.coverage({ signal: calm });
    expect(statesOf(coverage)).toEqual({ "test_given.py::test_given": "failed" });
    const spy = `import os\nfound = [name for top in ("/workspace", "/loopwright", "/tmp") for _, _, names in os.walk(top) for name in names if name == "test_secret.py"]\ndef clamp(*_): return 1 if found else 0\n`;
    expect(await tryOne(trials, "clamp.py", spy)).toMatchObject({ passes: true });
  });
});
