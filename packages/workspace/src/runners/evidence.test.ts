import { describe, expect, it } from "vitest";
import { errorWith, parentReport, tailOf } from "./evidence.ts";
import { nodeRunner } from "./node.ts";
import { pytestRunner } from "./pytest.ts";
import type { Evidence, RunnerRun } from "./types.ts";
import { vitestRunner } from "./vitest.ts";

const canaries = [
  { name: "test_x", fails: true },
  { name: "test_y", fails: true },
  { name: "test_z", fails: false },
];
const file = "/workspace/test_a.py";
const run: RunnerRun = {
  files: [{ path: "test_a.py", inside: file, source: "" }],
  workspace: "/workspace",
  guards: "/guards",
  reports: "/reports",
  canaries,
  isolated: true,
  folder: "/nowhere",
  configuration: [],
  loadsPlugins: false,
};
const failing = '<failure message="m">why</failure>';
const report = (...cases: string[]) => `<testsuites>${cases.join("")}</testsuites>`;

function evidence(told: unknown, { code = 0, output = "" } = {}): Evidence {
  return { code, output, report: (name) => (name === "report.json" ? JSON.stringify(told) : undefined) };
}

describe("the report of the tested processes' parent", () => {
  it("is believed only where it lived to write it", () => {
    expect(parentReport(evidence({ a: 1 }))).toEqual({ a: 1 });
    for (const code of [1, 137, null]) expect(parentReport({ ...evidence({ a: 1 }), code })).toBeUndefined();
    for (const text of [undefined, "", "{"])
      expect(parentReport({ code: 0, output: "", report: () => text })).toBeUndefined();
  });
});

describe("what pytest's evidence comes to", () => {
  const testcase = (id: string, inner = "") =>
    `<testcase name="n"><properties><property name="loopwright_nodeid" value="${id}"/></properties>${inner}</testcase>`;
  const ids = [`${file}::test_one`, ...canaries.map(({ name }) => `/guards/test_x.py::${name}`)];
  const ours = canaries.map(({ fails }, index) => testcase(ids[index + 1]!, fails ? failing : ""));
  const whole = report(testcase(ids[0]!), ...ours);
  const told = (xml: string, { code = 1, collected = ids, status = 0 } = {}) =>
    evidence({ [file]: { said: JSON.stringify({ xml, collected, code }), status } }, { output: "Traceback" });
  const read = (given: Evidence) => pytestRunner.read(given, run);

  it("is results where everything agrees, without the tests of our own", () => {
    expect(read(told(whole))).toMatchObject({ tests: [{ name: "test_a.py::test_one", state: "passed" }] });
  });

  it.each([
    ["the parent was killed", { ...told(whole), code: 137 }, "without a report\nTraceback"],
    ["a file's process ended with another code", told(whole, { status: 256 }), "without a report"],
    ["a file's process said nothing", evidence({ [file]: { said: "", status: 0 } }), "without a report"],
    ["a file is not spoken of", evidence({}), "without a report"],
    ["the report is truncated", told(whole.slice(0, -9)), "truncated"],
    ["a test of ours that must fail passed", told(whole.replace(failing, "")), "tampered with"],
    [
      "a test of ours that must pass failed",
      told(whole.replace(ours[2]!, testcase(ids[3]!, failing))),
      "tampered with",
    ],
    ["a test of ours was skipped", told(whole.replace(failing, "<skipped/>")), "tampered with"],
    ["a test of ours is gone", told(report(testcase(ids[0]!), ours[0]!)), "tampered with"],
    ["all tests are gone", told(report(), { collected: [], code: 5 }), "tampered with"],
    ["pytest itself said that all is well", told(whole, { code: 0 }), "belies"],
    [
      "a collected test was never reported",
      told(whole, { collected: [...ids, `${file}::test_two`] }),
      "never reported",
    ],
    [
      "a file could not be collected",
      told(report('<testcase name="test_a"><error message="collection failure">E  why</error></testcase>'), {
        code: 2,
      }),
      "could not be collected:\nE  why",
    ],
  ] as [string, Evidence, string][])("is a fault where %s", (_, given, words) => {
    expect(read(given).fault).toContain(words);
  });

  it("takes a test that passed and broke at its end for failed", () => {
    const broken = testcase(ids[0]!) + testcase(ids[0]!, '<error message="teardown">why</error>');
    expect(read(told(whole.replace(testcase(ids[0]!), broken))).tests).toEqual([
      { name: "test_a.py::test_one", state: "failed", failure: "why" },
    ]);
  });
});

