import { describe, expect, it } from "vitest";
import { calm, fill, openBench } from "../../../../test/fixtures/workspaces/workspace.ts";
import type { TestReport } from "../options.ts";

const states = ({ tests }: TestReport) => Object.fromEntries(tests.map(({ name, state }) => [name, state]));

const test = `import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
import { mul } from "./mul.ts";

test("multiplies", () => { assert.equal(mul(2, 3), 6); });
describe("zero", () => { it("stays zero", () => { assert.equal(mul(0, 3), 0); }); });
`;
const right = "export const mul = (a: number, b: number): number => a * b;\n";
const wrong = "export const mul = (a: number, b: number): number => 7;\n";

async function judge(files: Record<string, string>, tests: Record<string, string> = { "mul.test.ts": test }) {
  const { cell, folder } = await openBench();
  await cell.writeTests(Object.entries(tests).map(([path, content]) => ({ path, content })));
  fill(folder, files);
  return cell.runTests({ signal: calm });
}

describe("node --test", () => {
  it("passes a right program in TypeScript, from an empty workspace, on our own Node", async () => {
    const report = await judge({ "mul.ts": right });
    expect(report).toMatchObject({ runner: "node --test", failureLines: "" });
    expect(states(report)).toEqual({
      "mul.test.ts > multiplies": "passed",
      "mul.test.ts > zero > stays zero": "passed",
    });
  });

  it("says how each test of a wrong one fails, without the runner's own frames", async () => {
    const report = await judge({ "mul.ts": wrong });
    expect(states(report)).toEqual({
      "mul.test.ts > multiplies": "failed",
      "mul.test.ts > zero > stays zero": "failed",
    });
    expect(report.failureLines).toContain("7 !== 6");
    expect(report.failureLines).toContain("mul.test.ts:5");
    expect(report.failureLines).not.toContain("node:internal");
  });

  it("tells skipped and expected failures apart, and numbers a name that occurs twice", async () => {
    const source = `import { test } from "node:test";
test("same", () => {});
test("same", () => { throw new Error("second"); });
test("waits", { skip: "not now" }, () => {});
test("some day", { todo: true }, () => { throw new Error("not yet"); });
test("holds others", async (t) => { await t.test("child", () => {}); });
`;
    expect(states(await judge({}, { "a.test.ts": source }))).toEqual({
      "a.test.ts > same": "passed",
      "a.test.ts > same (2)": "failed",
      "a.test.ts > waits": "skipped",
      "a.test.ts > some day": "xfailed",
      "a.test.ts > holds others > child": "passed",
    });
  });

  it("runs several files, and keeps their tests apart", async () => {
    const one = 'import { test } from "node:test";\ntest("same", () => {});\n';
    expect(states(await judge({}, { "a.test.ts": one, "deep/b.test.js": one }))).toEqual({
      "a.test.ts > same": "passed",
      "deep/b.test.js > same": "passed",
    });
  });

  it("names every test before anyone has written a line, as failed, and says why", async () => {
    const report = await judge({});
    expect(report.fault).toContain("Cannot find module");
    expect(states(report)).toEqual({
      "mul.test.ts > multiplies": "failed",
      "mul.test.ts > zero > stays zero": "failed",
    });
  });

  it("counts a group that fails by itself, and no group that holds tests", async () => {
    const source = `import { describe, it, test } from "node:test";
describe("empty", () => {});
describe("thrown", () => { throw new Error("in the group"); });
test("fails after its child", async (t) => { await t.test("child", () => {}); throw new Error("in the end"); });
test("fails by its child", async (t) => { await t.test("child", () => { throw new Error("in the child"); }); });
`;
    const report = await judge({}, { "a.test.ts": source });
    expect(states(report)).toEqual({
      "a.test.ts > thrown": "failed",
      "a.test.ts > fails after its child > child": "passed",
      "a.test.ts > fails after its child": "failed",
      "a.test.ts > fails by its child > child": "failed",
    });
    expect(report.failureLines).toContain("in the end");
  });
});
