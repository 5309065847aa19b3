import { describe, expect, it } from "vitest";
import { sceneOf } from "../../../../../test/fixtures/search/candidates.ts";
import type { Syntax } from "../syntax/tree.ts";
import { conditionsFor, negate } from "./conditions.ts";
import { ifLines, insertAfter, insertBefore, linesOf, relativeLines } from "./layout.ts";
import type { Scene } from "./scene.ts";
import { readStyle } from "./style.ts";

const find = (scene: Scene, role: string, text?: string): Syntax =>
  [...scene.source.root.walk()].find((node) => node.role === role && (text === undefined || node.text === text))!;

describe("the style of a file", () => {
  it("is read from its text", () => {
    expect(readStyle("def f():\n  return 'a'\n", true)).toMatchObject({ unit: "  ", eol: "\n", quote: "'", end: "" });
    expect(readStyle("function f() {\r\n\treturn 1;\r\n}\r\n", false)).toMatchObject({
      unit: "\t",
      eol: "\r\n",
      end: ";",
    });
    expect(readStyle("const a = 1\n", false).end).toBe("");
    expect(readStyle("if (a) return 1;\n", false).isTerse).toBe(true);
    expect(readStyle("if (a) {\n  b();\n}\n", false).isTerse).toBe(false);
  });
});

describe("statements as lines", () => {
  const text = "def f(x):\n    a(x)  # note\n    for y in x:\n        b(y)\n    return x\n";

  it("are inserted at the indentation of their place, and a comment stays with its line", async () => {
    const scene = await sceneOf("a.py", text);
    const before = insertBefore(find(scene, "express", "b(y)"), ["c(y)"], scene.style)!;
    expect(text.slice(0, before.start) + before.text + text.slice(before.end)).toContain(
      "        c(y)\n        b(y)\n",
    );
    const after = insertAfter(find(scene, "express", "a(x)"), ["c(x)"], scene.style)!;
    expect(text.slice(0, after.start) + after.text + text.slice(after.end)).toContain(
      "a(x)  # note\n    c(x)\n    for",
    );
  });

  it("are told relative to their own indentation", async () => {
    const scene = await sceneOf("a.py", text);
    expect(relativeLines(find(scene, "for"), scene.style)).toEqual(["for y in x:", "\tb(y)"]);
    expect(ifLines("x", ["a()"], scene.style, true)).toEqual(["if x:", "\ta()"]);
    expect(ifLines("x", ["a();", "b();"], scene.style, false)).toEqual(["if (x) {", "\ta();", "\tb();", "}"]);
  });

  it("are none where two share a line", async () => {
    const scene = await sceneOf("a.py", "def f(x):\n    a(x); b(x)\n");
    expect(linesOf(find(scene, "express", "b(x)"))).toBeUndefined();
  });
});

describe("the names at a place", () => {
  const text = `LIMIT = 3


class Box:
    def __init__(self, size):
        self.size = size

    def fits(self, items):
        count = 0
        for item in items:
            later = item
        return count
`;

  it("are those that have a value there, the nearest first", async () => {
    const scene = await sceneOf("a.py", text);
    const names = scene.namesAt(find(scene, "for")).map((name) => name.text);
    expect(names.slice(0, 2).sort()).toEqual(["count", "items"]);
    expect(names).toContain("LIMIT");
    expect(names).not.toContain("later");
    expect(scene.fieldsAt(find(scene, "for")).map((name) => name.text)).toEqual(["self.size"]);
  });

  it("do not leave their block in scripts", async () => {
    const script = "function f(a: number) {\n  if (a) {\n    const inner = 1;\n  }\n  return a;\n}\n";
    const scene = await sceneOf("a.ts", script);
    expect(scene.namesAt(find(scene, "return")).map((name) => name.text)).toEqual(["a", "f"]);
  });

  it("have the kind that their use tells", async () => {
    const use =
      "def f(text, items, table, n: int):\n    text.strip()\n    items.append(n)\n    table['k'] = 1\n    return len(items) - n\n";
    const { kinds } = await sceneOf("a.py", use);
    expect(["text", "items", "table", "n"].map((name) => kinds.ofText(name))).toEqual([
      "string",
      "list",
      "dict",
      "number",
    ]);
  });

  it("can be used elsewhere only where all of an expression is known", async () => {
    const scene = await sceneOf("a.py", "def f(a):\n    return a + 1\n\n\ndef g(b):\n    return b\n");
    const [one, other] = [...scene.source.root.walk()].filter(({ role }) => role === "return");
    expect(scene.canUse(one!, one!)).toBe(true);
    expect(scene.canUse(one!, other!)).toBe(false);
  });
});

describe("conditions", () => {
  it("are negated as a person would", async () => {
    const scene = await sceneOf("a.py", "x = [a < b, a in b, not a, a is None, f(a)]\n");
    const negated = find(scene, "list").parts.map((part) => negate(part, scene).text);
    expect(negated).toEqual(["a >= b", "a not in b", "a", "a is not None", "not f(a)"]);
  });

  it("come from the program first, and then from what is in scope", async () => {
    const text = "def f(items, n: int):\n    if n > 3:\n        return items\n    return n\n";
    const scene = await sceneOf("a.py", text);
    const place = [...scene.source.root.walk()].filter(({ role }) => role === "return").at(-1)!;
    const texts = conditionsFor(place, scene).map(({ piece }) => piece.text);
    expect(texts[0]).toBe("n > 3");
    expect(texts).toContain("n <= 3");
    expect(texts).toContain("n <= 0");
  });
});