describe("what node --test's evidence comes to", () => {
  const inside = "/workspace/a.test.ts";
  const ours: RunnerRun = { ...run, files: [{ path: "a.test.ts", inside, source: "" }] };
  const own = canaries.map(({ name, fails }) => `<testcase name="${name}">${fails ? failing : ""}</testcase>`);
  const xml = report('<testcase name="one"/>', ...own);
  const told = (more: object = {}) => evidence({ [inside]: { xml, seen: 4, ended: 4, errors: "", ...more } });
  const read = (given: Evidence) => nodeRunner.read(given, ours);

  it("is results where everything agrees", () => {
    expect(read(told())).toEqual({ tests: [{ name: "a.test.ts > one", state: "passed" }] });
  });

  it.each([
    ["the parent was killed", { ...told(), code: 137 }, "without a report"],
    ["a file is not spoken of", evidence({}), "without a report"],
    ["a file never summed up its tests", told({ ended: 0 }), "its process was left"],
    ["a file had no tests", told({ xml: report(...own), seen: 3, ended: 3 }), "its process was left"],
    ["fewer tests were seen than there were", told({ ended: 5 }), "its process was left"],
    ["a test of ours passed", told({ xml: xml.replace(failing, "") }), "tampered with"],
    ["a test of ours is gone", told({ xml: report('<testcase name="one"/>') }), "tampered with"],
  ] as [string, Evidence, string][])("is a fault where %s", (_, given, words) => {
    expect(read(given).fault).toContain(words);
  });
});

describe("what vitest's evidence comes to", () => {
  const inside = "/workspace/a.test.ts";
  const ours: RunnerRun = { ...run, files: [{ path: "a.test.ts", inside, source: "" }] };
  const testcase = (name: string, inner = "") => `<testcase classname="a.test.ts" name="${name}">${inner}</testcase>`;
  const own = canaries.map(({ name, fails }) => testcase(name, fails ? failing : ""));
  const xml = report(testcase("one"), ...own);
  const read = (told: object, asked = ours) => {
    const group = { root: "/workspace", files: asked.files.map((file) => file.inside), xml, errors: [], ...told };
    return vitestRunner.read(evidence({ groups: [group] }), asked);
  };

  it("is results where everything agrees", () => {
    expect(read({})).toEqual({ tests: [{ name: "a.test.ts > one", state: "passed" }] });
  });

  it.each([
    ["there is no report", { xml: null }, "without a report"],
    ["errors were met outside the tests", { errors: [{ message: "no" }] }, "outside its tests"],
    ["errors were met in a file's process", { errors: [{ file: inside, message: "no" }] }, "outside its tests: no"],
    ["a test of ours passed", { xml: xml.replace(failing, "") }, "tampered with"],
    ["a file has no tests of ours", { xml: report(testcase("one")) }, "tampered with"],
  ])("is a fault where %s", (_, told, words) => {
    expect(read(told).fault).toContain(words);
  });

  describe("where each file answers for itself", () => {
    const other = { path: "b.test.ts", inside: "/workspace/b.test.ts", source: "" };
    const both: RunnerRun = { ...ours, files: [...ours.files, other], isLenient: true };
    const states = (told: object) => read(told, both).tests?.map(({ name, state }) => `${name} ${state}`);

    it.each<[string, object]>([
      [
        "does not load",
        {
          xml: report(
            testcase("one"),
            ...own,
            '<testcase classname="b.test.ts" name="b.test.ts"><error message="no"/></testcase>',
          ),
        },
      ],
      ["has errors outside of its tests", { errors: [{ file: other.inside, message: "no" }] }],
    ])("is a failed test of its name where a file %s", (_, told) => {
      expect(states(told)).toEqual(["a.test.ts > one passed", "b.test.ts failed"]);
    });

    it("leaves out a file that the configuration leaves out", () => {
      expect(states({})).toEqual(["a.test.ts > one passed"]);
    });

    it("is everyone's fault where the judge was tampered with, or nobody knows whose an error is", () => {
      expect(read({ xml: xml.replace(failing, "") }, both).fault).toContain("tampered with");
      expect(read({ errors: [{ message: "no" }] }, both).fault).toContain("outside its tests");
    });
  });
});

describe("words of a fault", () => {
  it("end with what the program last printed, if it printed anything", () => {
    expect(errorWith("It broke", " \n")).toBe("It broke");
    expect(errorWith("It broke", "why\n")).toBe("It broke\nwhy");
    expect(tailOf(`${"x".repeat(5_000)}the end`)).toMatch(/^…\nx+the end$/);
  });
});
