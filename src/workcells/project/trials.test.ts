import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { calm, fill, openBench } from "../../../test/fixtures/workspaces/workspace.ts";
import { isFaithful } from "./trials.ts";
import type { TestCoverage, TrialOutcome, Trials } from "./trials-types.ts";
import type { ProjectCellOptions } from "./workspace-options.ts";

const SLOW = { timeout: 90_000 };

async function openTrials(
  files: Record<string, string>,
  options: Partial<ProjectCellOptions> | ((base: string) => Partial<ProjectCellOptions>) = {},
  workers = 1,
) {
  const bench = await openBench(files, options);
  const trials = await bench.cell.openTrials({ signal: calm, workers });
  onTestFinished(() => trials[Symbol.asyncDispose]());
  return { ...bench, trials };
}

const testsOf = (coverage: readonly TestCoverage[]) => ({
  failing: coverage.filter(({ state }) => state === "failed").map(({ test }) => test),
  passing: coverage.filter(({ state }) => state === "passed").map(({ test }) => test),
});
const statesOf = (coverage: readonly TestCoverage[]) =>
  Object.fromEntries(coverage.map(({ test, state }) => [test, state]));
const linesOf = (coverage: readonly TestCoverage[], test: string) => coverage.find((each) => each.test === test)?.lines;

/** The outcome of one version of one file. */
async function tryOne(trials: Trials, path: string, content: string): Promise<TrialOutcome> {
  const tests = testsOf(await trials.coverage({ signal: calm }));
  return (await trials.tryAll([[{ path, content }]], { tests, signal: calm }))[0]!;
}

const python = {
  "clamp.py":
    "def clamp(x, low, high):\n    if x < low:\n        return high\n    if x > high:\n        return high\n    return x\n",
  "test_clamp.py":
    "from clamp import clamp\n\ndef test_low():\n    assert clamp(-5, 0, 9) == 0\n\ndef test_high():\n    assert clamp(50, 0, 9) == 9\n\ndef test_between():\n    assert clamp(5, 0, 9) == 5\n",
};
const right = python["clamp.py"].replace("return high", "return low");

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

const script = {
  "clamp.ts":
    "export function clamp(x: number, low: number, high: number): number {\n  if (x < low) {\n    return high;\n  }\n  if (x > high) return high;\n  return x;\n}\n\nexport function unused(): void {\n  console.log(1);\n}\n",
  "clamp.test.ts": `
import assert from "node:assert/strict";
import test, { describe, it } from "node:test";
import { clamp } from "./clamp.ts";

test("low", () => assert.equal(clamp(-5, 0, 9), 0));
describe("within", () => {
  it("is the same", () => assert.equal(clamp(5, 0, 9), 5));
  it("is the same", async () => assert.equal(clamp(6, 0, 9), 6));
});
test("parts", async (t) => {
  await t.test("high", () => assert.equal(clamp(50, 0, 9), 9));
  await t.test("lowest", () => assert.equal(clamp(-50, 0, 9), 0));
});
test("skipped", { skip: true }, () => {});
`,
};
const rightScript = script["clamp.ts"].replace("return high", "return low");

