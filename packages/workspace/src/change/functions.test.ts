import { describe, expect, it } from "vitest";
import { type Change, changedFunctions, takeOut } from "./check.ts";

const names = async (path: string, before: string | undefined, after: string) =>
  (await changedFunctions([{ path, after, ...(before !== undefined && { before }) }])).map(({ name }) => name);

async function emptied(path: string, after: string): Promise<string> {
  const changes: Change[] = [{ path, after }];
  const functions = (await changedFunctions(changes)).map((each, index) => ({ ...each, mark: `m${index}` }));
  return takeOut(changes, functions)[0]?.content ?? after;
}

describe("the functions that a change has made or altered", () => {
  it("are those whose text is another, and those that are new", async () => {
    const before = "def a():\n    return 1\n\ndef b():\n    return 2\n\nX = 1\n";
    expect(await names("m.py", before, `${before.replace("return 2", "return 3")}\ndef c(): return 4\n`)).toEqual([
      "b",
      "c",
    ]);
    expect(await names("m.py", before, before.replace("X = 1", "X = 2"))).toEqual([]);
    expect(await names("m.py", undefined, before)).toEqual(["a", "b"]);
  });

  it("stand in classes, in others, and as values", async () => {
    const python =
      "class C:\n    @property\n    def p(self):\n        return 1\nf = lambda x: x\ndef o():\n    def i(): pass\n";
    expect(await names("m.py", undefined, python)).toEqual(["C.p", "f", "o", "o.i"]);
    const script =
      "export const f = (a) => a;\nclass C { m() { return 1; } }\nfunction* g() {}\nexport default { k: () => 1 };\n";
    for (const path of ["m.ts", "m.js", "m.tsx"])
      expect(await names(path, undefined, script)).toEqual(["f", "C.m", "g", "k"]);
  });

  it("with one name are told apart by their order", async () => {
    const before = "def a(): return 1\ndef a(): return 2\n";
    expect(await names("m.py", before, before.replace("return 2", "return 3"))).toEqual(["a"]);
  });

  it("are none where no language is known", async () => {
    expect(await names("notes.txt", undefined, "def a(): pass")).toEqual([]);
  });
});

describe("a body that is taken out", () => {
  it.each([
    [
      "m.py",
      "def a(x):\n    '''Words.'''\n    return x\n\nb = 1\n",
      'def a(x):\n    raise BaseException("m0")\n\nb = 1\n',
    ],
    ["m.py", "def a(x): return x\n", 'def a(x): raise BaseException("m0")\n'],
    ["m.py", "def g():\n    for i in 'é':\n        yield i\n", 'def g():\n    raise BaseException("m0"); yield\n'],
    ["m.py", "s = 'ü'\nf = lambda x: x\n", "s = 'ü'\nf = lambda x: (_ for _ in ()).throw(BaseException(\"m0\"))\n"],
    [
      "m.ts",
      "export const f = (a: number): number => a;\n",
      'export const f = (a: number): number => { throw new Error("m0"); };\n',
    ],
    ["m.js", "class C { get x() { return '🦉'; } }\n", 'class C { get x() { throw new Error("m0"); } }\n'],
  ])("leaves the rest of %s as it is", async (path, source, wanted) => {
    expect(await emptied(path, source)).toBe(wanted);
  });
});
