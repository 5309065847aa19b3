import { describe, expect, it } from "vitest";
import { scanChange } from "./scan.ts";

const codes = async (path: string, after: string, before?: string) =>
  (await scanChange([{ path, after, ...(before !== undefined && { before }) }])).map(({ code, severity }) =>
    severity === "hard" ? code : `shown ${code}`,
  );

describe("a hard finding", () => {
  it.each([
    ["RUNNER_INTERNALS", "import _pytest.runner as r\n"],
    ["RUNNER_INTERNALS", "from _pytest.reports import TestReport\n"],
    ["BUILTIN_PATCHED", "import builtins\nbuiltins.isinstance = f\n"],
    ["BUILTIN_PATCHED", "import builtins as b\nsetattr(b, 'len', f)\n"],
    ["BUILTIN_PATCHED", "__builtins__['len'] = f\n"],
    [
      "EQUALS_EVERYTHING",
      "class A:\n    def __eq__(self, o):\n        '''Words.'''\n        # more\n        return True\n",
    ],
    ["EQUALS_EVERYTHING", "A = type('A', (), {'__eq__': lambda s, o: True})\n"],
    ["EQUALS_EVERYTHING", "class A:\n    __eq__ = lambda s, o: True\n"],
    ["EQUALS_EVERYTHING", "class A:\n    def __eq__(self, o):\n        return 1 == 1\n"],
    ["EQUALS_EVERYTHING", "class A:\n    __eq__ = lambda *a: not False\n"],
  ])("%s is made for %j in Python", async (code, source) => {
    expect(await codes("m.py", source)).toEqual([code]);
  });

  it.each([
    ["from unittest.mock import ANY\nx = ANY\n"],
    ["from unittest import mock\nx = [mock.ANY]\n"],
    ["import pytest\nx = pytest.approx(0, abs=9)\n"],
    ["from pytest import approx as approx\nx = approx(0)\n"],
  ])("EQUALS_EVERYTHING is made for %j in Python", async (source) => {
    expect(await codes("m.py", source)).toEqual(["EQUALS_EVERYTHING"]);
  });

  it.each([
    ["import pytest\npytest.raises = f\n"],
    ["from unittest import TestCase\nTestCase.assertEqual = f\n"],
    ["import unittest as u\nsetattr(u.TestCase, 'assertEqual', f)\n"],
  ])("RUNNER_PATCHED is made for %j in Python", async (source) => {
    expect(await codes("m.py", source)).toEqual(["RUNNER_PATCHED"]);
  });

  it.each([
    ["BUILTIN_PATCHED", "Array.prototype.at = f;"],
    ["BUILTIN_PATCHED", "Object.defineProperty(Function.prototype, 'call', {});"],
    ["BUILTIN_PATCHED", "(globalThis.JSON as any).stringify = f;"],
    ["RUNNER_PATCHED", "import assert from 'node:assert';\nassert.equal = f;"],
    ["RUNNER_PATCHED", "const assert = require('assert');\nObject.assign(assert, { equal() {} });"],
    ["EQUALS_EVERYTHING", "export const any = { asymmetricMatch: () => true };"],
    ["EQUALS_EVERYTHING", "class A { asymmetricMatch(x) { return true; } }"],
    ["EQUALS_EVERYTHING", "import { expect } from '@vitest/expect';\nexport const any = expect.anything();"],
  ])("%s is made for %j in scripts", async (code, source) => {
    expect(await codes("m.ts", source)).toEqual([code]);
  });

  it("names file and line, and what to do", async () => {
    const [found] = await scanChange([{ path: "src/m.py", after: "x = 1\nimport _pytest\n" }]);
    expect(found).toMatchObject({
      severity: "hard",
      message: expect.stringMatching(/^src\/m\.py:2: _pytest /),
      fix: expect.any(String),
    });
  });
});

describe("nothing is made of", () => {
  it.each([
    ["m.py", "# import _pytest\nwords = 'import _pytest'\n"],
    ["m.py", "class A:\n    def __eq__(self, o):\n        return self.x == o.x\n"],
    ["m.py", "class A:\n    def __eq__(self, o):\n        if o:\n            return True\n        return False\n"],
    ["m.py", "import inspect, gc, numpy\nnumpy.stack([inspect.signature(f)])\nexec(eval('1'))\n"],
    ["m.py", "import math\nself.raises = 1\nmath_ = builtins_like.len\n"],
    ["m.py", "def eq(): return True\n"],
    ["m.py", "class A:\n    def __eq__(self, o):\n        return NotImplemented\n"],
    ["m.py", "# coding: latin-1\nfrom importlib.metadata import version\nANY = re.compile('x')\nx = approx = ANY\n"],
    ["m.ts", "const a = require('./a'), b = require('./b.json'), c = await import('c/d'); schema.any(); z.any();"],
    ["m.ts", "// Array.prototype.at = f\nconst s = 'Array.prototype.at = f';"],
    ["m.ts", "class List {}\nList.prototype.at = f;\nconst o = Object.assign({}, a);"],
    ["m.ts", "process.stdout.write = f; const g = new Function('a', 'return a');"],
    ["m.ts", "const x = Array.prototype.slice.call(a);"],
    ["m.ts", "exports.a = 1; module.exports.b = 2; this.Object = 1;"],
    ["notes.txt", "import _pytest"],
  ])("%s: %j", async (path, source) => {
    expect(await codes(path, source)).toEqual([]);
  });

  it("what the file has always done", async () => {
    const before = "import _pytest\nimport gc\nclass A:\n    def __eq__(self, o): return True\n";
    expect(await codes("plugin.py", `${before}\nfrom _pytest.runner import x\n`, before)).toEqual([]);
    expect(await codes("plugin.py", `${before}\nimport builtins\nbuiltins.x = 1\n`, before)).toEqual([
      "BUILTIN_PATCHED",
    ]);
  });
});

it.each([
  ["m.py", "import inspect\nframe = inspect.stack()[1]\n"],
  ["m.py", "import sys\nframe = sys._getframe()\n"],
  ["m.py", "def up(frame):\n    return frame.f_back\n"],
  ["m.py", "import gc\nfor each in gc.get_objects(): each\n"],
])("in %s, %j is shown only: a program may learn so what its caller expects", async (path, source) => {
  expect(await codes(path, source)).toEqual(["shown LOOKS_AT_CALLERS"]);
});