describe("Trials of a TypeScript program", SLOW, () => {
  it("tell which lines each test executes, by the names that reports give", async () => {
    const { trials, cell } = await openTrials(script);
    expect(trials.way).toBe("warm");
    const coverage = await trials.coverage({ signal: calm });
    const { tests } = await cell.runTests({ signal: calm });
    const reported = tests.filter(({ state }) => state !== "skipped");
    expect(statesOf(coverage)).toEqual(Object.fromEntries(reported.map(({ name, state }) => [name, state])));
    expect(linesOf(coverage, "clamp.test.ts > low")).toEqual({ "clamp.ts": [1, 2, 3, 9] });
    expect(linesOf(coverage, "clamp.test.ts > within > is the same (2)")).toEqual({ "clamp.ts": [1, 2, 5, 6, 9] });
  });

  it("tell what is fixed, what is broken, what does not load and what never ends", async () => {
    const { trials } = await openTrials(script, {}, 2);
    const tests = testsOf(await trials.coverage({ signal: calm }));
    const failing = ["clamp.test.ts > low", "clamp.test.ts > parts > lowest"];
    expect(tests.failing).toEqual(failing);
    const contents = [
      rightScript,
      script["clamp.ts"],
      rightScript.replace("return x", "return x + 1"),
      "export function clamp(x: number {",
      'import "./nothing.ts";\n',
      "export function clamp() { for (;;) {} }\n",
      "export const clamp = (x: number) => (x === -5 ? 0 : -1);\n",
    ];
    const outcomes = await trials.tryAll(
      contents.map((content) => [{ path: "clamp.ts", content }]),
      { tests, signal: calm },
    );
    const broke = "clamp.test.ts > within > is the same";
    expect(outcomes).toEqual([
      { fixed: failing, passes: true },
      { fixed: [], passes: false },
      { fixed: failing, broke, passes: false },
      { fixed: [], passes: false, stopped: "unloadable" },
      { fixed: [], passes: false, stopped: "unloadable" },
      { fixed: [], passes: false, stopped: "limit" },
      { fixed: [failing[0]], broke, passes: false },
    ]);
  });

  it("cut a test that never ends in the program as it stands, and tell what it executed until then", async () => {
    const { trials } = await openTrials({
      "count.mjs": "export function count(n) {\n  let i = 0;\n  while (i !== n) {\n    i -= 1;\n  }\n  return i;\n}\n",
      "count.test.mjs":
        'import test from "node:test";\nimport assert from "node:assert";\nimport { count } from "./count.mjs";\ntest("some", () => assert.equal(count(3), 3));\ntest("none", () => assert.equal(count(0), 0));\n',
    });
    const coverage = await trials.coverage({ signal: calm });
    expect(statesOf(coverage)).toEqual({ "count.test.mjs > some": "failed", "count.test.mjs > none": "passed" });
    expect(linesOf(coverage, "count.test.mjs > some")).toEqual({ "count.mjs": [1, 2, 3, 4] });
    expect(linesOf(coverage, "count.test.mjs > none")).toEqual({ "count.mjs": [1, 2, 3, 6] });
    expect(await tryOne(trials, "count.mjs", "export const count = (n) => n;\n")).toMatchObject({ passes: true });
  });

  it("serve several files, CommonJS, hooks, mocks and promises that nobody settles", async () => {
    const { trials } = await openTrials({
      "package.json": '{ "type": "commonjs" }\n',
      "queue.cts": "const queue = { add: async (x: number): Promise<number> => x + 2 };\nmodule.exports = { queue };\n",
      "a.test.mts":
        'import { test, before, mock } from "node:test";\nimport assert from "node:assert";\nimport { queue } from "./queue.cts";\nlet one = 0;\nbefore(() => { one = 1; });\ntest("adds", async () => assert.equal(await queue.add(one), 2));\ntest("mocks", () => { const f = mock.fn(() => 7); assert.equal(f(), 7); assert.equal(f.mock.callCount(), 1); });\n',
      "b.test.cts":
        'const { test } = require("node:test");\nconst assert = require("node:assert");\nconst { queue } = require("./queue.cts");\ntest("adds too", async () => assert.equal(await queue.add(1), 2));\n',
    });
    expect(trials.way).toBe("warm");
    const tests = testsOf(await trials.coverage({ signal: calm }));
    expect(tests.failing).toEqual(["a.test.mts > adds", "b.test.cts > adds too"]);
    const version = (body: string) => [
      { path: "queue.cts", content: `const queue = { add: ${body} };\nmodule.exports = { queue };\n` },
    ];
    const outcomes = await trials.tryAll(
      [version("async (x: number) => x + 1"), version("() => new Promise(() => {})"), version("(x: number) => 2")],
      { tests, signal: calm },
    );
    expect(outcomes).toEqual([
      { fixed: tests.failing, passes: true },
      { fixed: [], passes: false, stopped: "limit" },
      { fixed: tests.failing, passes: true },
    ]);
  });

  it("take their names from the report where the program does not load", async () => {
    const { trials } = await openTrials({ ...script, "clamp.ts": `export const least = limits[0];\n${rightScript}` });
    expect(trials.way).toBe("warm");
    expect(await tryOne(trials, "clamp.ts", rightScript)).toMatchObject({ passes: true });
  });
});

