// Runs of older versions of the loop: they go on, or say why not.

import { expect, it } from "vitest";
import { codeRun, program, taskText } from "../../../test/fakes/code-runs.ts";
import { CodeTask, code } from "./index.ts";
import { migrate } from "./task.ts";

it("a run of version 1 goes on from its ceiling, its state as it was", async () => {
  const script = { implement: [program("alpha"), program("alpha beta")] };
  const { test } = codeRun({ script });
  const { migrate: _, ...first } = { ...code, version: 1 };
  const task = CodeTask.parse({ task: taskText });
  const { run, outcome, state } = await test.engine.start(first as typeof code, task, { ceilings: { iterations: 1 } });
  expect(outcome).toBe("ceiling");
  expect(migrate(state)).toEqual(state);
  expect(await test.engine.resume(code, run, { ceilings: { iterations: 2 } })).toMatchObject({ outcome: "done" });
  expect(await test.types(run)).toContain("run-migrated");
});

it("a run of version 1 that repaired by search is refused with what to type", () => {
  expect(() => migrate({ search: {} })).toThrow("loopwright repair --workspace . --tests PATH");
});
