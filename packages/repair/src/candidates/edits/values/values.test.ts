import { describe, expect, it } from "vitest";
import { titleOf } from "../../../../../../test/fixtures/search/candidates.ts";

const cases: [string, string, string, string][] = [
  ["< becomes <=", "a.py", "def f(a, b):\n    return a < b\n", "def f(a, b):\n    return a <= b\n"],
  ["== becomes !=", "a.py", "def f(a, b):\n    return a == b\n", "def f(a, b):\n    return a != b\n"],
  ["in becomes not in", "a.py", "def f(a, b):\n    return a in b\n", "def f(a, b):\n    return a not in b\n"],
  ["is becomes ==", "a.py", "def f(a, b):\n    return a is b\n", "def f(a, b):\n    return a == b\n"],
  [
    "<= becomes <",
    "a.ts",
    "export const f = (a: number, b: number) => a <= b;\n",
    "export const f = (a: number, b: number) => a < b;\n",
  ],
  [
    "== becomes ===",
    "a.ts",
    "export const f = (a: unknown, b: unknown) => a == b;\n",
    "export const f = (a: unknown, b: unknown) => a === b;\n",
  ],
  ["* becomes /", "a.py", "def f(a, b):\n    return a * b\n", "def f(a, b):\n    return a / b\n"],
  [
    "// becomes /",
    "a.py",
    "def pages(total, size):\n    return total // size\n",
    "def pages(total, size):\n    return total / size\n",
  ],
  ["and becomes or", "a.py", "def f(a, b):\n    return a and b\n", "def f(a, b):\n    return a or b\n"],
  [
    "|| becomes ??",
    "a.ts",
    "export const f = (a?: number) => a || 10;\n",
    "export const f = (a?: number) => a ?? 10;\n",
  ],
  [">> becomes >>>", "a.ts", "export const f = (z: number) => z >> 1;\n", "export const f = (z: number) => z >>> 1;\n"],
  [
    "= becomes +=",
    "a.py",
    "def f(xs):\n    n = 0\n    for x in xs:\n        n = x\n    return n\n",
    "def f(xs):\n    n = 0\n    for x in xs:\n        n += x\n    return n\n",
  ],
  ["+= becomes -=", "a.py", "def f(n):\n    n += 1\n    return n\n", "def f(n):\n    n -= 1\n    return n\n"],
  ["2 becomes 3", "a.py", "def f(x):\n    return x + 2\n", "def f(x):\n    return x + 3\n"],
  ["60 becomes 3600", "a.py", "def f(x):\n    return x * 60\n", "def f(x):\n    return x * 3600\n"],
  ["True becomes False", "a.py", "def f():\n    return True\n", "def f():\n    return False\n"],
  [
    "0x7f becomes 0xff",
    "a.ts",
    "export const f = (x: number) => x & 0x7f;\n",
    "export const f = (x: number) => x & 0xff;\n",
  ],
  ["'' becomes '-'", "a.py", "def f(xs):\n    return ''.join(xs)\n", "def f(xs):\n    return '-'.join(xs)\n"],
  [
    "'%d/%m/%Y' becomes '%m/%d/%Y'",
    "a.py",
    "def f(d):\n    return d.strftime('%d/%m/%Y')\n",
    "def f(d):\n    return d.strftime('%m/%d/%Y')\n",
  ],
  ["group f - 32", "a.py", "def f(f):\n    return f - 32 * 5 / 9\n", "def f(f):\n    return (f - 32) * 5 / 9\n"],
  ["a - b becomes b - a", "a.py", "def f(a, b):\n    return a - b\n", "def f(a, b):\n    return b - a\n"],
  [
    "(i - 1) % n is never negative",
    "a.ts",
    "export const f = (i: number, n: number) => (i - 1) % n;\n",
    "export const f = (i: number, n: number) => (((i - 1) % n) + n) % n;\n",
  ],
  [
    "total // size becomes (total + size - 1) // size",
    "a.py",
    "def pages(total, size):\n    return total // size\n",
    "def pages(total, size):\n    return (total + size - 1) // size\n",
  ],
  [
    "year % 4 == 0 becomes year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)",
    "a.py",
    "def f(year):\n    return year % 4 == 0\n",
    "def f(year):\n    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)\n",
  ],
];

describe("other values, operators and comparisons", () => {
  it.each(cases)("reach: %s (%s)", async (title, path, before, after) => {
    expect(await titleOf(path, before, after)).toBe(title);
  });
});
