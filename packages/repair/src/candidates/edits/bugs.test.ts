// Bugs that people write, each as it stands and as it was meant: the edits reach what was meant.

import { describe, expect, it } from "vitest";
import { titleOf } from "../../../../../test/fixtures/search/candidates.ts";

const python: Record<string, [string, string]> = {
  "a bit is toggled, not cleared": [
    "def f(mask, flag):\n    return mask ^ flag\n",
    "def f(mask, flag):\n    return mask & ~flag\n",
  ],
  "parentheses are missing round a stretch": [
    "def f(sign, hours, minutes):\n    return sign * hours * 60 + minutes\n",
    "def f(sign, hours, minutes):\n    return sign * (hours * 60 + minutes)\n",
  ],
  "a unit is missing": [
    "def f(elapsed_ms):\n    seconds = elapsed_ms\n    return seconds\n",
    "def f(elapsed_ms):\n    seconds = elapsed_ms / 1000\n    return seconds\n",
  ],
  "what is left of a whole is meant": [
    "def f(prefix):\n    if prefix > 32:\n        raise ValueError\n    return 255 << prefix\n",
    "def f(prefix):\n    if prefix > 32:\n        raise ValueError\n    return 255 << 32 - prefix\n",
  ],
  "a result is thrown away": [
    "def f(text):\n    text.strip()\n    return text\n",
    "def f(text):\n    text = text.strip()\n    return text\n",
  ],
  "a recursion's result is thrown away": [
    "def f(n):\n    if n < 2:\n        return 1\n    f(n - 1)\n",
    "def f(n):\n    if n < 2:\n        return 1\n    return f(n - 1)\n",
  ],
  "the program has a function for it": [
    "def find(x):\n    return x\n\n\ndef f(parent, x):\n    return parent[x]\n",
    "def find(x):\n    return x\n\n\ndef f(parent, x):\n    return find(x)\n",
  ],
  "the larger is meant": [
    "def f(xs):\n    best = 0\n    for x in xs:\n        best = x\n    return best\n",
    "def f(xs):\n    best = 0\n    for x in xs:\n        best = max(best, x)\n    return best\n",
  ],
  "a sum has a limit": [
    "def f(tokens, gained, capacity):\n    tokens = tokens + gained\n    return tokens\n",
    "def f(tokens, gained, capacity):\n    tokens = min(capacity, tokens + gained)\n    return tokens\n",
  ],
  "rows are shared": [
    "def f(matrix):\n    rows = list(matrix)\n    return rows\n",
    "def f(matrix):\n    rows = [list(row) for row in matrix]\n    return rows\n",
  ],
  "what is grouped is not sorted": [
    "from itertools import groupby\n\n\ndef f(rows, key):\n    return [list(g) for _, g in groupby(rows, key=key)]\n",
    "from itertools import groupby\n\n\ndef f(rows, key):\n    return [list(g) for _, g in groupby(sorted(rows, key=key), key=key)]\n",
  ],
  "the last 0 are all": [
    "def f(items, count):\n    return items[-count:]\n",
    "def f(items, count):\n    return items[-count:] if count > 0 else []\n",
  ],
  "one part of a key is turned round": [
    "def f(rows):\n    return sorted(rows, key=lambda row: (row[1], row[0]), reverse=True)\n",
    "def f(rows):\n    return sorted(rows, key=lambda row: (-row[1], row[0]))\n",
  ],
  "a format wants two digits": ['def f(byte):\n    return f"{byte:x}"\n', 'def f(byte):\n    return f"{byte:02x}"\n'],
  "an import is for an argument": [
    "from decimal import ROUND_HALF_UP, Decimal\n\n\ndef f(x):\n    return x.quantize(Decimal(1))\n",
    "from decimal import ROUND_HALF_UP, Decimal\n\n\ndef f(x):\n    return x.quantize(Decimal(1), ROUND_HALF_UP)\n",
  ],
  "a table's entry is compared as others are": [
    'def f(board, a, b, c):\n    if board[a] == board[b]:\n        return board[a]\n    return c if board[c] != " " else None\n',
    'def f(board, a, b, c):\n    if board[a] == board[b] and board[a] != " ":\n        return board[a]\n    return c if board[c] != " " else None\n',
  ],
  "a field is not brought up to date": [
    "class A:\n    def __init__(self, clock):\n        self.clock = clock\n        self.updated = clock()\n\n    def age(self):\n        now = self.clock()\n        return now - self.updated\n",
    "class A:\n    def __init__(self, clock):\n        self.clock = clock\n        self.updated = clock()\n\n    def age(self):\n        now = self.clock()\n        self.updated = now\n        return now - self.updated\n",
  ],
  "a field is not begun again": [
    "class A:\n    def __init__(self):\n        self.failures = 0\n        self.calls = 0\n\n    def ok(self):\n        self.calls += 1\n",
    "class A:\n    def __init__(self):\n        self.failures = 0\n        self.calls = 0\n\n    def ok(self):\n        self.failures = 0\n        self.calls += 1\n",
  ],
  "a verdict comes too early": [
    "def f(xs, ok):\n    for x in xs:\n        return ok(x)\n    return False\n",
    "def f(xs, ok):\n    for x in xs:\n        if ok(x):\n            return True\n    return False\n",
  ],
  "a fault is passed over": [
    'def f(xs, y):\n    if y < 0:\n        raise ValueError("negative")\n    for x in xs:\n        if x > y:\n            break\n    return y\n',
    'def f(xs, y):\n    if y < 0:\n        raise ValueError("negative")\n    for x in xs:\n        if x > y:\n            raise ValueError("negative")\n    return y\n',
  ],
  "done only where nothing went wrong": [
    "def f(job):\n    done = 0\n    try:\n        job()\n    except ValueError:\n        pass\n    finally:\n        done += 1\n    return done\n",
    "def f(job):\n    done = 0\n    try:\n        job()\n    except ValueError:\n        pass\n    else:\n        done += 1\n    return done\n",
  ],
  "degrees are taken for radians": [
    "import math\n\n\ndef f(a, b):\n    x = math.radians(a)\n    y = b\n    return x - y\n",
    "import math\n\n\ndef f(a, b):\n    x = math.radians(a)\n    y = math.radians(b)\n    return x - y\n",
  ],
  "two factors are in each other's place": [
    "def f(a, b, t):\n    return a * t + b * (1 - t)\n",
    "def f(a, b, t):\n    return a * (1 - t) + b * t\n",
  ],
  "from the end": [
    "def f(best, weight, capacity):\n    for room in range(weight, capacity + 1):\n        best[room] += 1\n",
    "def f(best, weight, capacity):\n    for room in range(capacity, weight - 1, -1):\n        best[room] += 1\n",
  ],
  "the module's own is meant": [
    "total = 0\n\n\ndef f():\n    total = 1\n",
    "total = 0\n\n\ndef f():\n    global total\n    total = 1\n",
  ],
  "bounds in each other's place": [
    "def f(x):\n    return min(0, max(1, x))\n",
    "def f(x):\n    return max(0, min(1, x))\n",
  ],
  "round the ring": [
    "def f(slots, head, i):\n    return slots[head + i]\n",
    "def f(slots, head, i):\n    return slots[(head + i) % len(slots)]\n",
  ],
  "it was to be taken off": ["def f(queue):\n    return queue[0]\n", "def f(queue):\n    return queue.pop(0)\n"],
  "no one waits for it": [
    "async def f(url, fetch):\n    return url, fetch(url)\n",
    "async def f(url, fetch):\n    return url, await fetch(url)\n",
  ],
  "it was to come before": [
    "def f(data, step):\n    data += step()\n    return data\n",
    "def f(data, step):\n    data = step() + data\n    return data\n",
  ],
};

