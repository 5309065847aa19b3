import { describe, expect, it } from "vitest";
import { titleOf } from "../../../../../test/fixtures/search/candidates.ts";

const cases: [string, string, string, string][] = [
  [
    "len(items) becomes len(items) - 1",
    "a.py",
    "def find(items, wanted):\n    for i in range(len(items)):\n        if items[i] == wanted:\n            return i\n    return -1\n",
    "def find(items, wanted):\n    for i in range(len(items) - 1):\n        if items[i] == wanted:\n            return i\n    return -1\n",
  ],
  [
    "range(len(items)) becomes range(1, len(items))",
    "a.py",
    "def find(items, wanted):\n    for i in range(len(items)):\n        if items[i] == wanted:\n            return i\n    return -1\n",
    "def find(items, wanted):\n    for i in range(1, len(items)):\n        if items[i] == wanted:\n            return i\n    return -1\n",
  ],
  ["n becomes n - 1", "a.py", "def f(xs, n):\n    return xs[n]\n", "def f(xs, n):\n    return xs[n - 1]\n"],
  ["[1:] becomes [1:-1]", "a.py", "def f(xs):\n    return xs[1:]\n", "def f(xs):\n    return xs[1:-1]\n"],
  ["[:2] becomes [2:]", "a.py", "def f(xs):\n    return xs[:2]\n", "def f(xs):\n    return xs[2:]\n"],
  ["drop - 1 of n - 1", "a.py", "def f(n):\n    return n - 1\n", "def f(n):\n    return n\n"],
  [
    "xs.length becomes xs.length - 1",
    "a.ts",
    "export function f(xs: number[]) {\n  for (let i = 0; i < xs.length; i++) xs[i] = 0;\n}\n",
    "export function f(xs: number[]) {\n  for (let i = 0; i < xs.length - 1; i++) xs[i] = 0;\n}\n",
  ],
  [
    "start becomes end",
    "a.py",
    "def f(start, end):\n    return start - start\n",
    "def f(start, end):\n    return end - start\n",
  ],
  [
    "self.low becomes self.high",
    "a.py",
    "class A:\n    def __init__(self, n):\n        self.low = n\n        self.high = n\n\n    def f(self):\n        return self.low\n",
    "class A:\n    def __init__(self, n):\n        self.low = n\n        self.high = n\n\n    def f(self):\n        return self.high\n",
  ],
  [
    "x becomes y",
    "a.ts",
    "export const f = (a: { x: number; y: number }) => a.x + a.x;\n",
    "export const f = (a: { x: number; y: number }) => a.x + a.y;\n",
  ],
  [
    "n becomes self.n",
    "a.py",
    "class A:\n    def __init__(self, n):\n        self.n = n\n\n    def f(self, n):\n        return n\n",
    "class A:\n    def __init__(self, n):\n        self.n = n\n\n    def f(self, n):\n        return self.n\n",
  ],
  [
    "swap a and b in g",
    "a.py",
    "def f(a, b):\n    return g(a, b)\n\n\ndef g(a, b):\n    return a - b\n",
    "def f(a, b):\n    return g(b, a)\n\n\ndef g(a, b):\n    return a - b\n",
  ],
  [
    "sorted(xs) takes reverse=True too",
    "a.py",
    "def f(xs):\n    return sorted(xs)\n",
    "def f(xs):\n    return sorted(xs, reverse=True)\n",
  ],
  [
    "parseInt(s) takes 10 too",
    "a.ts",
    "export const f = (s: string) => parseInt(s);\n",
    "export const f = (s: string) => parseInt(s, 10);\n",
  ],
  [
    "split('=') takes 1 too",
    "a.py",
    "def f(line):\n    return line.split('=')\n",
    "def f(line):\n    return line.split('=', 1)\n",
  ],
  [
    "grid[x][y] with its indices swapped",
    "a.py",
    "def f(grid, x, y):\n    return grid[x][y]\n",
    "def f(grid, x, y):\n    return grid[y][x]\n",
  ],
  [
    "hours becomes days",
    "a.py",
    "from datetime import timedelta\n\n\ndef f(n):\n    return timedelta(hours=n)\n",
    "from datetime import timedelta\n\n\ndef f(n):\n    return timedelta(days=n)\n",
  ],
  ["swap a and b", "a.py", "def f(a, b):\n    return (a, b)\n", "def f(a, b):\n    return (b, a)\n"],
];

describe("indices, bounds and names", () => {
  it.each(cases)("reach: %s (%s)", async (title, path, before, after) => {
    expect(await titleOf(path, before, after)).toBe(title);
  });
});
