import { describe, expect, it } from "vitest";
import { readBlocks } from "../asking/blocks.ts";
import { lookLines, lookTools, lookToText, MOST_REQUESTS, readCalls, readRequests } from "./requests.ts";

const one = (line: string, options?: { isList: boolean }) => readRequests([line], options).looks[0];
const block = (...lines: string[]) => `===LOOK===\n${lines.join("\n")}\n===END LOOK===\n`;

describe("a request", () => {
  it.each([
    ["READ src/a.py", { verb: "READ", what: "src/a.py" }],
    ["READ src/a.py:10-80", { verb: "READ", what: "src/a.py", from: 10, to: 80 }],
    ["READ src/a.py:80-10", { verb: "READ", what: "src/a.py", from: 10, to: 80 }],
    ["READ src/a.py:7", { verb: "READ", what: "src/a.py", from: 7, to: 7 }],
    ["READ src/a.py:7-", { verb: "READ", what: "src/a.py", from: 7 }],
    ["READ src/a.py#L7-L9", { verb: "READ", what: "src/a.py", from: 7, to: 9 }],
    ["READ src/a.py:0-3", { verb: "READ", what: "src/a.py", from: 1, to: 3 }],
    ["READ src/a.py:batch", { verb: "READ", what: "src/a.py", name: "batch" }],
    ["READ src/a.py::Shop.batch", { verb: "READ", what: "src/a.py", name: "Shop.batch" }],
    ["READ: `src/a.py`", { verb: "READ", what: "src/a.py" }],
    ["- read '/workspace/src/a.py'", { verb: "READ", what: "src/a.py" }],
    ["GREP def batch(", { verb: "GREP", what: "def batch(" }],
    ['GREP "def batch"', { verb: "GREP", what: "def batch" }],
    ["GREP a:b|c", { verb: "GREP", what: "a:b|c" }],
    ["LIST", { verb: "LIST", what: "." }],
    ["LIST .", { verb: "LIST", what: "." }],
    ["LIST ./src/shop/", { verb: "LIST", what: "src/shop" }],
    ["LIST /workspace", { verb: "LIST", what: "." }],
    ["RUN tests/test_a.py::test_b[x y]", { verb: "RUN", what: "tests/test_a.py::test_b[x y]" }],
    ["RUN", { verb: "RUN", what: "all" }],
  ])("is read: %s", (line, look) => {
    expect(one(line)).toEqual(look);
    expect(one(lookToText(one(line)!))).toEqual(look);
  });

  it.each(["", "READ", "READ :3", "GREP", "READING a.py", "DELETE a.py", `READ ${"a".repeat(600)}`])(
    "is none: %s",
    (line) => {
      const { looks, problems } = readRequests([line]);
      expect(looks).toEqual([]);
      expect(problems).toHaveLength(line === "" ? 0 : 1);
    },
  );

  it("in a list may be a path alone, as planners wrote it before", () => {
    expect(one("deep/far.py:away", { isList: true })).toEqual({ verb: "READ", what: "deep/far.py", name: "away" });
    expect(one("GREP away", { isList: true })).toEqual({ verb: "GREP", what: "away" });
  });
});

it("of many requests the first eight are taken, two runs at most, each once, and the model is told of the others", () => {
  const reads = Array.from({ length: 20 }, (_, n) => `READ a${n}.py`);
  const many = readRequests(reads);
  expect(many.looks).toHaveLength(MOST_REQUESTS);
  expect(many.problems[0]).toContain(
    "Not answered, as one answer may ask for 8 things, 2 runs among them: READ a8.py;",
  );
  const runs = readRequests(["RUN a", "RUN b", "RUN a", "RUN c", "READ x"]);
  expect(runs.looks.map(lookToText)).toEqual(["RUN a", "RUN b", "READ x"]);
  expect(runs.problems[0]).toContain("RUN c");
});

describe("in an answer", () => {
  it("requests stand in a block, whatever stands around it", () => {
    expect(lookLines(`I must see it.\n\n${block("READ a.py", "GREP b")}Then.`, { mayBeBare: true })).toEqual([
      "READ a.py",
      "GREP b",
    ]);
  });

  it("a block that is not closed counts, and so does an answer that is nothing but requests", () => {
    expect(lookLines("===LOOK===\nREAD a.py\n", { mayBeBare: false })).toEqual(["READ a.py"]);
    expect(lookLines("```\nREAD a.py\nLIST src\n```", { mayBeBare: true })).toEqual(["READ a.py", "LIST src"]);
    expect(lookLines("READ a.py\nand then write it", { mayBeBare: true })).toEqual([]);
    expect(lookLines("READ a.py", { mayBeBare: false })).toEqual([]);
  });

  it("a block inside a file that is written is the file's own text", () => {
    const { files, looks } = readBlocks(`===FILE: a.md===\n${block("READ a.py")}===END FILE===\n`);
    expect(looks).toEqual([]);
    expect(files[0]!.content).toContain("===LOOK===");
  });

  it("requests and other blocks are told apart", () => {
    const { commands, looks, problems } = readBlocks(`${block("READ a.py")}===CMD===\nls\n===END CMD===\n`);
    expect({ commands, looks, problems }).toEqual({ commands: ["ls"], looks: ["READ a.py"], problems: [] });
  });
});

describe("a call of a tool", () => {
  it.each([
    ["read", { path: "a.py" }, "READ a.py"],
    ["read", { path: "a.py", from: 3 }, "READ a.py:3-"],
    ["read", { path: "a.py", from: "3", to: 9 }, "READ a.py:3-9"],
    ["read", { path: "a.py", to: 9 }, "READ a.py:1-9"],
    ["read", "a.py", "READ a.py"],
    ["grep", { pattern: "x y" }, "GREP x y"],
    ["list", {}, "LIST ."],
    ["run", { test: "t.py" }, "RUN t.py"],
  ])("is a request: %s %j", (name, input, text) => {
    expect(readCalls([{ name, input }]).looks.map(lookToText)).toEqual([text]);
  });

  it("that cannot be understood is told", () => {
    const { looks, problems } = readCalls([
      { name: "rm", input: { path: "a.py" } },
      { name: "read", input: { file: "a.py" } },
      { name: "grep", input: null },
    ]);
    expect(looks).toEqual([]);
    expect(problems).toHaveLength(3);
    expect(problems[0]).toContain("'rm' was not understood");
  });

  it("is one of four, each of which says what it takes", () => {
    expect(lookTools.map(({ name }) => name)).toEqual(["read", "grep", "list", "run"]);
    expect(lookTools[0]!.parameters).toMatchObject({ required: ["path"], additionalProperties: false });
  });
});
