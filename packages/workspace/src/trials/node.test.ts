import { describe, expect, it } from "vitest";
import {
  linesOf,
  openTrials,
  rightScript,
  SLOW,
  script,
  statesOf,
  testsOf,
  tryOne,
} from "../../../../test/fixtures/workspaces/trials.ts";
import { calm } from "../../../../test/fixtures/workspaces/workspace.ts";

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