describe("Trials", SLOW, () => {
  it("run the runner itself where there is no warm worker for it", async () => {
    const command = "python3 -m pytest -q -p no:cacheprovider --junitxml=report.xml test_clamp.py";
    const { trials, folder } = await openTrials(python, { runner: { command, junit: "report.xml" } }, 2);
    expect(trials.way).toBe("whole");
    const coverage = await trials.coverage({ signal: calm });
    expect(coverage.map(({ state, lines }) => [state, Object.keys(lines), lines["clamp.py"]?.length])).toEqual([
      ["failed", ["clamp.py"], 7],
      ["passed", ["clamp.py"], 7],
      ["passed", ["clamp.py"], 7],
    ]);
    const versions = [right, python["clamp.py"], "def clamp(*_): return 0\n", "def clamp(\n"];
    const outcomes = await trials.tryAll(
      versions.map((content) => [{ path: "clamp.py", content }]),
      { tests: testsOf(coverage), signal: calm },
    );
    expect(outcomes.map(({ passes, fixed, broke, stopped }) => [passes, fixed.length, broke ?? stopped])).toEqual([
      [true, 1, undefined],
      [false, 0, undefined],
      [false, 1, "test_clamp::test_high"],
      [false, 0, undefined],
    ]);
    expect(readdirSync(folder).sort()).toEqual(["clamp.py", "test_clamp.py"]);
  });

  it("run the runner itself where a warm worker tells something else", async () => {
    const { trials } = await openTrials({
      ...script,
      "clamp.test.ts": `${script["clamp.test.ts"]}\ntest("is a process", () => { process.chdir("/"); });\n`,
    });
    expect(trials.way).toBe("whole");
  });

  it("leave nothing behind when they are disposed of, and nothing of the workspace is changed", async () => {
    const files = { ...python, "data/big.bin": "x".repeat(100_000), ".hidden": "1" };
    const { base, folder, cell } = await openBench(files);
    const before = listing(folder);
    const trials = await cell.openTrials({ signal: calm, workers: 2 });
    const tests = testsOf(await trials.coverage({ signal: calm }));
    const version = [{ path: "clamp.py", content: `open("made", "w").close()\n${right}` }];
    await trials.tryAll([version, version, version], { tests, signal: calm });
    await trials[Symbol.asyncDispose]();
    expect(listing(folder)).toEqual(before);
    expect(readdirSync(join(base, "state")).filter((name) => name.startsWith("trials"))).toEqual([]);
    await expect(trials.tryAll([version], { tests, signal: calm })).rejects.toThrow("ended");
  });

  it("end at once when they are aborted, reject with the reason, and can be asked again", async () => {
    const { trials } = await openTrials(python, {}, 2);
    const tests = testsOf(await trials.coverage({ signal: calm }));
    const endless = Array.from({ length: 40 }, () => [
      { path: "clamp.py", content: "import time\ndef clamp(*_): time.sleep(0.4)\n" },
    ]);
    const abort = new AbortController();
    const trying = trials.tryAll(endless, { tests, signal: abort.signal });
    setTimeout(() => abort.abort(new Error("enough")), 700);
    const startedAt = performance.now();
    await expect(trying).rejects.toThrow("enough");
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    const [outcome] = await trials.tryAll([[{ path: "clamp.py", content: right }]], { tests, signal: calm });
    expect(outcome).toMatchObject({ passes: true });
  });

  it("do not open where the signal is aborted, and end with it", async () => {
    const { cell, base } = await openBench(python);
    await expect(cell.openTrials({ signal: AbortSignal.abort(new Error("too late")) })).rejects.toThrow("too late");
    const abort = new AbortController();
    const opening = cell.openTrials({ signal: abort.signal, workers: 1 });
    setTimeout(() => abort.abort(new Error("no more")), 200);
    await expect(opening).rejects.toThrow("no more");
    expect(readdirSync(join(base, "state")).filter((name) => name.startsWith("trials"))).toEqual([]);
  });

  it("tell the same whatever the number of workers and the order of versions", async () => {
    const files = {
      "pick.py": "def pick(words):\n    return sorted(set(words))[0]\n",
      "test_pick.py":
        "from pick import pick\n\ndef test_pick():\n    assert pick(['b', 'a', 'c', 'd']) == 'c'\n\ndef test_one():\n    assert pick(['a']) == 'a'\n",
    };
    // Which word a set gives first goes by a seed.
    const bodies = ["list(set(words))[0]", "list(set(words))[-1]", "max(words)", "words[2 % len(words)]", "nothing"];
    const versions = bodies.map((body) => [{ path: "pick.py", content: `def pick(words):\n    return ${body}\n` }]);
    const runs: TrialOutcome[][] = [];
    for (const workers of [1, 2]) {
      const { trials } = await openTrials(files, {}, workers);
      const tests = testsOf(await trials.coverage({ signal: calm }));
      runs.push(await trials.tryAll(versions, { tests, signal: calm }));
      const backwards = await trials.tryAll(versions.toReversed(), { tests, signal: calm });
      runs.push(backwards.reverse());
    }
    for (const run of runs) expect(run).toEqual(runs[0]);
    expect(runs[0]!.map(({ passes }) => passes)[3]).toBe(true);
  });

  it("see installed packages where they lie, read-only, without a copy", async () => {
    const { trials, folder, base } = await openTrials({
      ...script,
      "node_modules/tool/package.json": '{ "name": "tool", "type": "module", "exports": "./index.js" }\n',
      "node_modules/tool/index.js": "export const tool = 1;\n",
      "clamp.test.ts": `import { tool } from "tool";\nvoid tool;\n${script["clamp.test.ts"]}`,
    });
    expect(trials.way).toBe("warm");
    const harm = `import fs from "node:fs";\ntry { fs.rmSync("/workspace/node_modules/tool", { recursive: true }); } catch {}\n${rightScript}`;
    expect(await tryOne(trials, "clamp.ts", harm)).toMatchObject({ passes: true });
    expect(existsSync(join(folder, "node_modules/tool/index.js"))).toBe(true);
    const copies = readdirSync(join(base, "state")).find((name) => name.startsWith("trials"))!;
    expect(readdirSync(join(base, "state", copies, "pristine/node_modules"))).toEqual([]);
  });

  it("remove what a killed process has left", async () => {
    const { cell, base } = await openBench(python);
    const left = join(base, "state/trials-999999999-0");
    mkdirSync(left, { recursive: true });
    writeFileSync(join(left, "x"), "");
    const trials = await cell.openTrials({ signal: calm, workers: 1 });
    await trials[Symbol.asyncDispose]();
    expect(existsSync(left)).toBe(false);
  });
});

