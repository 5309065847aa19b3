// What a run keeps for whoever looks into its folder, and the steps that its branch has a commit for.

import { describe, expect, it } from "vitest";
import {
  amendmentOf,
  artifactOf,
  codeRun,
  notesOf,
  planFor,
  program,
  reviewOf,
  rightTests,
} from "../../../test/fakes/code-runs.ts";
import { code } from "./index.ts";

const file = (iteration: number, name: string) => `attempt-000/iterations/iter-00${iteration}/${name}`;

describe("an iteration's own files", () => {
  it("hold the re-tries of its answer, what failed, and what was refused", async () => {
    const asked = `${program("alpha beta")}\n===CMD===\nsudo x\n===END CMD===\n`;
    const { test, start } = codeRun({ script: { implement: ["no block", asked] }, task: { min_iterations: 1 } });
    const { run } = await start();
    const execution = JSON.parse(await artifactOf(test, run, file(1, "execution.json")));
    expect(execution).toMatchObject({ retry_count: 1, written: 1, refused: [{ what: "command", name: "sudo x" }] });
    expect(execution.errors).toEqual([expect.stringContaining("E2 The answer holds no block")]);
    expect(await notesOf(test, run, "refused")).toEqual([
      { what: "command", name: "sudo x", why: "sudo is not allowed" },
    ]);
  });

  it("hold the fixed program, how often it was fixed, and each error itself", async () => {
    const { test, start } = codeRun({
      script: { implement: [program("SYNTAX ERROR")], mend: [program("SYNTAX ERROR again"), program("alpha beta")] },
      task: { min_iterations: 1 },
    });
    const { run, outcome } = await start();
    expect(outcome).toBe("done");
    const tests = JSON.parse(await artifactOf(test, run, file(1, "tests.json")));
    expect(tests).toMatchObject({ retry_count: 2, verdict: { verdict: "pass" } });
    expect(tests.errors).toEqual(Array(2).fill("E1 ImportError: SyntaxError in calc.py"));
    expect(await artifactOf(test, run, file(1, "code.txt"))).toContain("SYNTAX ERROR");
    expect(await artifactOf(test, run, file(1, "fixed.txt"))).toContain("===FILE: calc.py===\nalpha beta\n");
  });
});

describe("the number of re-tries", () => {
  it.each([0, 1])("is what it was set to: %i", async (max_retries) => {
    const { start, scripted } = codeRun({ script: { plan: ["prose", "prose", "prose"] }, task: { max_retries } });
    expect((await start()).outcome).toBe("failed");
    expect(scripted.asked("plan")).toHaveLength(max_retries + 1);
  });
});

describe("accepted iterations", () => {
  it("are those that were the best in their turn, each with its approach, its plan and its results", async () => {
    const { start } = codeRun({
      script: {
        plan: [{ json: planFor("alpha", "beta", "gamma") }],
        implement: [
          program("alpha", "a table"),
          program("nothing", "a detour"),
          program("alpha beta", `a tree\u001B[2J ${"and more ".repeat(20)}`),
          program("alpha beta gamma", "all"),
        ],
        audit: [rightTests],
        review: [reviewOf("more")],
      },
    });
    const { state, outcome } = await start();
    expect(outcome).toBe("done");
    expect(state.accepted!.map(({ iteration }) => iteration)).toEqual([1, 3, 4]);
    const [first, second] = state.accepted!.map(({ message }) => message.split("\n"));
    expect(first![0]).toBe("iteration 1: a table");
    expect(first!.at(-1)).toMatch(/^Plan 1\. 1 of 3 tests pass; failing: /);
    expect(second![0]).toMatch(/^iteration 3: a tree and more .*…$/);
    expect(second![0]!.length).toBeLessThanOrEqual(72);
    expect(state.accepted!.at(-1)!.snapshot).toBe(state.snapshot);
  });

  it("are applied with the result, and the end tells what was changed and what the tests say", async () => {
    const { start, test } = codeRun({ script: { implement: [program("alpha beta")] }, task: { min_iterations: 1 } });
    const { run } = await start();
    expect(await artifactOf(test, run, "attempt-000/result.patch")).toContain("+++ b/calc.py\n+alpha beta");
    const [change] = (await notesOf(test, run, "change")) as { files: unknown[]; patch: string }[];
    expect(change).toMatchObject({ count: 2, patch: "attempt-000/result.patch" });
    expect(await notesOf(test, run, "results")).toEqual([{ tests: { passed: 2, of: 2 } }]);
  });
});

it("A task in words that was escalated goes on with what a person says of it in the answer", async () => {
  const { start, test, scripted } = codeRun({
    script: {
      implement: [...Array<string>(5).fill(program("alpha")), program("alpha beta")],
      amend: [amendmentOf("x", "low")],
    },
  });
  const { run, gate } = await start();
  expect(gate!.question).toContain("resume: WORDS");
  await test.engine.answer(run, "resume", "The second word\nis beta.");
  expect(await test.engine.resume(code, run)).toMatchObject({ outcome: "done" });
  expect(scripted.asked("plan").at(-1)!.text).toContain("Words matter.\nThe second word is beta.");
});
