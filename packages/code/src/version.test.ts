// Runs of older versions of the loop: they go on, or say why not.

import { expect, it } from "vitest";
import { codeRun, program, scriptOf } from "../../../test/fakes/code-runs.ts";
import { code } from "./index.ts";
import { migrate } from "./task.ts";

it("a run of version 1 goes on from its ceiling, its state as it was", async () => {
  const { test, start } = codeRun({ script: scriptOf({ implement: [program("alpha"), program("alpha beta")] }) });
  const { run, outcome, state } = await start({ ceilings: { iterations: 1 } });
  expect(outcome).toBe("ceiling");
  expect(migrate(state as never)).toEqual(state);
  const older = { ...code, version: 3, migrate } as typeof code;
  expect(await test.engine.resume(older, run, { ceilings: { iterations: 2 } })).toMatchObject({ outcome: "done" });
  expect(await test.types(run)).toContain("run-migrated");
});

it("a run of version 1 that repaired by search is refused with what to type", () => {
  expect(() => migrate({ search: {} })).toThrow("loopwright repair --workspace . --tests PATH");
});
