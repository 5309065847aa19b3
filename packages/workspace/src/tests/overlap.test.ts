import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fill, openBench, calm as signal, temporaryFolder } from "../../../../test/fixtures/workspaces/workspace.ts";
import type { TestReport } from "../options.ts";
import { givenTests, type WorkspaceSettings, workspaceSettings } from "../settings.ts";
import { readTests } from "./files.ts";

const right = "def add(a, b):\n    return a + b\n";
const test = "from add import add\n\ndef test_add():\n    assert add(1, 2) == 3\n";
const hidden = "from add import add\n\ndef test_hidden():\n    assert add(5, 5) == 10\n";
const files = { "tests/test_add.py": test, "tests/conftest.py": "", "tests/test_x.py": hidden };
const states = ({ tests }: TestReport) => Object.fromEntries(tests.map(({ name, state }) => [name, state]));

describe("a held-out test in a folder of given ones", () => {
  it.each([
    ["in the workspace", "workspace/"],
    ["outside of it", ""],
  ])("is none of them, %s: it is shown to no one, run on its own, and not taken in again", async (_, place) => {
    const bench = await openBench({ "add.py": right, ...(place !== "" && files) }, (base) => {
      if (place === "") fill(base, files);
      return { tests: [join(base, `${place}tests`)], heldOut: [join(base, `${place}tests/test_x.py`)] };
    });
    const { cell, base } = bench;
    const tests = join(base, `${place}tests`);
    const except = [join(tests, "test_x.py")];
    expect(states(await cell.runTests({ signal }))).toEqual({ "tests/test_add.py::test_add": "passed" });
    expect(Object.values(states(await cell.runTests({ signal, heldOut: true })))).toEqual(["passed"]);
    const [found] = await cell.runCommands(["grep -rl test_hidden . /loopwright 2>/dev/null; true"]);
    expect(found!.done?.output).toBe("");
    const known = await readTests([tests], join(base, "workspace"), { except });
    expect(known.map(({ path }) => path)).toEqual(["tests/test_add.py"]);
    expect(await cell.takeTests(known)).toBeUndefined();
    expect(await cell.listFiles()).not.toContain("tests/test_x.py");
  });
});

describe("the flags --tests and --held-out", () => {
  function settings(tests: string[], heldOut: string[]): { base: string; settings: () => WorkspaceSettings } {
    const base = temporaryFolder();
    fill(base, files);
    mkdirSync(join(base, "workspace"));
    const list = (flag: string) => (flag === "tests" ? tests : heldOut).map((path) => join(base, path));
    const context = { dir: base, text: () => undefined, isSet: () => false, list };
    return { base, settings: () => workspaceSettings(context, {}, { workspace: "workspace" }) };
  }

  it("give a model the tests that are not held out", async () => {
    const { settings: read } = settings(["tests"], ["tests/test_x.py"]);
    const { tests, held_out } = await givenTests(read());
    expect(tests).toEqual([{ path: "tests/test_add.py", content: test }]);
    expect(held_out).toBe(true);
  });

  it("refuse a file in which nothing is tested, before anything is run", () => {
    for (const other of ["notes.md", "tests/conftest.py"]) {
      const { base, settings: read } = settings(["tests/test_add.py"], [other]);
      fill(base, { "notes.md": "A test of patience.\n" });
      expect(read).toThrow(`${join(base, other)} is no test that a runner knows`);
    }
  });

  it("refuse to hold out every test that is given", async () => {
    const { settings: read } = settings(["tests"], ["tests/test_add.py", "tests/test_x.py"]);
    await expect(givenTests(read())).rejects.toThrow("nothing is left of --tests once --held-out is taken out of it");
  });

  it.each([
    [["tests"], ["tests"], "is given and held out"],
    [["tests/test_x.py"], ["tests"], /test_x\.py is given, and lies in \S+tests, which is held out/],
  ])("refuse %j held out by %j", (tests, heldOut, words) => {
    const { settings: read } = settings(tests, heldOut);
    expect(read).toThrow(words);
  });
});
