// What to type once a run has ended, and what is said of where its result is.

import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunRecord, WorkcellHandle } from "@loopwright/core";
import { openSandbox } from "@loopwright/sandbox";
import { describe, expect, it } from "vitest";
import { applyResult, type ProjectCell, projectCells } from "./index.ts";
import { appliedWords, withLeft, workspaceSteps } from "./result.ts";

function stepsOf(outcome: string, settings: object, change?: object, state: object = { best: {} }): string[] {
  const kept = { workspace: "/w", state: "/s", tests: [], heldOut: [], ...settings };
  const record = { run: "r", loop: "code", config: { code: kept }, state, ended: { outcome }, lastNotes: { change } };
  return workspaceSteps(record as unknown as RunRecord).map(({ command }) => command);
}

describe("what to type", () => {
  it.each([
    ["done", {}, ["loopwright undo r"]],
    ["ceiling", {}, ["loopwright apply r"]],
    ["done", { patch: true }, ["loopwright apply r", "loopwright undo r"]],
    ["done", { branch: "fix" }, ["git merge fix", "loopwright undo r"]],
    ["escalated", { branch: "fix" }, ["loopwright apply r"]],
  ])("after %s with %o", (outcome, settings, commands) => {
    expect(stepsOf(outcome, settings)).toEqual(commands);
  });

  it.each([
    ["a run that has reached no state", "failed", {}, undefined, {}],
    ["a best state that is as the files are", "ceiling", {}, { count: 0 }, { best: {} }],
    ["a run that had nothing to apply", "done", {}, undefined, { applied: 0 }],
    ["a patch with nothing in it", "done", { patch: true }, { count: 0 }, { applied: 0 }],
    ["a branch that was not made", "done", { branch: "fix" }, undefined, { applied: 0 }],
  ])("is nothing about %s", (_, outcome, settings, change, state) => {
    expect(stepsOf(outcome, settings, change, state)).toEqual([]);
  });

  it("names the branch that was made, as a shell takes it", () => {
    expect(stepsOf("done", { branch: "fix" }, { branch: "fix-2" })[0]).toBe("git merge fix-2");
    expect(stepsOf("done", { branch: "a;b'c" })[0]).toBe("git merge 'a;b'\\''c'");
  });
});

it("A program of the run's own is none of your files", () => {
  const applied = { written: ["a.ts"], conflicts: [] };
  expect(appliedWords(applied)).toBe("applied to your files: a.ts");
  expect(appliedWords({ ...applied, folder: "/s/program" })).toBe("applied to the program in /s/program: a.ts");
});

it("A file that was deleted is said to be", () => {
  const applied = { written: ["a.ts", "b.ts"], deleted: ["b.ts"], conflicts: [] };
  expect(appliedWords(applied)).toBe("applied to your files: a.ts, b.ts (deleted)");
});

it("A patch is said to be none of your files' business", () => {
  expect(appliedWords({ written: [], conflicts: [], isPatch: true })).toMatch(/^nothing was applied/);
});

it("An end says what of the result is not in the user's files, and what to type", () => {
  expect(withLeft("all 4 tests pass", { conflicts: [] })).toBe("all 4 tests pass");
  expect(withLeft("all 4 tests pass", { conflicts: ["calc.py"], branch: "fix" })).toBe("all 4 tests pass");
  const left = withLeft("all 4 tests pass", { conflicts: ["calc.py"] });
  expect(left).toContain("all 4 tests pass in the run's own checkout; not in your files: calc.py");
  expect(left).toContain("loopwright apply RUN --over");
});

it.each([
  ["keep", { written: ["b.py"], conflicts: ["a.py"] }, "theirs\n"],
  ["take", { written: ["a.py", "b.py"], conflicts: [] }, "the run's\n"],
])("nothing is written before they have said whose stay: %s", async (choice, applied, a) => {
  const root = mkdtempSync(join(tmpdir(), "workspace-apply-"));
  const workspace = join(root, "shop");
  const [read, write] = [
    (path: string) => readFileSync(join(workspace, path), "utf8"),
    (path: string, text: string) => writeFileSync(join(workspace, path), text),
  ];
  mkdirSync(workspace);
  for (const path of ["a.py", "b.py"]) write(path, "before\n");
  const cells = projectCells({ workspace, state: join(root, "state"), sandbox: await openSandbox("none") });
  const cell = await cells({ snapshot: undefined, signal: AbortSignal.timeout(60_000) } as never);
  await cell.writeFiles(["a.py", "b.py"].map((path) => ({ path, content: "the run's\n" })));
  write("a.py", "theirs\n");
  const asked: unknown[] = [];
  const ctx = {
    ask: async ({ name, about }: { name: string; about: unknown }) => {
      asked.push({ name, about, a: read("a.py"), b: read("b.py") });
      return { choice };
    },
    tell: async () => {},
  };
  const handle = { effect: (_: string, { run }: { run: (cell: ProjectCell) => unknown }) => run(cell) };
  expect(await applyResult(ctx as never, handle as unknown as WorkcellHandle<ProjectCell>)).toEqual(applied);
  expect(asked).toEqual([{ name: "conflict", about: ["a.py"], a: "theirs\n", b: "before\n" }]);
  expect([read("a.py"), read("b.py")]).toEqual([a, "the run's\n"]);
});
