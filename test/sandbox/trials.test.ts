// Versions that do harm: each costs itself alone, the next one is tried as if it had never been, and the workspace is
// untouched.

import { createHash } from "node:crypto";
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectCells } from "../../src/workcells/project/index.ts";
import type { Trials } from "../../src/workcells/project/trials-types.ts";
import { bwrap } from "./bwrap-works.ts";
import { nodeVersions, pythonVersions } from "./hostile-versions.ts";

const calm = new AbortController().signal;

const languages = [
  {
    name: "Python",
    program: "add.py",
    wrong: "def add(a, b):\n    return a - b\n",
    right: "def add(a, b):\n    return a + b\n",
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
    right: "export const add = (a: number, b: number): number => a + b;\n",
    test: "add.test.ts",
    tests:
      'import assert from "node:assert/strict";\nimport test from "node:test";\nimport { add } from "./add.ts";\n\n' +
      'test("adds", () => assert.equal(add(1, 2), 3));\ntest("adds nothing", () => assert.equal(add(0, 0), 0));\n',
    failing: "add.test.ts > adds",
    passing: "add.test.ts > adds nothing",
    versions: nodeVersions,
  },
];

describe.skipIf(!bwrap).each(languages)(
  "A hostile version in $name (skipped where bwrap does not work)",
  (language) => {
    let base: string;
    let trials: Trials;
    let before: string;

    beforeAll(async () => {
      base = mkdtempSync(join(tmpdir(), "loopwright-hostile-"));
      const workspace = mkdtempSync(join(base, "workspace-"));
      writeFileSync(join(workspace, language.program), language.wrong);
      writeFileSync(join(workspace, language.test), language.tests);
      writeFileSync(join(workspace, "notes.txt"), "mine\n");
      before = digest(workspace);
      const start = projectCells({ workspace, state: join(base, "state"), sandbox: bwrap! });
      const cell = await start({ snapshot: undefined, signal: calm });
      trials = await cell.openTrials({ signal: calm, workers: 1 });
      expect(trials.way).toBe("warm");
    }, 60_000);
    afterAll(async () => {
      await trials?.[Symbol.asyncDispose]();
      rmSync(base, { recursive: true, force: true });
    });

    const tests = { failing: [language.failing], passing: [language.passing] };
    const good = [{ path: language.program, content: language.right }];

    it.each(language.versions)(
      "that $title costs itself alone",
      { timeout: 120_000 },
      async ({ source, deceives = false }) => {
        const hostile = [{ path: language.program, content: source }];
        const [bad, next, same] = await trials.tryAll([hostile, good, []], { tests, signal: calm });
        expect(bad).toMatchObject({ passes: deceives });
        expect(next).toEqual({ fixed: [language.failing], passes: true });
        expect(same).toEqual({ fixed: [], passes: false });
        expect(
          digest(
            readdirSync(base)
              .map((name) => join(base, name))
              .find((path) => path.includes("workspace-"))!,
          ),
        ).toBe(before);
      },
    );
  },
);

/** Everything of a folder: names, modes, times and contents. */
function digest(folder: string): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    const found = lstatSync(join(folder, name));
    hash.update(`${name}\0${found.mode}\0${found.mtimeMs}\0`);
    if (found.isFile()) hash.update(readFileSync(join(folder, name)));
  }
  return hash.digest("hex");
}
