// The loop in the real workcell: real files, git, pytest and node --test in the real sandbox; only the models are scripted.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Crash, dieAt, doomed, memoryEngine, runOf, type Scripted, scriptedModels } from "@loopwright/core/testing";
import { projectCells } from "@loopwright/workspace";
import { describe, expect, it } from "vitest";
import { begin, reviewOf, rightTests } from "../../../test/fakes/code-runs.ts";
import { bwrap } from "../../../test/sandbox/bwrap-works.ts";
import { code } from "./index.ts";

const file = (path: string, text: string) => `===FILE: ${path}===\n${text}\n===END FILE===\n`;

async function realRun(
  script: Readonly<Record<string, readonly Scripted[]>>,
  heldOut?: string,
  given: Readonly<Record<string, string>> = {},
) {
  const root = mkdtempSync(join(tmpdir(), "code-real-"));
  const [workspace, state] = [join(root, "workspace"), join(root, "state")];
  mkdirSync(workspace);
  for (const [path, text] of Object.entries(given)) writeFileSync(join(workspace, path), text);
  const hidden = join(root, "test_hidden.py");
  if (heldOut !== undefined) writeFileSync(hidden, heldOut);
  const options = {
    workspace,
    state,
    sandbox: bwrap!,
    ...(heldOut !== undefined && { heldOut: [hidden] }),
  };
  const scripted = scriptedModels({ audit: [rightTests], review: [reviewOf("look again")], ...script });
  const ports = { models: scripted.models, workcells: { project: projectCells(options) } };
  return { workspace, state, scripted, ports, test: memoryEngine(ports) };
}

const python = {
  plan: [
    {
      json: {
        tests: {
          filename: "test_roman.py",
          content:
            'import pytest\nfrom roman import to_roman\n\n@pytest.mark.parametrize("n, text", [(1, "I"), (4, "IV"), (9, "IX")])\ndef test_small(n, text):\n    assert to_roman(n) == text\n\ndef test_zero():\n    with pytest.raises(ValueError):\n        to_roman(0)\n',
        },
        plan: [
          {
            file: "roman.py",
            action: "create",
            functions: [{ name: "to_roman", signature: "def to_roman(n)", pseudocode: "greedy" }],
          },
        ],
      },
    },
  ],
  implement: [
    `APPROACH: only ones\n${file("roman.py", 'def to_roman(n):\n    return "I" * n')}\n===CMD===\ncat roman.py\n===END CMD===\n${file("test_roman.py", "def test(): pass")}`,
    `APPROACH: a table\n${file(
      "roman.py",
      'def to_roman(n):\n    if n < 1:\n        raise ValueError(n)\n    out = ""\n    for value, sign in ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")):\n        while n >= value:\n            out += sign\n            n -= value\n    return out',
    )}`,
  ],
  mend: [file("roman.py", "def to_roman(n):\n    return 'I' * n")],
};

