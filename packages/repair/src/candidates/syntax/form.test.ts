import { describe, expect, it } from "vitest";
import { flatten, joinChanges, tighten } from "./form.ts";
import { Source } from "./source.ts";

async function formOf(path: string, text: string): Promise<string> {
  return (await Source.open(path, text))!.form.join(" ");
}

describe("the normal form", () => {
  it.each([
    ["comments and layout", "a.py", "x = 1\n", "x   =  1 # one\n\n"],
    ["parentheses that change nothing", "a.py", "x = a + b * c\n", "x = (a + (b * c))\n"],
    ["the choice of quotes", "a.py", 'x = "a"\n', "x = 'a'\n"],
    ["trailing commas", "a.py", "f(a, b)\n", "f(a, b,)\n"],
    ["parentheses around what is returned", "a.py", "def f():\n    return a, b\n", "def f():\n    return (a, b)\n"],
    ["how deep a block stands", "a.py", "if a:\n    b()\n", "if a:\n  b()\n"],
    ["semicolons", "a.ts", "x = 1;\ny()", "x = 1\ny();"],
    ["braces around one statement", "a.ts", "if (a) b();", "if (a) { b(); }"],
    ["the order of factors", "a.py", "x = a * b\n", "x = b * a\n"],
    ["the order in which two are asked for the larger", "a.ts", "x = Math.max(a, b);", "x = Math.max(b, a);"],
  ])("does not see %s", async (_, path, one, other) => {
    expect(await formOf(path, one)).toBe(await formOf(path, other));
  });

  it.each([
    ["another grouping", "a.py", "x = (a + b) * c\n", "x = a + b * c\n"],
    ["another operator", "a.py", "x = a + b\n", "x = a - b\n"],
    ["the order of a difference", "a.py", "x = a - b\n", "x = b - a\n"],
    ["the order of a sum, which may be one of texts", "a.py", "x = a + b\n", "x = b + a\n"],
    ["a statement out of its block", "a.py", "if a:\n    b()\n    c()\n", "if a:\n    b()\nc()\n"],
    ["a set for a generator", "a.py", "x = {a for a in b}\n", "x = (a for a in b)\n"],
    ["a list for a tuple", "a.py", "x = [a, b]\n", "x = (a, b)\n"],
    ["other white space in a string", "a.py", "x = 'a b'\n", "x = 'a  b'\n"],
    ["an escape", "a.ts", "x = '\\\\n'", "x = '\\n'"],
    ["which bound of a slice is given", "a.py", "x = a[1:]\n", "x = a[:1]\n"],
    ["an optional chain", "a.ts", "x = a?.b", "x = a.b"],
  ])("sees %s", async (_, path, one, other) => {
    expect(await formOf(path, one)).not.toBe(await formOf(path, other));
  });

  it("tells every node where its tokens stand", async () => {
    const { root, form } = (await Source.open("a.py", "def f(x):\n    y = x\n    return y\n"))!;
    const statement = [...root.walk()].find(({ role }) => role === "return")!;
    expect(form.slice(statement.formStart, statement.formEnd)).toEqual(["return_statement(", "return", "y", ")"]);
    expect(flatten(root)).toEqual(form);
  });
});

describe("changes of a form", () => {
  const form = ["a", "b", "c", "d"];

  it("are made as small as they can be", () => {
    expect(tighten(form, { from: 0, to: 4, tokens: ["a", "x", "c", "d"] })).toEqual({ from: 1, to: 2, tokens: ["x"] });
    expect(tighten(form, { from: 1, to: 3, tokens: ["b"] })).toEqual({ from: 2, to: 3, tokens: [] });
    expect(tighten(form, { from: 1, to: 1, tokens: ["x"] })).toEqual({ from: 1, to: 1, tokens: ["x"] });
  });

  it("are nothing where nothing changes", () => {
    expect(tighten(form, { from: 1, to: 3, tokens: ["b", "c"] })).toBeUndefined();
    expect(tighten(form, { from: 0, to: 4, tokens: form })).toBeUndefined();
  });

  it("are the same however a copy came to be", () => {
    const before = tighten(form, { from: 1, to: 1, tokens: ["b"] });
    const after = tighten(form, { from: 2, to: 2, tokens: ["b"] });
    expect(before).toEqual({ from: 2, to: 2, tokens: ["b"] });
    expect(after).toEqual(before);
    expect(tighten(form, { from: 4, to: 4, tokens: ["d"] })).toEqual({ from: 4, to: 4, tokens: ["d"] });
  });

  it("are joined with what stands between them, unless they touch the same", () => {
    const one = { from: 0, to: 1, tokens: ["x"] };
    const other = { from: 3, to: 4, tokens: [] };
    expect(joinChanges(form, one, other)).toEqual({ from: 0, to: 4, tokens: ["x", "b", "c"] });
    expect(joinChanges(form, other, one)).toEqual(joinChanges(form, one, other));
    expect(joinChanges(form, { from: 0, to: 3, tokens: [] }, { from: 2, to: 4, tokens: [] })).toBeUndefined();
  });
});
