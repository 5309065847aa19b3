import { describe, expect, it } from "vitest";
import { Source } from "./source.ts";
import type { Syntax } from "./tree.ts";

async function read(path: string, text: string): Promise<Syntax> {
  return (await Source.open(path, text))!.root;
}

const find = (root: Syntax, role: string): Syntax => [...root.walk()].find((node) => node.role === role)!;

describe("the tree", () => {
  it.each([
    ["a.py", "x = a.b[c](d) if e < f else -g\n"],
    ["a.ts", "x = e < f ? a.b[c](d) : -g;\n"],
  ])("has the same roles and fields for %s", async (path, text) => {
    const root = await read(path, text);
    const ternary = find(root, "ternary");
    expect(ternary.child("condition")!.role).toBe("compare");
    expect(ternary.child("consequence")!.role).toBe("call");
    expect(ternary.child("alternative")!.role).toBe("unary");
    expect(find(root, "member").child("property")!.text).toBe("b");
    expect(find(root, "index").child("index")!.text).toBe("c");
    expect(find(root, "index").child("object")!.text).toBe("a.b");
    expect(find(root, "compare").child("operator")!.text).toBe("<");
    expect(
      find(root, "call")
        .child("arguments")!
        .parts.map((part) => part.text),
    ).toEqual(["d"]);
  });

  it("tells joining, comparing and counting operators of scripts apart", async () => {
    const root = await read("a.ts", "y = (a && b) || (c === d) || (e + f) || !g;");
    expect(find(root, "logic").child("operator")!.text).toBe("||");
    expect(find(root, "compare").text).toBe("c === d");
    expect(find(root, "binary").text).toBe("e + f");
    expect(find(root, "not").text).toBe("!g");
  });

  it("counts in UTF-16 units", async () => {
    const text = 's = "😀𝒳"\nanswer = 41\n';
    const number = find(await read("a.py", text), "number");
    expect(text.slice(number.start, number.end)).toBe("41");
    expect(number.line).toBe(2);
  });

  it("knows parents, ancestors and all that is below", async () => {
    const root = await read("a.py", "def f(x):\n    while x:\n        return x + 1\n");
    const number = find(root, "number");
    expect(number.parent!.role).toBe("binary");
    expect(number.above("while", "function")!.role).toBe("while");
    expect(number.above("class")).toBeUndefined();
    expect(find(root, "function").contains(number)).toBe(true);
    expect([...find(root, "return").walk()].map((node) => node.text)).toEqual([
      "return x + 1",
      "return",
      "x + 1",
      "x",
      "+",
      "1",
    ]);
  });

  it("leaves comments out of the parts, and tells a docstring from a statement", async () => {
    const root = await read("a.py", 'def f():\n    # first\n    """Doc."""\n    return 1  # one\n');
    expect(find(root, "block").parts.map((part) => part.role)).toEqual(["documentation", "return"]);
  });

  it("reads no text with faults, and no language that it does not know", async () => {
    expect(await Source.open("a.py", "def f(:\n")).toBeUndefined();
    expect(await Source.open("a.ts", "const = ;")).toBeUndefined();
    expect(await Source.open("a.rb", "puts 1")).toBeUndefined();
    expect(await Source.open("a.py", "")).toBeDefined();
  });

  it("reads JSX", async () => {
    const root = await read(
      "a.tsx",
      "export const A = (p: { n: number }) => <b title={p.n > 1 ? 'x' : 'y'}>{p.n + 1}</b>;\n",
    );
    expect(find(root, "ternary").text).toBe("p.n > 1 ? 'x' : 'y'");
    expect(find(root, "binary").text).toBe("p.n + 1");
  });
});
