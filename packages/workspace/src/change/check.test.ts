import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { calm, openBench } from "../../../../test/fixtures/workspaces/workspace.ts";
import { checkChange, checkReach, type RunWith } from "./check.ts";

const right = "def add(a, b):\n    return a + b\n";
const tests = "from add import add\n\ndef test_add():\n    assert add(1, 2) == 3\n";
const codes = async (...given: Parameters<typeof checkChange>) => (await checkChange(...given)).map(({ code }) => code);

it("a change is what differs from the user's files, and files in place of others leave nothing behind", async () => {
  const { cell, folder } = await openBench({ "add.py": "X = 1\n", "same.py": "Y = 1\n", "test_add.py": tests });
  await cell.writeFiles([
    { path: "add.py", content: right },
    { path: "new.py", content: "Z = 1\n" },
  ]);
  expect(await cell.changes()).toEqual([
    { path: "add.py", before: "X = 1\n", after: right },
    { path: "new.py", after: "Z = 1\n" },
  ]);
  const at = await cell.snapshot();
  const instead = [{ path: "add.py", content: "import os\nos.mkdir('left')\ndef add(a, b): return 0\n" }];
  expect((await cell.runTests({ instead, signal: calm })).tests).toMatchObject([{ state: "failed" }]);
  expect(readFileSync(join(folder, "add.py"), "utf8")).toBe(right);
  expect(await cell.snapshot()).toBe(at);
});

it("a run killed while files stand in place of others begins again from its snapshot", async () => {
  const { cell, folder, open } = await openBench({ "add.py": right, "test_add.py": tests });
  const at = await cell.snapshot();
  const abort = new AbortController();
  const instead = [{ path: "add.py", content: "import time\ntime.sleep(60)\n" }];
  const running = cell.runTests({ instead, signal: abort.signal });
  await expect.poll(() => readFileSync(join(folder, "add.py"), "utf8"), { timeout: 60_000 }).toContain("sleep");
  const next = await open(at);
  expect(readFileSync(join(folder, "add.py"), "utf8")).toBe(right);
  abort.abort(new Error("enough"));
  await expect(running).rejects.toThrow("enough");
  expect((await next.runTests({ signal: calm })).tests).toMatchObject([{ state: "passed" }]);
});

it("in an empty workspace every function is new, and tests that try none of them are found", async () => {
  const { cell } = await openBench();
  await cell.writeTests([{ path: "test_add.py", content: tests }]);
  await cell.writeFiles([{ path: "add.py", content: right }]);
  expect(await codes(cell, calm)).toEqual([]);
  await cell.writeTests([{ path: "test_add.py", content: "import add\n\ndef test_add():\n    assert add\n" }]);
  expect(await codes(cell, calm)).toEqual(["TESTS_DO_NOT_REACH_CHANGE"]);
});

it("a command that is one test is reached where it fails without the change, and not where it passes", async () => {
  const command = "python3 -c 'from add import add; assert add(1, 2) == 3'";
  for (const [runner, found] of [
    [command, []],
    ["python3 -c 'import add'", ["TESTS_DO_NOT_REACH_CHANGE"]],
  ] as const) {
    const { cell } = await openBench(
      { "add.py": "def add(a, b):\n    return a - b\n" },
      { runner: { command: runner } },
    );
    await cell.writeFiles([{ path: "add.py", content: right }]);
    expect(await codes(cell, calm, { files: [runner], counts: () => true })).toEqual(found);
  }
});

it("nothing is blocked where only data was changed", async () => {
  const { cell } = await openBench({
    "add.py": "RATE = 1\n",
    "test_add.py": "from add import RATE\ndef test_a(): assert RATE\n",
  });
  await cell.writeFiles([{ path: "add.py", content: "RATE = 2\n" }]);
  expect(await codes(cell, calm)).toEqual(["NO_FUNCTION_CHANGED"]);
});

it("a new module in the place of a library that tests judge by is found, and one that was there may grow", async () => {
  const { cell } = await openBench({ "mock/__init__.py": "", "test_add.py": tests });
  const write = async (path: string) => {
    await cell.writeFiles([{ path, content: "X = 1\n" }]);
    return codes(cell, calm);
  };
  expect(await write("mock/more.py")).toEqual(["NO_FUNCTION_CHANGED"]);
  expect(await write("src/hypothesis/strategies.py")).toEqual(["SHADOWS_LIBRARY"]);
});

describe("tests that pass", () => {
  const changes = [{ path: "m.py", after: "def patch():\n    pass\npatch()\ndef add(a, b):\n    return 7\n" }];
  const passing = { tests: [{ name: "t", state: "passed" as const }] };
  const failing = { tests: [{ name: "t", state: "failed" as const }, ...passing.tests] };

  /** A run of tests that goes by what the program is. */
  const reach = async (run: (program: string) => Awaited<ReturnType<RunWith>>, given = changes) =>
    (await checkReach(given, async ([file]) => run(file!.content))).map(({ code, severity }) => `${severity} ${code}`);

  it("reach a change where one of them fails without it, and not where they pass without it too", async () => {
    expect(await reach(() => failing)).toEqual([]);
    expect(await reach(() => passing)).toEqual(["hard TESTS_DO_NOT_REACH_CHANGE"]);
  });

  it("are tried with what is called while the program loads left as it is", async () => {
    const seen: string[] = [];
    const run = (program: string) => {
      seen.push(program);
      const mark = /def patch\(\):\n {4}raise BaseException\("(.*)"\)/.exec(program)?.[1];
      return mark === undefined ? passing : { tests: [], fault: `E  BaseException: ${mark}` };
    };
    expect(await reach(run)).toEqual(["hard TESTS_DO_NOT_REACH_CHANGE"]);
    expect(seen).toHaveLength(2);
    expect(seen[1]).toContain("def patch():\n    pass\n");
    expect(seen[1]).toContain("def add(a, b):\n    raise");
  });

  it("block nothing where it cannot be tried", async () => {
    expect(await reach(() => ({ tests: [], fault: "The tests were stopped" }))).toEqual(["soft REACH_UNKNOWN"]);
    expect(await reach(() => passing, [{ path: "m.py", after: "X = 1\n" }])).toEqual(["soft NO_FUNCTION_CHANGED"]);
    const all = (program: string) => ({ tests: [], fault: /body-\d+-taken-out/.exec(program)![0] });
    expect(await reach(all)).toEqual(["soft REACH_UNKNOWN"]);
  });
});
