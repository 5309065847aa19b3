import { describe, expect, it } from "vitest";
import { applyEdit, listMutants, type MutantKind } from "./mutants.ts";

const everyLine = (source: string) => new Set(source.split("\n").map((_, index) => index + 1));

/** The texts of one kind of mutant, each as the line that changed. */
async function mutate(path: string, source: string, kind: MutantKind): Promise<string[]> {
  const found = await listMutants(path, source, everyLine(source));
  return found.filter((mutant) => mutant.kind === kind).map((mutant) => applyEdit(source, mutant));
}

describe("mutants", () => {
  it.each<[MutantKind, string, string, string[]]>([
    ["comparison", "a.py", "x = a == b\n", ["x = a != b\n"]],
    ["comparison", "a.py", "x = a  not  in b\n", ["x = a  in b\n"]],
    ["comparison", "a.py", "x = a is None\n", ["x = a is not None\n"]],
    ["comparison", "a.py", "x = a < b == c\n", ["x = a >= b == c\n", "x = a < b != c\n"]],
    ["comparison", "a.ts", "x = a === b;\n", ["x = a !== b;\n"]],
    ["comparison", "a.mjs", "x = a > b;\n", ["x = a <= b;\n"]],
    ["comparison", "a.ts", "x = a in b;\n", []],
    ["boundary", "a.py", "x = a < b\n", ["x = a <= b\n"]],
    ["boundary", "a.tsx", "x = a >= b;\n", ["x = a > b;\n"]],
    ["boundary", "a.ts", "x = a + b;\n", []],
    ["constant", "a.py", "x = 1_000\n", ["x = 1001\n", "x = 999\n"]],
    ["constant", "a.py", "x = 0.5\n", ["x = 1\n"]],
    ["constant", "a.py", "x = 0x10\n", []],
    ["constant", "a.py", "x = True\n", ["x = False\n"]],
    ["constant", "a.py", "x = r'a'\n", ["x = r''\n"]],
    ["constant", "a.py", 'x = ""\n', ['x = "x"\n']],
    ["constant", "a.py", 'def f():\n    """Doc."""\n', []],
    ["constant", "a.py", "x = {'a': b}\n", []],
    ["constant", "a.ts", 'import a from "b";\n', []],
    ["constant", "a.ts", 'type A = "a" | 1;\n', []],
    ["constant", "a.ts", 'x = "a";\n', ['x = "";\n']],
    ["constant", "a.js", "x = false;\n", ["x = true;\n"]],
    ["negation", "a.py", "if a:\n    b()\n", ["if not (a):\n    b()\n"]],
    ["negation", "a.py", "x = a if not b else c\n", ["x = a if b else c\n"]],
    ["negation", "a.py", "x = [a for a in b if a]\n", ["x = [a for a in b if not (a)]\n"]],
    ["negation", "a.py", "x = a and b\n", ["x = a or b\n"]],
    ["negation", "a.ts", "while (a) b();\n", ["while (!(a)) b();\n"]],
    ["negation", "a.ts", "x = !a ? b : c;\n", ["x = a ? b : c;\n"]],
    ["negation", "a.ts", "x = a || b;\n", ["x = a && b;\n"]],
    ["negation", "a.ts", "if (a < b) c();\n", []],
    ["removed-call", "a.py", "def f():\n    g(a)\n", ["def f():\n    pass\n"]],
    ["removed-call", "a.py", "x = int(a)\n", ["x = a\n"]],
    ["removed-call", "a.py", "x = a.strip()\n", ["x = a\n"]],
    ["removed-call", "a.ts", "await f(a, b);\n", [";\n"]],
    ["removed-call", "a.ts", "x = a.trim();\n", ["x = a;\n"]],
    ["removed-call", "a.ts", "x = f(...a);\n", []],
    ["swapped-arguments", "a.py", "x = f(a, b, key=c)\n", ["x = f(b, a, key=c)\n"]],
    ["swapped-arguments", "a.py", "x = f(a, a)\n", []],
    ["swapped-arguments", "a.ts", "x = new F(a,\n  b);\n", ["x = new F(b,\n  a);\n"]],
    ["sibling-call", "a.py", "x = a.strip('-')\n", ["x = a.rstrip('-')\n"]],
    [
      "sibling-call",
      "a.ts",
      "x = a.some(f) && Math.min(a, b);\n",
      ["x = a.every(f) && Math.min(a, b);\n", "x = a.some(f) && Math.max(a, b);\n"],
    ],
    [
      "pattern",
      "a.py",
      "x = re.sub(r'^[a-z]+', '', y)\n",
      ["x = re.sub(r'[a-z]+', '', y)\n", "x = re.sub(r'^[a-z]', '', y)\n"],
    ],
    ["pattern", "a.ts", "x = /(?:s|x|ch)$/;\n", ["x = /(?:s|x|ch)/;\n", "x = /(?:s|ch)$/;\n"]],
    ["early-return", "a.py", "def f():\n    return a\n", ["def f():\n    return None\n"]],
    [
      "early-return",
      "a.py",
      "def f():\n    a = 1\n    g(a, b)\n",
      ["def f():\n    return\n    g(a, b)\n", "def f():\n    a = 1\n    return\n"],
    ],
    [
      "early-return",
      "a.ts",
      "() => { if (a) { b = c; } };\n",
      ["() => { return; };\n", "() => { if (a) { return; } };\n"],
    ],
    ["early-return", "a.ts", "if (a) { b(); }\n", []],
  ])("%s of %s: %j", async (kind, path, source, texts) => {
    expect(await mutate(path, source, kind)).toEqual(texts);
  });

  it("lie on the asked lines alone, and say where", async () => {
    const source = "def f(a):\n    b = a < 1\n    return b\n";
    const found = await listMutants("src/f.py", source, new Set([2]));
    expect(new Set(found.map(({ line }) => line))).toEqual(new Set([2]));
    expect(found.map(({ title }) => title)).toContain('src/f.py:2: "<" becomes "<="');
  });

  it("count in UTF-16 units", async () => {
    expect(await mutate("a.py", 's = "😀𝒳" + f(41)\n', "constant")).toContain('s = "😀𝒳" + f(42)\n');
  });

  it("are none of a language that is not read", async () => {
    expect(await listMutants("a.rb", "x = 1 < 2\n", new Set([1]))).toEqual([]);
  });
});
