import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openSandbox } from "@loopwright/sandbox";
import { describe, expect, it } from "vitest";
import { calm, fill, openBench, temporaryFolder } from "../../../../test/fixtures/workspaces/workspace.ts";
import type { TestReport, TestResult } from "../options.ts";
import { knownRunner } from "./known.ts";
import { settleFinding } from "./run.ts";
import type { TestFile } from "./types.ts";

const states = ({ tests }: TestReport) => Object.fromEntries(tests.map(({ name, state }) => [name, state]));

describe("results before they are believed", () => {
  const settle = (tests: TestResult[], files: TestFile[], text = "") =>
    settleFinding({ tests }, { runner: knownRunner("pytest"), files, configuration: { "pytest.ini": text } });

  const file = {
    path: "test_a.py",
    inside: "/workspace/test_a.py",
    source: "def test_a(): assert f()\ndef test_b(): assert f()\n",
  };

  it("must hold every test that a file declares", async () => {
    const tests = [{ name: "test_a.py::test_a", state: "passed" as const }];
    expect(await settle(tests, [file])).toEqual({
      fault: "1 tests that the test files declare were never reported: test_a.py::test_b",
    });
    expect(await settle(tests, [file], "[pytest]\naddopts = -k test_a")).toEqual({ tests });
    expect(await settle([], [])).toEqual({ fault: "no test was collected" });
  });

  it("count a skip that no test file asks for as a failure", async () => {
    const tests = [
      { name: "test_a.py::test_a", state: "skipped" as const, failure: "because" },
      { name: "test_a.py::test_b[1]", state: "xfailed" as const },
    ];
    const settled = await settle(tests, [file]);
    expect(settled.tests?.map(({ state }) => state)).toEqual(["failed", "failed"]);
    expect(settled.tests?.[0]?.failure).toContain("The tested code skipped this test");
    const skipping = { ...file, source: `${file.source}import pytest # pytest.skip` };
    expect((await settle(tests, [skipping])).tests).toEqual(tests);
  });
});

describe("vitest", () => {
  const modules = fileURLToPath(new URL("../../../../node_modules", import.meta.url));
  const source = `import { describe, expect, it } from "vitest";
import { mul } from "./mul.ts";
describe("group", () => {
  it("holds", () => { expect(mul(2, 3)).toBe(6); });
  it("fails", () => { expect(mul(2, 2)).toBe(5); });
  it.skip("waits", () => {});
});
`;

  it("has one broken file of many be one failed test of its name, under the configuration that is nearest", async () => {
    const cell = await open({
      "packages/a/vitest.config.ts":
        "export default { define: { WHERE: JSON.stringify('a') }, test: { globals: true } };\n",
      "packages/a/a.test.ts": "test('a', () => { expect(WHERE).toBe('a'); });\n",
      "packages/b/b.test.ts":
        'import { it, expect } from "vitest";\nit("b", () => { expect(typeof WHERE).toBe("undefined"); });\n',
      "packages/b/broken.test.ts": 'import "./gone.ts";\n',
    });
    const report = await cell.runTests({ suite: true, signal: calm });
    expect(states(report)).toEqual({
      "packages/a/a.test.ts > a": "passed",
      "packages/b/b.test.ts > b": "passed",
      "packages/b/broken.test.ts": "failed",
    });
    expect(report.failureLines).toContain("gone.ts");
  });

  it("is run under the workspace's own configuration, in the projects that it describes", async () => {
    const project = (name: string) =>
      `{ test: { name: "${name}", include: ["${name}/*.test.ts"], globals: true, env: { WHO: "${name}" } } }`;
    const test = (name: string) => `test("who", () => { expect(process.env.WHO).toBe("${name}"); });\n`;
    const cell = await open({
      "vitest.config.ts": `import { join } from "node:path";\nconst here: string = join(__dirname, "x");\nexport default { define: { HERE: JSON.stringify(here) }, test: { projects: [${project("one")}, ${project("two")}, "packages/*"] } };\n`,
      "one/a.test.ts": test("one"),
      "two/b.test.ts": test("two"),
      "packages/c/vitest.config.ts": 'export default { test: { globals: true, env: { WHO: "c" } } };\n',
      "packages/c/c.test.ts": test("c"),
    });
    expect(states(await cell.runTests({ suite: true, signal: calm }))).toEqual({
      "one/a.test.ts > who": "passed",
      "two/b.test.ts > who": "passed",
      "packages/c/c.test.ts > who": "passed",
    });
  });

  async function open(files: Readonly<Record<string, string>> = {}) {
    const sandbox = await openSandbox("bwrap", { readOnly: [modules] });
    const base = temporaryFolder();
    const workspace = join(base, "own");
    mkdirSync(workspace);
    fill(workspace, files);
    symlinkSync(modules, join(workspace, "node_modules"));
    return (await openBench({}, { workspace, sandbox })).cell;
  }

  it("gives each test's state by a stable name, and why one fails", async () => {
    const cell = await open();
    await cell.writeTests([{ path: "m.test.ts", content: source }]);
    await cell.writeFiles([{ path: "mul.ts", content: "export const mul = (a: number, b: number) => a * b;\n" }]);
    const report = await cell.runTests({ signal: calm });
    expect(report).toMatchObject({ runner: "vitest" });
    expect(report.fault).toBeUndefined();
    expect(states(report)).toEqual({
      "m.test.ts > group > holds": "passed",
      "m.test.ts > group > fails": "failed",
      "m.test.ts > group > waits": "skipped",
    });
    expect(report.failureLines).toContain("expected 4 to be 5");
  });

  it.each([
    ["does not load", "export const other = 1; throw new Error('no')", "no"],
    ["leaves the process", "process.exit(0); export const mul = 1;", "process.exit"],
  ])("is a fault where the tested code %s", async (_, content, words) => {
    const cell = await open();
    await cell.writeTests([{ path: "m.test.ts", content: source }]);
    await cell.writeFiles([{ path: "mul.ts", content }]);
    const report = await cell.runTests({ signal: calm });
    expect(report.fault).toContain(words);
    expect(report.tests.every(({ state }) => state === "failed")).toBe(true);
  });
});

