// A small program in each language with trials on it, and a hostile version tried between good ones.

import { strict as assert } from "node:assert";
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sandbox } from "@loopwright/sandbox";
import { projectCells } from "@loopwright/workspace";
import { type HostileVersion, nodeVersions, pythonVersions } from "./hostile-versions.ts";

export interface HostileLanguage {
  name: string;
  program: string;
  wrong: string;
  right: string;
  test: string;
  tests: string;
  failing: string;
  passing: string;
  versions: readonly HostileVersion[];
}

export const languages: readonly HostileLanguage[] = [
  {
    name: "Python",
    program: "add.py",
    wrong: "def add(a, b):\n    return a - b\n",
    // It is right only where nothing is left of an earlier version: no file, no process.
    right: `
import os
marks = ["/tmp/mark", "/dev/shm/mark", "/loopwright/mark"]
processes = [name for name in os.listdir("/proc") if name.isdigit()]
isClean = (
    sorted(os.listdir("/workspace")) == ["add.py", "notes.txt", "test_add.py"]
    and open("/workspace/notes.txt").read() == "mine\\n"
    and not os.path.islink("/workspace/add.py")
    and not any(map(os.path.exists, marks))
    and len(processes) == 3
    and os.getcwd() == "/workspace"
)

def add(a, b):
    return a + b if isClean else None
`,
    test: "test_add.py",
    tests:
      "from add import add\n\ndef test_add():\n    assert add(1, 2) == 3\n\ndef test_zero():\n    assert add(0, 0) == 0\n",
    failing: "test_add.py::test_add",
    passing: "test_add.py::test_zero",
    versions: pythonVersions,
  },
  {
    name: "TypeScript",
    program: "add.ts",
    wrong: "export const add = (a: number, b: number): number => a - b;\n",
    right: `
import fs from "node:fs";
const marks = ["/tmp/mark", "/dev/shm/mark", "/loopwright/mark"];
const processes = fs.readdirSync("/proc").filter((name) => /^[0-9]+$/.test(name));
const isClean =
  fs.readdirSync("/workspace").sort().join() === "add.test.ts,add.ts,notes.txt" &&
  fs.readFileSync("/workspace/notes.txt", "utf8") === "mine\\n" &&
  fs.readFileSync("/workspace/add.ts", "utf8").includes("isClean") &&
  !fs.lstatSync("/workspace/add.ts").isSymbolicLink() &&
  !marks.some((path) => fs.existsSync(path)) &&
  processes.length === 2;

export const add = (a: number, b: number): number => (isClean ? a + b : Number.NaN);
`,
    test: "add.test.ts",
    tests:
      'import assert from "node:assert/strict";\nimport test from "node:test";\nimport { add } from "./add.ts";\n\n' +
      'test("adds", () => assert.equal(add(1, 2), 3));\ntest("adds nothing", () => assert.equal(add(0, 0), 0));\n',
    failing: "add.test.ts > adds",
    passing: "add.test.ts > adds nothing",
    versions: nodeVersions,
  },
];

export interface HostileTrials extends AsyncDisposable {
  /** Tries a hostile version, then a good one and the program as it stands; fails where the first was felt by anyone. */
  tryBetween(version: HostileVersion): Promise<void>;
}

/** Opens trials with one worker, so that every version follows the one before in it. */
export async function openHostile(language: HostileLanguage, sandbox: Sandbox): Promise<HostileTrials> {
  const base = mkdtempSync(join(tmpdir(), "loopwright-hostile-"));
  const workspace = join(base, "workspace");
  mkdirSync(workspace);
  writeFileSync(join(workspace, language.program), language.wrong);
  writeFileSync(join(workspace, language.test), language.tests);
  writeFileSync(join(workspace, "notes.txt"), "mine\n");
  const before = digest(workspace);
  const signal = new AbortController().signal;
  const cell = await projectCells({ workspace, state: join(base, "state"), sandbox })({ snapshot: undefined, signal });
  const trials = await cell.openTrials({ signal, workers: 1 });
  assert.equal(trials.way, "warm");
  const tests = { failing: [language.failing], passing: [language.passing] };
  // Jobs see the workspace at its own path.
  const here = (text: string) => text.replaceAll("/workspace", workspace);
  const good = [{ path: language.program, content: here(language.right.trimStart()) }];
  return {
    async tryBetween({ source, deceives = false }) {
      const hostile = [{ path: language.program, content: here(source) }];
      const [bad, next, same] = await trials.tryAll([hostile, good, []], { tests, signal });
      assert.equal(bad?.passes, deceives);
      assert.deepEqual(next, { fixed: [language.failing], passes: true });
      assert.deepEqual(same, { fixed: [], passes: false });
      assert.equal(digest(workspace), before, "the workspace has changed");
    },
    async [Symbol.asyncDispose]() {
      await trials[Symbol.asyncDispose]();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

/** Everything of a folder: names, modes, times and contents. */
function digest(folder: string): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    const found = lstatSync(join(folder, name));
    hash.update(`${name}\0${found.mode}\0${found.mtimeMs}\0${found.ctimeMs}\0`);
    if (found.isFile()) hash.update(readFileSync(join(folder, name)));
  }
  return hash.digest("hex");
}