const script: Record<string, [string, string]> = {
  "null is an object": [
    "export const f = (v: unknown) => typeof v === 'object';\n",
    "export const f = (v: unknown) => typeof v === 'object' && v !== null;\n",
  ],
  "months count from 0": [
    "export const f = (d: Date) => String(d.getMonth());\n",
    "export const f = (d: Date) => String(d.getMonth() + 1);\n",
  ],
  "numbers compared as texts": [
    "export const f = (a: string, b: string) => a.localeCompare(b);\n",
    "export const f = (a: string, b: string) => Number(a) - Number(b);\n",
  ],
  "rows are shared": [
    "export const f = (rows: number[][]) => [...rows];\n",
    "export const f = (rows: number[][]) => rows.map((row) => [...row]);\n",
  ],
  "a pattern has no end": [
    "export const f = (s: string) => new RegExp('^[a-z]+').test(s);\n",
    "export const f = (s: string) => new RegExp('^[a-z]+$').test(s);\n",
  ],
  "what is counted is added up": [
    "export function f(m: Map<string, number>, k: string, n: number) {\n  m.set(k, n);\n}\n",
    "export function f(m: Map<string, number>, k: string, n: number) {\n  m.set(k, (m.get(k) ?? 0) + n);\n}\n",
  ],
  "another step": [
    "export function f(n: number, out: boolean[]) {\n  for (let i = n; i < 99; i++) out[i] = true;\n}\n",
    "export function f(n: number, out: boolean[]) {\n  for (let i = n; i < 99; i += n) out[i] = true;\n}\n",
  ],
  "only else": [
    "export function f(wake: () => void, free: number) {\n  if (wake) wake();\n  free++;\n  return free;\n}\n",
    "export function f(wake: () => void, free: number) {\n  if (wake) wake();\n  else free++;\n  return free;\n}\n",
  ],
  "not the cell itself": [
    "export function f(at: (x: number, y: number) => void) {\n  for (const x of [-1, 0, 1]) {\n    for (const y of [-1, 0, 1]) {\n      at(x, y);\n    }\n  }\n}\n",
    "export function f(at: (x: number, y: number) => void) {\n  for (const x of [-1, 0, 1]) {\n    for (const y of [-1, 0, 1]) {\n      if (x === 0 && y === 0) continue;\n      at(x, y);\n    }\n  }\n}\n",
  ],
  "the first rule comes last": [
    "export const rules = () => [['<', '&lt;'], ['>', '&gt;'], ['&', '&amp;']];\n",
    "export const rules = () => [['&', '&amp;'], ['<', '&lt;'], ['>', '&gt;']];\n",
  ],
  "quotient and remainder": [
    "export const f = (k: number) => Math.floor(k / 3);\n",
    "export const f = (k: number) => k % 3;\n",
  ],
  "what was there stays": [
    "export function f(all: Record<string, object>, k: string) {\n  all[k] = {};\n}\n",
    "export function f(all: Record<string, object>, k: string) {\n  all[k] ??= {};\n}\n",
  ],
  "the timer before is stopped": [
    "export function f(timer: number | undefined, go: () => void) {\n  timer = setTimeout(go, 5);\n  return timer;\n}\n",
    "export function f(timer: number | undefined, go: () => void) {\n  clearTimeout(timer);\n  timer = setTimeout(go, 5);\n  return timer;\n}\n",
  ],
  "each text in the other's place": [
    "export const f = (s: string) => s.replaceAll('+', '_').replaceAll('/', '-');\n",
    "export const f = (s: string) => s.replaceAll('+', '-').replaceAll('/', '_');\n",
  ],
  "greedy twice": [
    "export const f = (s: string) => s.match(/a(.+)b(.+)c/);\n",
    "export const f = (s: string) => s.match(/a(.+?)b(.+?)c/);\n",
  ],
};

describe("A bug is within reach", () => {
  it.each(Object.entries(python))("in Python: %s", async (_, [before, after]) => {
    expect(await titleOf("a.py", before, after)).toBeDefined();
  });

  it.each(Object.entries(script))("in TypeScript: %s", async (_, [before, after]) => {
    expect(await titleOf("a.ts", before, after)).toBeDefined();
  });
});