describe("a command that writes JUnit XML", () => {
  const runner = { command: "sh check.sh", report: "out/report.xml" };
  const script = (inner: string, code = 0) =>
    `mkdir -p out; printf '%s' '<testsuites>${inner}</testsuites>' > out/report.xml; exit ${code}\n`;

  async function run(text: string, more: Record<string, string> = {}) {
    const { cell } = await openBench({ "check.sh": text, ...more }, { runner });
    return cell.runTests({ signal: calm });
  }

  it("is read for its tests", async () => {
    const report = await run(
      script('<testcase classname="c" name="a"/><testcase name="b"><failure>why</failure></testcase>', 1),
    );
    expect(report).toMatchObject({ runner: "sh check.sh", failureLines: "FAILED b\nwhy" });
    expect(states(report)).toEqual({ "c::a": "passed", b: "failed" });
  });

  it.each([
    ["writes none", "exit 0\n", "ended without a report"],
    ["writes a truncated one", "mkdir -p out; printf '<testsuites><testcase' > out/report.xml\n", "truncated"],
    ["writes one without tests", script(""), "no test was collected"],
    ["says that all is well, and fails", script('<testcase name="a"/>', 1), "which its report belies"],
    ["reports a failure, and says that all is well", script('<testcase name="a"><failure/></testcase>', 0), "belies"],
    ["leaves a link in its place", "mkdir -p out; ln -s /etc/hostname out/report.xml\n", "ended without a report"],
    ["leaves a pipe in its place", "mkdir -p out; mkfifo out/report.xml\n", "ended without a report"],
  ])("is a fault where it %s", async (_, text, words) => {
    expect((await run(text)).fault).toContain(words);
  });

  it("names and skips its tests as it will, whatever test files are there", async () => {
    const report = await run(script('<testcase name="a"/><testcase name="b"><skipped/></testcase>'), {
      "test_other.py": "def test_other(): assert f()\n",
    });
    expect(states(report)).toEqual({ a: "passed", b: "skipped" });
  });

  it("is one test by its own name where it writes none: its exit code decides, and what it printed last says why", async () => {
    const check = async (text: string) => {
      const { cell } = await openBench({ "check.sh": text }, { runner: { command: "sh check.sh" } });
      return cell.runTests({ suite: true, signal: calm });
    };
    expect(states(await check("echo fine\n"))).toEqual({ "sh check.sh": "passed" });
    expect(await check("echo one is two >&2; exit 3\n")).toMatchObject({
      tests: [{ name: "sh check.sh", state: "failed", failure: "one is two\nexit code 3" }],
    });
    const { tests } = await check("echo ok 1 - adds; echo not ok 2 - divides; echo ok 3 - rounds; exit 1\n");
    expect(tests[0]!.failure).toBe("not ok 2 - divides\nexit code 1");
    expect((await check("no-such-program\n")).fault).toMatch(/^'sh check.sh' could not be run: .*not found\n/);
  });

  it("does not believe a report from before", async () => {
    const stale = '<testsuites><testcase name="a"/></testsuites>';
    expect((await run("exit 0\n", { "out/report.xml": stale })).fault).toContain("ended without a report");
  });
});
