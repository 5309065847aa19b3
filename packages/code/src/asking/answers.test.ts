import { parseObject } from "@loopwright/models";
import { describe, expect, it } from "vitest";
import { amendForm, auditForm, planChangeReading, planForm, reviewForm } from "./answers.ts";

const tests = { filename: "test_a.py", content: "def test_a(): assert f()" };
const read = { path: "test_a.py", content: tests.content };
const plan = [{ file: "a.py", action: "create", functions: [] }];
const first = planForm({ isFirst: true, areGiven: false }).reading;
const later = planForm({ isFirst: false, areGiven: false, fallbackFile: "a.py" }).reading;
const reviewing = (fallbackFile?: string) => reviewForm({ canGiveUp: true, hasProof: true, fallbackFile }).reading;
const text = (value: unknown) => JSON.stringify(value);

describe("the answer of PLAN", () => {
  it("is read under other names too", () => {
    const answer = {
      test_file: { path: "./test_a.py", code: tests.content },
      implementation_plan: [{ path: "a.py", change: "create" }],
    };
    expect(parseObject(text(answer), first)).toEqual({ tests: read, plan });
  });

  it("says what is missing, and where, so that a model can fix it", () => {
    expect(() => parseObject(text({ plan }), first)).toThrow(
      "'tests': expected the tests, as { filename, content }, found nothing",
    );
    expect(() => parseObject(text({ tests, plan: [] }), first)).toThrow(
      /'plan': expected a list with at least one entry that names a file.*, found a list of 0/,
    );
    expect(() => parseObject(text({ tests: { ...tests, filename: "a.py" }, plan }), first)).toThrow(
      /'tests\.filename': expected .*test_NAME\.py/,
    );
    expect(() => parseObject(text({ tests: { ...tests, content: "\n" }, plan }), first)).toThrow(
      /'tests\.content': expected .*not empty/,
    );
    expect(() => parseObject(text({ tests: "def test_a(): pass", plan }), first)).toThrow(/'tests\.filename'/);
  });

  it("needs no tests later on; unusable ones count for nothing", () => {
    expect(parseObject(text({ plan }), later)).toEqual({ plan });
    expect(parseObject(text({ tests, plan }), later)).toEqual({ tests: read, plan });
    expect(parseObject(text({ tests: { filename: "/x", content: "x" }, plan }), later)).toEqual({ plan });
    expect(parseObject(text({ tests: { content: "x" }, plan }), later)).toEqual({
      tests: { path: "", content: "x" },
      plan,
    });
    expect(parseObject(text({ plan: ["go on"] }), later).plan).toEqual([
      { file: "a.py", action: "go on", functions: [] },
    ]);
  });

  it("is taken from prose and from a fence, but two that differ are refused", () => {
    const fenced = (value: unknown) => `Here:\n\`\`\`json\n${text(value)}\n\`\`\`\n`;
    expect(parseObject(`${fenced({ tests, plan })}Good luck.`, first)).toEqual({ tests: read, plan });
    const other = { tests, plan: [{ file: "b.py", action: "create" }] };
    expect(() => parseObject(fenced({ tests, plan }) + fenced(other), first)).toThrow("2 different JSON values");
  });
});

describe("the tests of a planned change", () => {
  const named = (filename: string) => () =>
    parseObject(text({ plan, tests: { ...tests, filename } }), planChangeReading);

  it("may be called as a program's own tests are", () => {
    for (const filename of ["test/camel.js", "spec/helpers/aSpec.rb", "src/a_test.go", "src/a.test.ts", "t/tests.rs"])
      expect(named(filename)().tests).toEqual({ path: filename, content: tests.content });
  });

  it.each(["index.js", "latest/a.js", "../test/a.js", "test/conftest.py", "test/package.json", ""])(
    "may not be %s",
    (filename) => expect(named(filename)).toThrow(/'tests\.filename': expected .*folder of tests/),
  );
});

describe("the answer of AUDIT", () => {
  it("has issues as sentences, and tests only where they have a text", () => {
    const issues = [{ test_name: "test_a", problem: "wrong", fix: "1" }, "also this", { problem: "no name" }, {}, 7];
    expect(parseObject(text({ tests_correct: false, issues, tests }), auditForm.reading)).toEqual({
      tests_correct: false,
      issues: ["test_a: wrong: it must read: 1", "also this", "no name", "7"],
      tests: read,
    });
    expect(
      parseObject(text({ tests_correct: false, issues: "none", tests: { content: " " } }), auditForm.reading),
    ).toEqual({
      tests_correct: false,
      issues: [],
    });
  });

  it.each([
    [true, true],
    ["True", true],
    ["false", false],
  ])("takes %j for %j", (said, meant) => {
    expect(parseObject(text({ tests_correct: said }), auditForm.reading).tests_correct).toBe(meant);
  });

  it.each([{}, { tests_correct: "maybe" }, { tests_correct: null }, []])("of %j is no answer", (value) => {
    expect(() => parseObject(text(value), auditForm.reading)).toThrow("does not fit");
  });
});

describe("the answer of REVIEW", () => {
  it("has a diagnosis, a plan and the code in it", () => {
    const answer = { root_cause: "off by one", changes: [{ file: "a.py", action: "mend", code: "x" }] };
    expect(parseObject(text(answer), reviewing(undefined))).toEqual({
      ...{ diagnosis: "off by one", complete: false },
      plan: [{ file: "a.py", action: "mend", functions: [] }],
      code: [{ file: "a.py", code: "x" }],
    });
  });

  it("may lack a usable plan, or a diagnosis, but not both", () => {
    expect(parseObject(text({ diagnosis: "d" }), reviewing("a.py"))).toEqual({
      ...{ diagnosis: "d", complete: false, plan: [], code: [] },
    });
    expect(parseObject(text({ plan }), reviewing("a.py"))).toMatchObject({ diagnosis: "", plan });
    expect(() => parseObject(text({ mood: "good" }), reviewing("a.py"))).toThrow("'diagnosis': expected the cause");
  });
});

describe("the answer of AMEND", () => {
  it("is a diagnosis, an addition that may be empty, and one of three words", () => {
    const answer = { diagnosis: "d", dk_addition: " a ", confidence: "High" };
    expect(parseObject(text(answer), amendForm.reading)).toEqual({
      diagnosis: "d",
      dk_addition: "a",
      confidence: "high",
    });
    expect(parseObject(text({ ...answer, dk_addition: null }), amendForm.reading).dk_addition).toBe("");
    expect(parseObject(text({ ...answer, dk_addition: "" }), amendForm.reading).dk_addition).toBe("");
  });

  it.each([{ dk_addition: "a" }, { dk_addition: "a", confidence: "0.9" }, { confidence: "high" }])(
    "of %j is no answer",
    (value) => {
      expect(() => parseObject(text(value), amendForm.reading)).toThrow("does not fit");
    },
  );
});