describe("Whether a warm worker can be believed", () => {
  const test = (name: string, state: "passed" | "failed") => ({ name, state, cpu: 0, ms: 0 });
  const report = (tests: ReturnType<typeof test>[], fault?: string) => ({
    runner: "pytest",
    tests,
    failureLines: "",
    ms: 1,
    ...(fault === undefined ? {} : { fault }),
  });
  const [a, b] = [test("a", "passed"), test("b", "failed")];

  it("is whether it says of every test what the runner says", () => {
    expect(isFaithful({ tests: [a, b], load: 0 }, report([b, a]))).toBe(true);
    expect(isFaithful({ tests: [a, b], load: 0 }, report([a, test("b", "passed")]))).toBe(false);
    expect(isFaithful({ tests: [a], load: 0 }, report([a, b]))).toBe(false);
    expect(isFaithful({ tests: [a, b], load: 0 }, report([a, test("c", "failed")]))).toBe(false);
  });

  it("is whether both find that the program does not load", () => {
    expect(isFaithful({ tests: [], load: 0, end: "unloadable" }, report([a], "cannot be collected"))).toBe(true);
    expect(isFaithful({ tests: [], load: 0, end: "unloadable" }, report([a]))).toBe(false);
    expect(isFaithful({ tests: [a], load: 0 }, report([a], "cannot be collected"))).toBe(false);
    expect(isFaithful({ tests: [], load: 0, end: "unloadable" }, report([], "nothing"))).toBe(false);
  });

  it("is taken for granted where a test had to be cut and the runner did not end either", () => {
    expect(isFaithful({ tests: [{ ...b, cut: true }], load: 0 }, report([b], "does not end"))).toBe(true);
    expect(isFaithful({ tests: [b], load: 0 }, report([b], "does not end"))).toBe(false);
  });
});

/** Everything of a folder, with times. */
function listing(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const { mode, mtimeMs, ctimeMs, size } = lstatSync(join(folder, name));
      return [name, mode, mtimeMs, ctimeMs, size].join(" ");
    });
}
