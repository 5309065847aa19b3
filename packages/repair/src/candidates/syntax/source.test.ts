import { describe, expect, it } from "vitest";
import { Source } from "./source.ts";

/** The change of a text by replacing the first place where a part of it stands. */
async function change(path: string, text: string, part: string, replacement: string) {
  const source = (await Source.open(path, text))!;
  const start = text.indexOf(part);
  return source.change([{ path, start, end: start + part.length, text: replacement }]);
}

const python = "class A:\n    def f(self, x):\n        if x > 1:\n            return x\n        return 0\n";
const script = "class A {\n  f(x) {\n    if (x > 1) return x;\n    return 0;\n  }\n}\n";

describe("a change of a file", () => {
  it.each([
    ["a.py", python],
    ["a.ts", script],
  ])("is told by the tokens that it changes (%s)", async (path, text) => {
    const changed = await change(path, text, ">", ">=");
    expect(changed!.tokens).toEqual([">="]);
    expect(changed!.to - changed!.from).toBe(1);
  });

  it.each([
    ["a.py", python],
    ["a.ts", script],
  ])("is nothing where only the layout changes (%s)", async (path, text) => {
    expect(await change(path, text, "x > 1", "(x  >  1)")).toBeUndefined();
  });

  it.each([
    ["a.py", python, "x > 1", "x >"],
    ["a.py", python, "return x\n", "return x\n  y\n"],
    ["a.ts", script, "return 0", "return ) 0"],
  ])("is nothing where the text no longer parses (%s)", async (path, text, part, replacement) => {
    expect(await change(path, text, part, replacement)).toBeUndefined();
  });

  it("is the same whether it is read from a statement alone or from the whole file", async () => {
    const source = (await Source.open("a.py", python))!;
    const start = python.indexOf("> 1");
    const near = source.change([{ path: "a.py", start, end: start + 1, text: "<" }]);
    const far = source.change([
      { path: "a.py", start, end: start + 1, text: "<" },
      { path: "a.py", start: 0, end: 0, text: "# a comment\n" },
    ]);
    expect(far).toEqual(near);
  });

  it("may join a statement to the one before it", async () => {
    const text = "def f(x):\n    if x > 2:\n        a()\n    if x > 1:\n        b()\n";
    const source = (await Source.open("a.py", text))!;
    const start = text.lastIndexOf("if");
    expect(source.change([{ path: "a.py", start, end: start + 2, text: "elif" }])).toBeDefined();
  });

  it("keeps a statement in its block apart from one behind it", async () => {
    const text = "def f(x):\n    if x:\n        a()\n    b()\n";
    const source = (await Source.open("a.py", text))!;
    const at = (part: string) => text.indexOf(part);
    const inside = source.change([{ path: "a.py", start: at("    b()"), end: at("    b()"), text: "        c()\n" }]);
    const behind = source.change([{ path: "a.py", start: at("    b()"), end: at("    b()"), text: "    c()\n" }]);
    expect(inside).toBeDefined();
    expect(inside).not.toEqual(behind);
  });
});
