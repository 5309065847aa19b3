import { describe, expect, it } from "vitest";
import { titleOf } from "../../../../../../test/fixtures/search/candidates.ts";

const cases: [string, string, string, string][] = [
  [
    "swap a.take() and b.check()",
    "a.py",
    "def f(a, b):\n    a.take()\n    b.check()\n    b.put()\n",
    "def f(a, b):\n    b.check()\n    a.take()\n    b.put()\n",
  ],
  [
    "delete a.drop()",
    "a.py",
    "def f(a):\n    a.take()\n    a.drop()\n    return a\n",
    "def f(a):\n    a.take()\n    return a\n",
  ],
  [
    "move return True behind the for",
    "a.py",
    "def f(xs):\n    for x in xs:\n        if x < 0:\n            return False\n        return True\n",
    "def f(xs):\n    for x in xs:\n        if x < 0:\n            return False\n    return True\n",
  ],
  [
    "insert if now: out.append(now)",
    "a.py",
    "def f(xs, size):\n    out = []\n    now = []\n    for x in xs:\n        now.append(x)\n        if len(now) == size:\n            out.append(now)\n            now = []\n    return out\n",
    "def f(xs, size):\n    out = []\n    now = []\n    for x in xs:\n        now.append(x)\n        if len(now) == size:\n            out.append(now)\n            now = []\n    if now:\n        out.append(now)\n    return out\n",
  ],
  [
    "insert seen.add(node)",
    "a.py",
    "def f(graph, start):\n    seen = set()\n    stack = [start]\n    while stack:\n        node = stack.pop()\n        if node in seen:\n            continue\n        stack.extend(graph[node])\n    return seen\n",
    "def f(graph, start):\n    seen = set()\n    stack = [start]\n    while stack:\n        node = stack.pop()\n        if node in seen:\n            continue\n        seen.add(node)\n        stack.extend(graph[node])\n    return seen\n",
  ],
  [
    "insert path.pop();",
    "a.ts",
    "export function f(path: string[], name: string, go: () => void) {\n  path.push(name);\n  go();\n}\n",
    "export function f(path: string[], name: string, go: () => void) {\n  path.push(name);\n  go();\n  path.pop();\n}\n",
  ],
  [
    "insert if not values: return 0",
    "a.py",
    "def f(values):\n    return sum(values) / len(values)\n",
    "def f(values):\n    if not values:\n        return 0\n    return sum(values) / len(values)\n",
  ],
  [
    "insert if x <= 0: continue",
    "a.ts",
    "export function f(xs: number[]) {\n  let n = 0;\n  for (const x of xs) {\n    n += x;\n  }\n  return n;\n}\n",
    "export function f(xs: number[]) {\n  let n = 0;\n  for (const x of xs) {\n    if (x <= 0) continue;\n    n += x;\n  }\n  return n;\n}\n",
  ],
  [
    "0 becomes xs[0]",
    "a.py",
    "def f(xs):\n    best = 0\n    for x in xs:\n        if x > best:\n            best = x\n    return best\n",
    "def f(xs):\n    best = xs[0]\n    for x in xs:\n        if x > best:\n            best = x\n    return best\n",
  ],
  [
    "insert super().__init__(n)",
    "a.py",
    "class A:\n    def __init__(self, n):\n        self.n = n\n\n\nclass B(A):\n    def __init__(self, n, m):\n        self.m = m\n",
    "class A:\n    def __init__(self, n):\n        self.n = n\n\n\nclass B(A):\n    def __init__(self, n, m):\n        super().__init__(n)\n        self.m = m\n",
  ],
  [
    "lock.free(); in any case",
    "a.ts",
    "export function f(work: () => number, lock: { free(): void }) {\n  const result = work();\n  lock.free();\n  return result;\n}\n",
    "export function f(work: () => number, lock: { free(): void }) {\n  try {\n    return work();\n  } finally {\n    lock.free();\n  }\n}\n",
  ],
  [
    "n is the outer one",
    "a.py",
    "def f(ok):\n    n = 0\n    def inc():\n        n += 1\n    inc()\n    return n\n",
    "def f(ok):\n    n = 0\n    def inc():\n        nonlocal n\n        n += 1\n    inc()\n    return n\n",
  ],
];

describe("whole statements", () => {
  it.each(cases)("reach: %s (%s)", async (title, path, before, after) => {
    expect(await titleOf(path, before, after)).toBe(title);
  });
});
