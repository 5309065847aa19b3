import { describe, expect, it } from "vitest";
import { titleOf } from "../../../../../../test/fixtures/search/candidates.ts";

const cases: [string, string, string, string][] = [
  [
    "lstrip becomes removeprefix",
    "a.py",
    "def f(s):\n    return s.lstrip('www.')\n",
    "def f(s):\n    return s.removeprefix('www.')\n",
  ],
  ["append becomes extend", "a.py", "def f(out, xs):\n    out.append(xs)\n", "def f(out, xs):\n    out.extend(xs)\n"],
  [
    "shift becomes pop",
    "a.ts",
    "export const f = (xs: number[]) => xs.shift();\n",
    "export const f = (xs: number[]) => xs.pop();\n",
  ],
  [
    "replace becomes replaceAll",
    "a.ts",
    "export const f = (s: string) => s.replace('+', ' ');\n",
    "export const f = (s: string) => s.replaceAll('+', ' ');\n",
  ],
  [
    "floor becomes ceil",
    "a.ts",
    "export const f = (n: number) => Math.floor(n);\n",
    "export const f = (n: number) => Math.ceil(n);\n",
  ],
  ["any becomes all", "a.py", "def f(xs):\n    return any(xs)\n", "def f(xs):\n    return all(xs)\n"],
  [
    "d[k] becomes d.get(k, 0)",
    "a.py",
    "def f(d, k):\n    return d[k] + 1\n",
    "def f(d, k):\n    return d.get(k, 0) + 1\n",
  ],
  ["n * 2 becomes abs(n * 2)", "a.py", "def f(n):\n    return n * 2\n", "def f(n):\n    return abs(n * 2)\n"],
  [
    "s becomes s.trim()",
    "a.ts",
    "export const f = (s: string) => s.length > 0 && s === 'x';\n",
    "export const f = (s: string) => s.length > 0 && s.trim() === 'x';\n",
  ],
  ["abs(n) becomes n", "a.py", "def f(n):\n    return abs(n)\n", "def f(n):\n    return n\n"],
  [
    "tags becomes list(tags)",
    "a.py",
    "class A:\n    def __init__(self, tags):\n        self.tags = tags\n",
    "class A:\n    def __init__(self, tags):\n        self.tags = list(tags)\n",
  ],
  [
    "this.tags becomes [...this.tags]",
    "a.ts",
    "export class A {\n  private tags: string[] = [];\n  all() {\n    return this.tags;\n  }\n}\n",
    "export class A {\n  private tags: string[] = [];\n  all() {\n    return [...this.tags];\n  }\n}\n",
  ],
  [
    "xs.sort() becomes [...xs].sort()",
    "a.ts",
    "export const f = (xs: number[]) => xs.sort();\n",
    "export const f = (xs: number[]) => [...xs].sort();\n",
  ],
  [
    "sort(nothing) takes (a, b) => a - b too",
    "a.ts",
    "export const f = (xs: number[]) => [...xs].sort();\n",
    "export const f = (xs: number[]) => [...xs].sort((a, b) => a - b);\n",
  ],
  [
    "await g()",
    "a.ts",
    "export async function f(g: () => Promise<number>) {\n  return g();\n}\n",
    "export async function f(g: () => Promise<number>) {\n  return await g();\n}\n",
  ],
  [
    "m.get(k) becomes m.get(k) ?? 0",
    "a.ts",
    "export function f(m: Map<string, number>, k: string) {\n  return m.get(k) + 1;\n}\n",
    "export function f(m: Map<string, number>, k: string) {\n  return (m.get(k) ?? 0) + 1;\n}\n",
  ],
  [
    "a.b may be missing in a.b.c",
    "a.ts",
    "export const f = (a: { b: { c: number } }) => a.b.c;\n",
    "export const f = (a: { b: { c: number } }) => a.b?.c;\n",
  ],
  [
    "end becomes max(best, end)",
    "a.py",
    "def f(end, best):\n    best = end\n    return best\n",
    "def f(end, best):\n    best = max(best, end)\n    return best\n",
  ],
  [
    "/[a-z]/ becomes /[a-z]/g",
    "a.ts",
    "export const f = (a: string) => /[a-z]/.test(a);\n",
    "export const f = (a: string) => /[a-z]/g.test(a);\n",
  ],
  [
    "{m % 60} is written {m % 60:02d}",
    "a.py",
    "def f(m):\n    return f'{m // 60}:{m % 60}'\n",
    "def f(m):\n    return f'{m // 60}:{m % 60:02d}'\n",
  ],
  [
    "TypeError becomes ValueError",
    "a.py",
    "def f(s):\n    try:\n        return int(s)\n    except TypeError:\n        return None\n",
    "def f(s):\n    try:\n        return int(s)\n    except ValueError:\n        return None\n",
  ],
  [
    "[[0] * n] * m becomes [[0] * n for _ in range(m)]",
    "a.py",
    "def f(n, m):\n    return [[0] * n] * m\n",
    "def f(n, m):\n    return [[0] * n for _ in range(m)]\n",
  ],
  [
    "list(set(xs)) becomes list(dict.fromkeys(xs))",
    "a.py",
    "def f(xs):\n    return list(set(xs))\n",
    "def f(xs):\n    return list(dict.fromkeys(xs))\n",
  ],
  [
    "seen begins as a new [] for each call",
    "a.py",
    "def f(xs, seen=[]):\n    seen.append(xs)\n    return seen\n",
    "def f(xs, seen=None):\n    if seen is None:\n        seen = []\n    seen.append(xs)\n    return seen\n",
  ],
  [
    "bind x when the function is made",
    "a.py",
    "def f(xs):\n    return [lambda y: x + y for x in xs]\n",
    "def f(xs):\n    return [lambda y, x=x: x + y for x in xs]\n",
  ],
  [
    "w[1] becomes (w[1], w[0])",
    "a.py",
    "def f(words):\n    return sorted(words.items(), key=lambda w: w[1])\n",
    "def f(words):\n    return sorted(words.items(), key=lambda w: (w[1], w[0]))\n",
  ],
];

describe("methods, wraps and copies", () => {
  it.each(cases)("reach: %s (%s)", async (title, path, before, after) => {
    expect(await titleOf(path, before, after)).toBe(title);
  });
});
