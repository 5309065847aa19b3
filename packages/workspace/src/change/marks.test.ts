import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { markChange } from "./marks.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Runs a changed source, and gives the changed lines that were not executed, and what it printed. */
async function unseen(path: string, after: string, before = ""): Promise<{ lines: number[]; printed: string }> {
  const folder = mkdtempSync(join(tmpdir(), "marks-"));
  folders.push(folder);
  const seen = join(folder, "seen");
  writeFileSync(seen, "");
  const { files, marks } = await markChange([{ path, before, after }], seen);
  writeFileSync(join(folder, path), files[0]?.content ?? after);
  const command = path.endsWith(".py") ? "python3" : "node";
  const printed = execFileSync(command, [join(folder, path)], { encoding: "utf8" });
  const ids = new Set(readFileSync(seen, "utf8").split("\n").filter(Boolean).map(Number));
  return { lines: marks.flatMap(({ lines }, id) => (ids.has(id) ? [] : lines)).sort((a, b) => a - b), printed };
}

const python = `"""What it is."""
from __future__ import annotations
import sys

class A:
    """A class."""
    size = 3

    @property
    def twice(self):
        if self.size > 5: return 0
        try:
            value = self.size * 2
        except ValueError:
            value = 1
        else:
            value += 0; value += 0
        return value

def unused(a,
           b):
    # a comment
    return a

def gen():
    for n in (1, 2):
        yield n
    while False:
        print("never")
print(A().twice, *gen(), [x for x in (3,)], sys.argv[1:])
`;

const script = `#!/usr/bin/env node
"use strict";
import { sep } from "node:path";

export class A {
  size = 3;
  get twice() {
    if (this.size > 5) return 0;
    else if (this.size > 4) {
      return 1;
    }
    try {
      return this.size * 2;
    } catch {
      return 1;
    }
  }
}
const plain = (a) => a + 1;
const never = (a) =>
  a + 2;
const object = (a) => ({ a });
function unused(
  a,
) {
  switch (a) {
    case 1:
      return 2;
    default:
      return 3;
  }
}
for (let n = 0; n < 2; n += 1)
  console.log(n)
outer: for (const n of [1]) { continue outer; }
export { unused };
export default plain
console.log(new A().twice, plain(1), object(1).a, sep, typeof never)
`;

it("tells which statements of a new source were executed, and changes nothing of what it does", async () => {
  expect(await unseen("a.py", python)).toEqual({ lines: [11, 15, 23, 29], printed: "6 1 2 [3] []\n" });
  expect(await unseen("a.mjs", script)).toEqual({
    lines: [8, 10, 15, 21, 26, 27, 28, 29, 30],
    printed: "0\n1\n6 2 1 / function\n",
  });
  const typed = script
    .replace("(a) => a + 1", "(a: number): number => a + 1")
    .replace("export class", "type T = 1;\ninterface I {}\nexport type { T };\nexport class");
  expect(await unseen("a.mts", typed)).toEqual({
    lines: [11, 13, 18, 24, 29, 30, 31, 32, 33],
    printed: "0\n1\n6 2 1 / function\n",
  });
});

it("looks at changed lines alone: what only moved, comments and brackets are none", async () => {
  const before = python.replace("    return a\n", "    return b\n").replace("    # a comment\n", "");
  expect((await unseen("a.py", python, before)).lines).toEqual([23]);
  expect((await unseen("a.py", python, python.replace("    # a comment\n", ""))).lines).toEqual([]);
  expect(
    (
      await markChange(
        [
          { path: "a.css", after: "a {}" },
          { path: "b.py", after: '"""Text."""\n' },
        ],
        "seen",
      )
    ).marks,
  ).toEqual([]);
});

it("goes by where a line was put in, not by what it says: an equal line elsewhere is not the changed one", async () => {
  const loop = (name: string, skip: string) =>
    `def ${name}(values):\n    for value in values:\n${skip}        print(value)\n`;
  const skips = "        if value:\n            continue\n";
  const before = `${loop("first", "")}${loop("second", skips)}first([0])\n`;
  const after = `${loop("first", skips)}${loop("second", skips)}first([0, 1])\n`;
  expect(await unseen("a.py", after, before)).toEqual({ lines: [], printed: "0\n" });
  const never = after.replace("[0, 1]", "[0]");
  expect(await unseen("a.py", never, before)).toEqual({ lines: [4], printed: "0\n" });
});
