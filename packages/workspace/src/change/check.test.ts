import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { calm, openBench } from "../../../../test/fixtures/workspaces/workspace.ts";
import { checkChange } from "./check.ts";

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

it("nothing is blocked where only data was changed", async () => {
  const { cell } = await openBench({
    "add.py": "RATE = 1\n",
    "test_add.py": "from add import RATE\ndef test_a(): assert RATE\n",
  });
  await cell.writeFiles([{ path: "add.py", content: "RATE = 2\n" }]);
  expect(await codes(cell, calm)).toEqual(["NO_FUNCTION_CHANGED"]);
});
