import { describe, expect, it } from "vitest";
import { extractReviewCode, normalizePlan } from "./plan-entries.ts";

const f = { name: "f", signature: "def f(a)", pseudocode: "return a" };

describe("a plan", () => {
  it("in the form that was asked for is taken as it is", () => {
    const plan = [{ file: "a.py", action: "create", functions: [f] }];
    expect(normalizePlan(plan)).toEqual(plan);
  });

  it.each([
    ["path and description", [{ path: "a.py", description: "create", methods: [f] }]],
    ["other cases and separators", [{ "File-Path": "a.py", Action: "create", Functions: [f] }]],
    ["a dot before the path", [{ filename: "./a.py", operation: "create", functions: [f] }]],
    ["one entry alone", { file: "a.py", action: "create", functions: [f] }],
    ["a list under a name", { steps: [{ file: "a.py", action: "create", functions: [f] }] }],
    ["entries under their files", { "a.py": { action: "create", functions: [f] } }],
    ["one function alone", [{ file: "a.py", action: "create", functions: f }]],
    ["functions under their names", [{ file: "a.py", action: "create", functions: { f } }]],
    [
      "aliases of a function's keys",
      [{ file: "a.py", action: "create", functions: [{ function_name: "f", sig: "def f(a)", steps: ["return a"] }] }],
    ],
    [
      "two entries for one file",
      [
        { file: "a.py", action: "create" },
        { file: "a.py", functions: [f] },
      ],
    ],
  ])("is understood with %s", (_what, plan) => {
    expect(normalizePlan(plan)).toEqual([{ file: "a.py", action: "create", functions: [f] }]);
  });

  it("gives an entry without a file the fallback file", () => {
    expect(normalizePlan(["do it", { action: "and this" }], "b.py")).toEqual([
      { file: "b.py", action: "do it\nand this", functions: [] },
    ]);
    expect(normalizePlan(["do it", { action: "and this" }])).toEqual([]);
  });

  it.each([
    [
      "test files, which the implementer cannot write",
      [{ file: "test_a.py" }, { file: "src/a.test.ts" }, { file: "TEST_A.py" }],
    ],
    [
      "paths that leave the workspace",
      [{ file: "/etc/x" }, { file: "../x.py" }, { file: "a/../../x.py" }, { file: "C:\\x.py" }, { file: "a\\b" }],
    ],
    ["paths with control characters, or without end", [{ file: "a\nb" }, { file: "x".repeat(401) }]],
    ["what is no entry", [7, null, true, [], "", "  "]],
    ["nothing", undefined],
    ["a number", 7],
    ["an empty text", ""],
    ["entries that say nothing", [{}, { action: "" }]],
  ])("leaves out %s", (_what, plan) => {
    expect(normalizePlan(plan)).toEqual([]);
  });

  it("leaves out test files and what says nothing even where there is a fallback", () => {
    expect(normalizePlan([{ file: "test_a.py", action: "x" }, {}, 7], "b.py")).toEqual([]);
  });

  it("keeps names of functions where that is all there is", () => {
    const plan = normalizePlan([{ file: "a.py", functions: ["f", { signature: "def g()" }, 7, {}] }]);
    expect(plan[0]!.functions.map(({ name }) => name)).toEqual(["f", "def g()"]);
  });
});

describe("a review's code", () => {
  it("is an entry's own, else those of its functions together, by file", () => {
    const plan = [
      { file: "a.py", code: "A = 1" },
      {
        file: "b.py",
        functions: [
          { name: "f", code: "def f(): 1" },
          { name: "g", corrected_code: "def g(): 2" },
        ],
      },
      { file: "a.py", code: "B = 2" },
      { file: "c.py", action: "nothing to say" },
    ];
    expect(extractReviewCode(plan)).toEqual([
      { file: "a.py", code: "A = 1\n\nB = 2" },
      { file: "b.py", code: "def f(): 1\n\ndef g(): 2" },
    ]);
  });

  it("goes to the fallback file where none is named, and never to a test file", () => {
    const plan = [{ code: "x" }, { file: "test_a.py", code: "y" }, "words"];
    expect(extractReviewCode(plan, "a.py")).toEqual([{ file: "a.py", code: "x" }]);
    expect(extractReviewCode(plan)).toEqual([]);
  });
});
