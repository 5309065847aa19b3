import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { faultWith, sealedStatement, tailOf } from "./evidence.ts";
import { nodeRunner } from "./node.ts";
import { pytestRunner } from "./pytest.ts";
import type { Evidence, RunnerRun } from "./types.ts";

const nonce = "0123456789abcdef0123";
const run: RunnerRun = {
  files: [{ path: "test_a.py", inside: "/workspace/test_a.py", source: "" }],
  workspace: "/workspace",
  guards: "/guards",
  reports: "/reports",
  nonce,
  folder: "/nowhere",
  configuration: [],
  loadsPlugins: false,
};

function evidence(xml: string, facts: unknown, { code = 1, by = nonce, output = "" } = {}): Evidence {
  const text = JSON.stringify(facts);
  const seal = createHmac("sha256", by).update(text).update("\n").update(xml).digest("hex");
  const files: Record<string, string> = { "report.xml": xml, "statement.json": JSON.stringify({ facts: text, seal }) };
  return { code, output, report: (name) => files[name] };
}

describe("a sealed statement", () => {
  it("is believed only with the seal of the nonce over these facts and this report", () => {
    expect(sealedStatement(evidence("<a/>", { n: 1 }), nonce, "<a/>")).toEqual({ n: 1 });
    expect(sealedStatement(evidence("<a/>", { n: 1 }), nonce, "<b/>")).toBeUndefined();
    expect(sealedStatement(evidence("<a/>", { n: 1 }, { by: "guessed" }), nonce, "<a/>")).toBeUndefined();
    for (const text of [
      undefined,
      "",
      "{",
      "null",
      '{"facts":"{}"}',
      '{"facts":"{}","seal":""}',
      '{"facts":1,"seal":"00"}',
    ]) {
      expect(sealedStatement({ code: 0, output: "", report: () => text }, nonce, "<a/>")).toBeUndefined();
    }
  });
});

describe("what pytest's evidence comes to", () => {
  const canary = `/guards/test_${nonce.slice(0, 12)}.py`;
  const testcase = (id: string, inner = "") =>
    `<testcase name="n"><properties><property name="loopwright_nodeid" value="${id}"/></properties>${inner}</testcase>`;
  const failing = '<failure message="m">why</failure>';
  const ids = ["/workspace/test_a.py::test_one", `${canary}::test_x`, `${canary}::test_y`];
  const report = (...cases: string[]) => `<testsuites>${cases.join("")}</testsuites>`;
  const whole = report(testcase(ids[0]!), testcase(ids[1]!, failing), testcase(ids[2]!, failing));
  const facts = { collected: ids, code: 1 };
  const read = (given: Evidence) => pytestRunner.read(given, run);

  it("is results where everything agrees, without the tests of our own", () => {
    expect(read(evidence(whole, facts))).toEqual({ tests: [{ name: "test_a.py::test_one", state: "passed" }] });
  });

  it.each([
    ["the report is missing", { code: 1, output: "Traceback", report: () => undefined }, "without a report\nTraceback"],
    ["the report is torn", evidence(whole.slice(0, -9), facts), "torn"],
    ["the seal is another's", evidence(whole, facts, { by: "guessed" }), "cannot be believed"],
    ["a test of ours passed", evidence(whole.replace(failing, ""), facts), "tampered with"],
    ["a test of ours was skipped", evidence(whole.replace(failing, "<skipped/>"), facts), "tampered with"],
    ["a test of ours is gone", evidence(report(testcase(ids[0]!), testcase(ids[1]!, failing)), facts), "tampered with"],
    ["all tests are gone", evidence(report(), { collected: [], code: 5 }, { code: 5 }), "tampered with"],
    ["the process says that all is well", evidence(whole, facts, { code: 0 }), "belies"],
    ["pytest itself said that all is well", evidence(whole, { ...facts, code: 0 }), "belies"],
    [
      "a collected test was never reported",
      evidence(whole, { ...facts, collected: [...ids, "/workspace/test_a.py::test_two"] }),
      "never reported",
    ],
    [
      "a file could not be collected",
      evidence(report('<testcase name="test_a"><error message="collection failure">E  why</error></testcase>'), facts, {
        code: 2,
      }),
      "could not be collected:\nE  why",
    ],
  ] as [string, Evidence, string][])("is a fault where %s", (_, given, words) => {
    expect(read(given).fault).toContain(words);
  });

  it("takes a test that passed and broke at its end for failed", () => {
    const broken = whole.replace(
      testcase(ids[0]!),
      testcase(ids[0]!) + testcase(ids[0]!, '<error message="teardown">why</error>'),
    );
    expect(read(evidence(broken, facts)).tests).toEqual([
      { name: "test_a.py::test_one", state: "failed", failure: "why" },
    ]);
  });
});

describe("what node --test's evidence comes to", () => {
  const file = "/workspace/a.test.ts";
  const ours: RunnerRun = { ...run, files: [{ path: "a.test.ts", inside: file, source: "" }] };
  const xml = `<testsuites><testcase name="one" file="${file}"/></testsuites>`;
  const facts = { ended: { [file]: 1 }, seen: { [file]: 1 }, failed: false };
  const read = (given: Evidence) => nodeRunner.read(given, ours);

  it("is results where everything agrees", () => {
    expect(read(evidence(xml, facts, { code: 0 }))).toEqual({ tests: [{ name: "a.test.ts > one", state: "passed" }] });
  });

  it.each([
    ["the report is missing", { code: 0, output: "", report: () => undefined }, "without a report"],
    ["the seal is another's", evidence(xml, facts, { code: 0, by: "guessed" }), "cannot be believed"],
    ["a file never summed up its tests", evidence(xml, { ...facts, ended: {} }, { code: 0 }), "its process was left"],
    [
      "a file had no tests",
      evidence(xml, { ...facts, ended: { [file]: 0 }, seen: {} }, { code: 0 }),
      "its process was left",
    ],
    [
      "fewer tests were seen than there were",
      evidence(xml, { ...facts, ended: { [file]: 2 } }, { code: 0 }),
      "its process was left",
    ],
    ["the exit code says another thing", evidence(xml, facts, { code: 1 }), "belies"],
    [
      "a failure was seen, and the exit code says that all is well",
      evidence(xml, { ...facts, failed: true }, { code: 0 }),
      "belies",
    ],
  ] as [string, Evidence, string][])("is a fault where %s", (_, given, words) => {
    expect(read(given).fault).toContain(words);
  });
});

describe("words of a fault", () => {
  it("end with what the program last printed, if it printed anything", () => {
    expect(faultWith("It broke", " \n")).toBe("It broke");
    expect(faultWith("It broke", "why\n")).toBe("It broke\nwhy");
    expect(tailOf(`${"x".repeat(5_000)}the end`)).toMatch(/^…\nx+the end$/);
  });
});
