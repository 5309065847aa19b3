import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fakeJest } from "../../../../test/fixtures/workspaces/fake-jest.ts";
import { calm, fill, openBench, temporaryFolder } from "../../../../test/fixtures/workspaces/workspace.ts";
import type { TestReport } from "../options.ts";

const installed = process.env.LOOPWRIGHT_JEST;
const states = ({ tests }: TestReport) => Object.fromEntries(tests.map(({ name, state }) => [name, state]));
const isGreen = ({ fault, tests }: TestReport) =>
  fault === undefined && tests.length > 0 && tests.every(({ state }) => state === "passed");

const source = `const { mul } = require("../mul");
describe("group", () => {
  it("holds", () => { expect(mul(2, 3)).toBe(6); });
  it("fails", () => { expect(mul(2, 2)).toBe(5); });
  it.skip("waits", () => {});
});
`;
const right = "exports.mul = (a, b) => a * b;\n";

/** A cell on a workspace with jest in it. */
async function open(files: Readonly<Record<string, string>>) {
  const workspace = temporaryFolder();
  fill(workspace, { "package.json": '{ "scripts": { "test": "jest" } }', ...files });
  if (installed === undefined) fill(workspace, fakeJest);
  else symlinkSync(installed, join(workspace, "node_modules"));
  return (await openBench({}, { workspace })).cell;
}

async function judge(files: Readonly<Record<string, string>>, isSuite = false) {
  const cell = await open(files);
  return cell.runTests({ ...(isSuite && { suite: true as const }), signal: calm });
}

describe("jest", () => {
  it("gives each test's state by a stable name, and why one fails", async () => {
    const report = await judge({ "__tests__/mul.js": source, "mul.js": right });
    expect(report).toMatchObject({ runner: "jest" });
    expect(report.fault).toBeUndefined();
    expect(states(report)).toEqual({
      "__tests__/mul.js > group > holds": "passed",
      "__tests__/mul.js > group > fails": "failed",
      "__tests__/mul.js > group > waits": "skipped",
    });
    expect(report.failureLines).toContain("Expected: 5\nReceived: 4");
    expect(report.failureLines).not.toMatch(/loopwright\/guards|jest-circus/);
  });

  it("is started where the nearest configuration is, with no flags that the tested program would see", async () => {
    const test =
      'test("here", () => { expect(process.cwd()).toBe(__dirname); expect(process.execArgv.length).toBe(0); });\n';
    const report = await judge({ "packages/a/a.test.js": test, "packages/a/jest.config.json": "{}" });
    expect(isGreen(report)).toBe(true);
  });

  it("has one broken file of many be one failed test of its name", async () => {
    const files = { "a.test.js": 'test("a", () => { expect(1).toBe(1); });\n', "b.test.js": 'require("./gone");\n' };
    const report = await judge(files, true);
    expect(states(report)).toEqual({ "a.test.js > a": "passed", "b.test.js": "failed" });
    expect(report.failureLines).toMatch(/FAILED b\.test\.js\n[\s\S]*gone/);
    expect((await judge(files)).fault).toContain("could not be collected");
  });
});
