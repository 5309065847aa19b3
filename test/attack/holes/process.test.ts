// Each test file has a process of its own, with the real binary: what one does to its interpreter is not there for the next, and
// nothing of the workspace is loaded by what starts them.

import { expect, it } from "vitest";
import { Folder, lastLine } from "../../fakes/cli.ts";
import { bwrap } from "../../sandbox/bwrap-works.ts";
import { asking, file, scriptedModel } from "./model.ts";

const tests = {
  "tests/test_a.py": `import builtins
import os
from calc import add


def test_add():
    builtins.seen_by = os.getpid()
    assert add(1, 2) == 3
`,
  "tests/test_b.py": `import builtins
import os
from calc import add, loaded


def test_alone():
    assert add(2, 2) == 4
    assert not hasattr(builtins, "seen_by")


def test_parent():
    assert os.getppid() not in loaded()
`,
};

/** A program that notes which processes have loaded it. */
const calc = `import os

open("/tmp/loaded.txt", "a").write("%d\\n" % os.getpid())


def loaded():
    return [int(line) for line in open("/tmp/loaded.txt")]


def add(a, b):
    return a + b
`;

it.skipIf(!bwrap)("No test file meets another (skipped where bwrap does not work).", { timeout: 120_000 }, async () => {
  using at = new Folder();
  await at.write("task.md", "# Task\n\nWrite `calc.py`.\n");
  for (const [path, text] of Object.entries(tests)) await at.write(path, text);
  await using server = await scriptedModel({ program: "calc.py", answers: [file("calc.py", calc)] });
  const ended = await at.cli(["code", "--tests", "tests", "--max-iterations", "2", ...asking(server)]);
  expect(lastLine(ended), server.shown.at(-1)).toMatchObject({ outcome: "done" });
});