describe.skipIf(!bwrap)("in a real workspace (skipped where bwrap does not work)", () => {
  it("a Python task goes from nothing to green, with one failing iteration", { timeout: 120_000 }, async () => {
    const { test, workspace, scripted } = await realRun(python);
    const { outcome, iterations, state } = await begin(test);
    expect({ outcome, iterations }).toEqual({ outcome: "done", iterations: 2 });
    expect(state.original_test_count).toBe(4);
    expect(readdirSync(workspace).sort()).toEqual(["roman.py", "test_roman.py"]);
    const told = scripted.asked("implement")[1]!.text;
    expect(told).toContain("1 of 4 tests pass.");
    expect(told).toMatch(/\$ cat roman\.py\nexit code 0\ndef to_roman/);
    expect(told).toMatch(/The file test_roman\.py was refused/);
    expect(told).toContain("'IIII' == 'IV'");
    for (const { text } of scripted.sent) expect(text).not.toContain(`${tmpdir()}/code-real`);
  });

  it("a TypeScript task goes from nothing to green on node --test, and a program that does not load is fixed", {
    timeout: 120_000,
  }, async () => {
    const { test, workspace, scripted } = await realRun({
      plan: [
        {
          json: {
            tests: {
              filename: "sum.test.ts",
              content:
                'import { test } from "node:test";\nimport assert from "node:assert/strict";\nimport { sum } from "./sum.ts";\n\ntest("adds", () => {\n  assert.equal(sum([1, 2, 3]), 6);\n});\n\ntest("nothing is zero", () => {\n  assert.equal(sum([]), 0);\n});\n',
            },
            plan: [{ file: "sum.ts", action: "create", functions: [] }],
          },
        },
      ],
      implement: [
        file("sum.ts", "export function sum(list: number[]): number {"),
        file("sum.ts", "export function sum(list: number[]): number {\n  return list.reduce((a, b) => a + b, 0);\n}"),
      ],
      mend: [
        file("sum.ts", "export function sum(list: number[]): number {\n  return list.reduce((a, b) => a + b);\n}"),
      ],
    });
    const { outcome, iterations } = await begin(test);
    expect({ outcome, iterations }).toEqual({ outcome: "done", iterations: 2 });
    expect(scripted.asked("mend").length).toBeGreaterThan(0);
    expect(scripted.asked("implement")[1]!.text).toContain("1 of 2 tests pass.");
    expect(readFileSync(join(workspace, "sum.ts"), "utf8")).toContain("a + b, 0");
  });

  it("a file of 2,000 lines is edited, and is not destroyed by one that says 'rest unchanged'", {
    timeout: 120_000,
  }, async () => {
    const functions = Array.from({ length: 700 }, (_, n) => `def f${n}(x):\n    return x + ${n}\n`);
    const long = `"""A long module."""\n${functions.join("\n")}`.replace("x + 600", "x - 600");
    const edit = (search: string, replace: string) =>
      `===EDIT: long.py===\n<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n===END EDIT===\n`;
    const tests = "from long import f0, f600\n\ndef test_it():\n    assert f600(1) == 601\n    assert f0(1) == 1\n";
    const { test, workspace, scripted } = await realRun(
      {
        "plan-change": [
          {
            json: {
              tests: { filename: "test_long.py", content: tests },
              target_tests: [],
              plan: [{ file: "long.py", action: "change" }],
            },
          },
        ],
        "implement-change": [
          file("long.py", '"""A long module."""\n\ndef f600(x):\n    return x + 600\n\n# rest unchanged'),
          edit("def f600(x):\n    return x * 600", "def f600(x):\n    return x + 600"),
          edit("def f600(x):\n    return x - 600", "def f600(x):\n    return x + 600"),
        ],
      },
      undefined,
      { "long.py": long },
    );
    const { outcome, iterations } = await begin(test);
    expect({ outcome, iterations }).toEqual({ outcome: "done", iterations: 3 });
    expect(readFileSync(join(workspace, "long.py"), "utf8")).toBe(long.replace("x - 600", "x + 600"));
    expect(scripted.asked("implement-change")[1]!.text).toMatch(/long\.py was refused: it says '# rest unchanged'/);
    expect(scripted.asked("implement-change")[2]!.text).toMatch(
      /No edit of the file long\.py was made.*does not stand there/s,
    );
    expect(scripted.asked("implement-change")[2]!.text).toContain("return x - 600");
  });

  it("held-out tests decide, and nothing of them reaches a prompt", { timeout: 120_000 }, async () => {
    const hidden = "from roman import to_roman\n\ndef test_secret_ten():\n    assert to_roman(40) == 'XL'\n";
    const right = python.implement[1]!;
    const better = right.replace("((10,", '((40, "XL"), (10,');
    const { test, scripted } = await realRun({ ...python, implement: [right, right, better] }, hidden);
    const { outcome, iterations } = await begin(test, { held_out: true });
    expect({ outcome, iterations }).toEqual({ outcome: "done", iterations: 3 });
    expect(scripted.asked("implement")[2]!.text).toContain("Hidden checks fail");
    for (const { text } of scripted.sent) expect(text).not.toMatch(/secret_ten|test_hidden|XL'/);
  });

  it.each(["effect-started", "effect-finished", "phase-finished"] as const)(
    "a run that dies at a %s of its second iteration goes on to the same workspace",
    { timeout: 120_000 },
    async (type) => {
      const { test, ports, workspace, state } = await realRun(python);
      await expect(
        begin(doomed(test, dieAt(type, "after", type === "phase-finished" ? 7 : 16), ports)),
      ).rejects.toThrow(Crash);
      writeFileSync(join(state, "checkout/roman.py"), "truncated by a crash");
      const { outcome, iterations } = await test.engine.resume(code, await runOf(test));
      expect({ outcome, iterations }).toEqual({ outcome: "done", iterations: 2 });
      expect(readdirSync(workspace).sort()).toEqual(["roman.py", "test_roman.py"]);
      expect(readFileSync(join(workspace, "roman.py"), "utf8")).toContain('(4, "IV")');
    },
  );
});
