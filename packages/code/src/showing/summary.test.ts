import { describe, expect, it } from "vitest";
import { outlineFile } from "./outline.ts";
import { summarizeWorkspace } from "./summary.ts";

describe("the outline of a Python file", () => {
  it("has imports, functions, classes and methods, also under a condition, and no bodies", async () => {
    const text = [
      "import os",
      "from a.b import c as d",
      "@deco(1)",
      "async def f(a: int, *b, k=2) -> str:",
      "    def inner(): pass",
      "class A(Base):",
      '    """Says def not_one()."""',
      "    @property",
      "    def m(self): return 1",
      "try:",
      "    import fast",
      "except ImportError:",
      "    def slow(): pass",
    ].join("\n");
    expect(await outlineFile("a.py", text)).toEqual({
      imports: ["import os", "from a.b import c as d", "import fast"],
      signatures: ["async def f(a: int, *b, k=2) -> str", "class A(Base)", "  def m(self)", "def slow()"],
    });
  });

  it("says where a broken file breaks, and tells what can still be read", async () => {
    const outline = await outlineFile("a.py", "def fine(a):\n    return a\n\ndef broken(:\n    pass\n");
    expect(outline!.brokenAt).toBe(4);
    expect(outline!.signatures[0]).toBe("def fine(a)");
  });
});

describe("the outline of a TypeScript or JavaScript file", () => {
  it("has imports, exports, functions, classes with their members, interfaces and types", async () => {
    const text = [
      'import x, { type Y } from "../y.ts";',
      'export * from "../q.ts";',
      'const fs = require("fs");',
      "export async function f<T>(a: T, b = 2): Promise<void> {}",
      "export default class A<T> extends B { #p = 1; private q() {} static m(a: number): string { return '' } }",
      "export interface I { a: string; m(b: number): void }",
      'export type U = "a" | "b";',
      "export const arrow = async (a: number): Promise<number> => a;",
      "const local = 3;",
      "export const VALUE: number = 3;",
    ].join("\n");
    expect(await outlineFile("a.ts", text)).toEqual({
      imports: ['import x, { type Y } from "../y.ts";', 'export * from "../q.ts";', 'fs = require("fs")'],
      signatures: [
        "export async function f<T>(a: T, b = 2): Promise<void>",
        "export default class A<T> extends B",
        "  static m(a: number): string",
        "export interface I",
        "  a: string",
        "  m(b: number): void",
        'export type U = "a" | "b";',
        "export const arrow = async (a: number): Promise<number>",
        "export const VALUE: number",
      ],
    });
  });

  it.each(["a.jsx", "a.tsx", "a.js", "a.mjs"])("reads %s", async (path) => {
    const { signatures } = (await outlineFile(path, "export function App({ a }) { return <b>{a}</b>; }"))!;
    expect(signatures).toEqual(["export function App({ a })"]);
  });
});

it("a language that is not read has no outline", async () => {
  expect(await outlineFile("a.rs", "fn main() {}")).toBeUndefined();
  expect(await outlineFile("Makefile", "all:")).toBeUndefined();
});

describe("the summary of a workspace", () => {
  it("is a tree with line counts, then outlines; what cannot be read is only named", async () => {
    const files = [
      { path: "b.py", content: "import os\n\ndef f():\n    pass\n" },
      { path: "a.txt", content: "one\ntwo" },
      { path: "empty.py", content: "" },
      { path: "one.txt", content: "one\n" },
    ];
    expect(await summarizeWorkspace(["b.py", "a.txt", "empty.py", "big.bin", "one.txt"], files)).toBe(
      "Files:\na.txt (2 lines)\nb.py (4 lines)\nbig.bin (not shown)\nempty.py (0 lines)\none.txt (1 line)\n\nb.py:\n  import os\n  def f()",
    );
  });

  it("notes a file that does not parse", async () => {
    const summary = await summarizeWorkspace(["x.py"], [{ path: "x.py", content: "def broken(:\n" }]);
    expect(summary).toContain("x.py:\n  (does not parse: line 1;");
  });

  it("is bounded, and says what it leaves out", async () => {
    const line = (n: number) => `def function_number_${n}(argument_one: int, argument_two: int) -> int: ...\n`;
    const content = Array.from({ length: 40 }, (_, n) => line(n)).join("");
    const paths = Array.from({ length: 500 }, (_, n) => `module_${String(n).padStart(3, "0")}.py`);
    const summary = await summarizeWorkspace(
      paths,
      paths.slice(0, 30).map((path) => ({ path, content })),
    );
    expect(summary.length).toBeLessThan(25_000);
    expect(summary).toContain("./ (500 files)");
    expect(summary).toMatch(/… the outlines of \d+ more files are left out$/);
    expect(summary).toContain("module_000.py:\n  def function_number_0");
  });

  it("of a large one lists folders, and the files and outlines that the task is about", async () => {
    const others = Array.from({ length: 300 }, (_, n) => ({
      path: `lib/part${n % 7}/module_${n}.py`,
      content: `def other_${n}(argument):\n    return argument\n`,
    }));
    const files = [...others, { path: "lib/part3/rounding.py", content: "def round_half(value):\n    return value\n" }];
    const summary = await summarizeWorkspace(
      files.map(({ path }) => path),
      files,
      "`round_half` rounds the wrong way",
    );
    expect(summary).toContain("lib/part3/ (44 files)");
    expect(summary).toMatch(/the task may be about:\n(?:.*\n)*lib\/part3\/rounding\.py \(2 lines\)/);
    expect(summary).toContain("lib/part3/rounding.py:\n  def round_half(value)");
  });

  it("has nothing that git ignores, and says so", async () => {
    const files = [
      { path: ".gitignore", content: "/out/\n*.gen.py\n" },
      { path: "a.py", content: "def a(): pass\n" },
      { path: "b.gen.py", content: "def generated(): pass\n" },
      { path: "out/c.py", content: "def built(): pass\n" },
    ];
    const summary = await summarizeWorkspace(
      files.map(({ path }) => path),
      files,
    );
    expect(summary).not.toMatch(/gen\.py|out\/|generated|built/);
    expect(summary).toMatch(/… 2 files that git ignores are not listed$/);
  });

  it("cuts a signature that is too long, and is the same for the same files in any order", async () => {
    const files = [
      { path: "a.py", content: `def f(${"x, ".repeat(200)}): pass\n` },
      { path: "b.py", content: "import a\n" },
    ];
    const summary = await summarizeWorkspace(["b.py", "a.py"], files);
    expect(summary).toBe(await summarizeWorkspace(["a.py", "b.py"], files.toReversed()));
    expect(Math.max(...summary.split("\n").map((each) => each.length))).toBeLessThan(200);
  });
});
