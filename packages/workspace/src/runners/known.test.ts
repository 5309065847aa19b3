import { describe, expect, it } from "vitest";
import { errorWith, knownRunner, tailOf } from "./known.ts";
import type { RunnerRun } from "./types.ts";

const files = ["a", "b"].map((name) => ({ path: `${name}.test.ts`, inside: `/somewhere/${name}.test.ts`, source: "" }));
const [one, other] = files.map(({ inside }) => inside) as [string, string];
const passed = { tests: [{ name: "group > adds", state: "passed", failure: "" }] };
const whole = { files: { [one]: passed, [other]: { tests: [{ name: "no", state: "failed", failure: "why\n" }] } } };

/** What a report of the tested processes' parent comes to. */
function read(report: unknown, more: Partial<RunnerRun> = {}, code: number | null = 0) {
  const text = typeof report === "string" ? report : JSON.stringify(report);
  const evidence = { code, output: "Traceback", report: () => text, left: () => undefined };
  return knownRunner("vitest").read(evidence, { files, ...more } as RunnerRun);
}

describe("the report of the tested processes' parent", () => {
  it("is results by the names of their files", () => {
    expect(read(whole).tests).toEqual([
      { name: "a.test.ts > group > adds", state: "passed" },
      { name: "b.test.ts > no", state: "failed", failure: "why" },
    ]);
  });

  it.each<[string, unknown, string, (number | null)?]>([
    ["its parent was killed", whole, "vitest ended without a report\nTraceback", 137],
    ["its parent was stopped", whole, "without a report", null],
    ["it is empty", "", "without a report"],
    ["it is truncated", "{", "without a report"],
    ["it has another form", { files: { [one]: { tests: [{ name: "adds", state: "fine" }] } } }, "without a report"],
    ["a file is not spoken of", { files: { [one]: passed } }, "vitest ended without a report"],
    ["something went wrong with all", { ...whole, fault: "errors" }, "errors\nTraceback"],
    [
      "a file does not load",
      { files: { [one]: passed, [other]: { broken: "no module" } } },
      "could not be collected:\nno module",
    ],
    [
      "something went wrong with a file",
      { files: { [one]: passed, [other]: { fault: `${other} was left`, output: "last words" } } },
      "b.test.ts was left\nlast words",
    ],
  ])("is a fault where %s", (_, report, words, code) => {
    const { fault } = read(report, {}, code);
    expect(fault).toContain(words);
    expect(fault).not.toContain("/somewhere");
  });

  it("has a file that cannot be run be a failed test of its name where each answers for itself", () => {
    const broken = { files: { [one]: { ...passed, loaded: ["a.ts"] }, [other]: { broken: "no module" } } };
    expect(read(broken, { isLenient: true })).toEqual({
      tests: [
        { name: "a.test.ts > group > adds", state: "passed" },
        { name: "b.test.ts", state: "failed", failure: "no module" },
      ],
      loaded: { "a.test.ts": ["a.ts"] },
    });
    expect(read({ ...broken, fault: "errors" }, { isLenient: true }).fault).toContain("errors");
  });

  it("numbers a name that comes again, and cuts the middle out of long words", () => {
    const again = { name: "same", state: "failed", failure: "x".repeat(5_000) };
    const { tests } = read({ files: { [one]: { tests: [again, again] }, [other]: {} } });
    expect(tests?.map(({ name }) => name)).toEqual(["a.test.ts > same", "a.test.ts > same (2)"]);
    expect(tests?.[0]?.failure).toMatch(/^x{1000}\n… 3000 characters left out …\nx{1000}$/);
  });
});

describe("words of a fault", () => {
  it("end with what the program last printed, if it printed anything", () => {
    expect(errorWith("It broke", " \n")).toBe("It broke");
    expect(errorWith("It broke", "why\n")).toBe("It broke\nwhy");
    expect(tailOf(`${"x".repeat(5_000)}the end`)).toMatch(/^…\nx+the end$/);
  });
});
