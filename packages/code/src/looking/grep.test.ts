import { expect, it } from "vitest";
import { grep, MOST_OF_A_FILE, MOST_PLACES } from "./grep.ts";

const files = [
  { path: "a.py", content: "def batch(x):\n    return x\n" },
  { path: "b.py", content: "from a import batch\nbatch(1)\nBATCH = 2\n" },
];
const found = (pattern: string) => grep(files, pattern).places.map(({ path, line }) => `${path}:${line}`);

it("a text is found as it stands, and as a regular expression where it is one", () => {
  expect(found("batch(")).toEqual(["a.py:1", "b.py:2"]);
  expect(found("batch()")).toEqual(["a.py:1", "b.py:1", "b.py:2"]);
  expect(found("^def|BATCH")).toEqual(["a.py:1", "b.py:3"]);
  expect(found("nowhere")).toEqual([]);
});

it("flags before a pattern are read as such, and a text that begins like them is found all the same", () => {
  expect(found("(?i)batch\\b")).toEqual(["a.py:1", "b.py:1", "b.py:2", "b.py:3"]);
  expect(found("(?im)^DEF")).toEqual(["a.py:1"]);
  expect(found("^DEF|(?i)import")).toEqual(["a.py:1", "b.py:1"]);
  expect(grep([{ path: "c.py", content: 'P = "(?i)x"\n' }], "(?i)x").count).toBe(1);
});

it("of many places the first are kept, so many of each file, and all are counted", () => {
  const many = Array.from({ length: 9 }, (_, n) => ({ path: `f${n}.py`, content: "x\n".repeat(100) }));
  const { places, count, files: holding, isEnded } = grep(many, "x");
  expect(places).toHaveLength(MOST_PLACES);
  expect(places.filter(({ path }) => path === "f0.py")).toHaveLength(MOST_OF_A_FILE);
  expect({ count, holding, isEnded }).toEqual({ count: 900, holding: 9, isEnded: false });
});

it("a pattern that would look for ever is ended, and what was found before is kept", () => {
  const hostile = [files[0]!, { path: "c.py", content: `aab\n${"a".repeat(60)}!\n` }];
  const { places, isEnded } = grep(hostile, "^(a+)+b?$|batch", 200);
  expect(isEnded).toBe(true);
  expect(places).toMatchObject([
    { path: "a.py", line: 1, text: "def batch(x):" },
    { path: "c.py", line: 1 },
  ]);
});

it("a pattern that is no regular expression is a text", () => {
  expect(found("batch(x")).toEqual(["a.py:1"]);
  expect(found("[")).toEqual([]);
  expect(grep(files, "(?P<x>def)").problem).toMatch(/Invalid/);
});
