import { describe, expect, it } from "vitest";
import { calm, fill, openBench } from "../../../../test/fixtures/workspaces/workspace.ts";
import type { TestReport } from "../cell.ts";
import { nodeFailure } from "./node.ts";

const states = ({ tests }: TestReport) => Object.fromEntries(tests.map(({ name, state }) => [name, state]));
const isGreen = ({ fault, tests }: TestReport) =>
  fault === undefined && tests.length > 0 && tests.every(({ state }) => state === "passed");

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

  it("finds the cause in a failure's text", () => {
    const text =
      "[Error] {\n  code: 'X',\n  cause: AssertionError: 1 !== 2\n      at file.ts:1:1\n      at Test.run (node:internal/x:1:1)\n";
    expect(nodeFailure({ message: "m", text })).toBe("AssertionError: 1 !== 2\n      at file.ts:1:1");
    expect(nodeFailure({ message: "only this", text: "" })).toBe("only this");
  });
});

describe("no node --test run is passed by", () => {
  it.each<[string, Record<string, string>]>([
    ["process.exit(0) at import", { "mul.ts": `process.exit(0);\n${wrong}` }],
    ["process.exit(0) in a test", { "mul.ts": "export const mul = (): number => process.exit(0);\n" }],
    ["process.exit(0) once its tests are declared", { "mul.ts": `setTimeout(() => process.exit(0), 0);\n${wrong}` }],
    [
      "process.exit(0) in the middle",
      { "mul.ts": "let n = 0; export const mul = () => { if (n++) process.exit(0); return 6; };\n" },
    ],
    [
      "process.reallyExit",
      { "mul.ts": `(process as unknown as { reallyExit(n: number): void }).reallyExit(0);\n${wrong}` },
    ],
    ["process.abort", { "mul.ts": `process.abort();\n${wrong}` }],
    ["killing the runner", { "mul.ts": `process.kill(process.ppid, "SIGKILL");\n${wrong}` }],
    [
      "an assert that holds its peace",
      {
        "mul.ts": `import assert from "node:assert"; import strict from "node:assert/strict";
for (const each of [assert, strict, assert.strict] as any[]) for (const name of Object.keys(each)) { try { each[name] = () => {}; } catch {} }
${wrong}`,
      },
    ],
    [
      "an assert whose exports are exchanged",
      {
        "mul.ts": `import { createRequire, syncBuiltinESMExports } from "node:module";
const assert = createRequire("/workspace/x.js")("node:assert/strict");
try { Object.defineProperty(assert, "equal", { value: () => {} }); } catch {}
syncBuiltinESMExports();
${wrong}`,
      },
    ],
    [
      "a forged report",
      {
        "mul.ts": `import { writeFileSync } from "node:fs";
const xml = '<testsuites><testcase name="multiplies" file="/workspace/mul.test.ts"/></testsuites>';
writeFileSync("/loopwright/reports/report.xml", xml);
writeFileSync("/loopwright/reports/statement.json", JSON.stringify({ facts: "{}", seal: "00" }));
process.kill(process.ppid, "SIGKILL");
export const mul = 1;
`,
      },
    ],
    ["a package.json", { "mul.ts": wrong, "package.json": '{ "imports": {}, "type": "commonjs" }' }],
    [
      "a module in place of the library's",
      { "mul.ts": wrong, "node_modules/node:assert/strict.js": "export default { equal() {} }" },
    ],
    [
      "a rejection that no one sees",
      { "mul.ts": "export const mul = () => { Promise.reject(new Error('x')); return NaN; };\n" },
    ],
  ])("%s", async (_, files) => {
    const report = await judge(files);
    expect(isGreen(report)).toBe(false);
  });
});
