import { describe, expect, it } from "vitest";
import { titleOf } from "../../../../../../test/fixtures/search/candidates.ts";

const cases: [string, string, string, string][] = [
  [
    "negate a",
    "a.py",
    "def f(a):\n    if a:\n        return 1\n    return 0\n",
    "def f(a):\n    if not a:\n        return 1\n    return 0\n",
  ],
  [
    "drop a from the condition",
    "a.py",
    "def f(a, b):\n    if a and b:\n        return 1\n    return 0\n",
    "def f(a, b):\n    if b:\n        return 1\n    return 0\n",
  ],
  [
    "condition becomes b > 0 and a > 0",
    "a.py",
    "def f(a, b):\n    if a > 0:\n        return 1\n    if b > 0:\n        return 2\n    return 0\n",
    "def f(a, b):\n    if a > 0:\n        return 1\n    if b > 0 and a > 0:\n        return 2\n    return 0\n",
  ],
  [
    "drop the negation of a",
    "a.py",
    "def f(a):\n    if not a:\n        return 1\n    return 0\n",
    "def f(a):\n    if a:\n        return 1\n    return 0\n",
  ],
  [
    "a becomes a is not None",
    "a.py",
    "def f(a):\n    if a:\n        return 1\n    return 0\n",
    "def f(a):\n    if a is not None:\n        return 1\n    return 0\n",
  ],
  [
    "if becomes while",
    "a.py",
    "def f(xs):\n    if xs:\n        xs.pop()\n    return xs\n",
    "def f(xs):\n    while xs:\n        xs.pop()\n    return xs\n",
  ],
  [
    "if becomes elif",
    "a.py",
    "def f(a):\n    r = 0\n    if a > 2:\n        r = 2\n    if a > 1:\n        r = 1\n    return r\n",
    "def f(a):\n    r = 0\n    if a > 2:\n        r = 2\n    elif a > 1:\n        r = 1\n    return r\n",
  ],
  [
    "if becomes else if",
    "a.ts",
    "export function f(a: number) {\n  let r = 0;\n  if (a > 2) r = 2;\n  if (a > 1) r = 1;\n  return r;\n}\n",
    "export function f(a: number) {\n  let r = 0;\n  if (a > 2) r = 2; else if (a > 1) r = 1;\n  return r;\n}\n",
  ],
  [
    "else: run = 1",
    "a.py",
    "def f(xs):\n    run = 1\n    for x in xs:\n        if x:\n            run += 1\n    return run\n",
    "def f(xs):\n    run = 1\n    for x in xs:\n        if x:\n            run += 1\n        else:\n            run = 1\n    return run\n",
  ],
  [
    "break becomes continue",
    "a.py",
    "def f(xs):\n    for x in xs:\n        if x:\n            break\n    return x\n",
    "def f(xs):\n    for x in xs:\n        if x:\n            continue\n    return x\n",
  ],
  [
    "end case 'x': with break",
    "a.ts",
    "export function f(a: string) {\n  let n = 0;\n  switch (a) {\n    case 'x':\n      n = 1;\n    default:\n      n = 2;\n  }\n  return n;\n}\n",
    "export function f(a: string) {\n  let n = 0;\n  switch (a) {\n    case 'x':\n      n = 1;\n      break;\n    default:\n      n = 2;\n  }\n  return n;\n}\n",
  ],
  ["swap 1 and 2", "a.py", "def f(ok):\n    return 1 if ok else 2\n", "def f(ok):\n    return 2 if ok else 1\n"],
  [
    "True becomes not stack",
    "a.py",
    "def f(stack):\n    stack.pop()\n    return True\n",
    "def f(stack):\n    stack.pop()\n    return not stack\n",
  ],
  [
    "ask s >= 70 before s >= 60",
    "a.py",
    "def f(s):\n    if s >= 60:\n        return 'D'\n    elif s >= 70:\n        return 'C'\n    return 'F'\n",
    "def f(s):\n    if s >= 70:\n        return 'C'\n    elif s >= 60:\n        return 'D'\n    return 'F'\n",
  ],
];

describe("conditions and branches", () => {
  it.each(cases)("reach: %s (%s)", async (title, path, before, after) => {
    expect(await titleOf(path, before, after)).toBe(title);
  });
});
