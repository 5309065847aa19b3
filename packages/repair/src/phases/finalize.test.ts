import { memoryEngine } from "@loopwright/core/testing";
import { expect, it } from "vitest";
import { singlePhase } from "../../../../test/fakes/loops.ts";
import { fakeProject } from "../../../../test/fakes/project-cell.ts";
import { beginSearch } from "../search-state.ts";
import { finish } from "./finalize.ts";

/** Ends a run while a repair stands in the workspace; what stands there then. */
async function left(outcome: "done" | "ceiling" | "failed" | "cancelled" | "interrupted"): Promise<string | undefined> {
  const project = fakeProject({ "calc.py": "broken" });
  const cell = await project.cells({} as never);
  const base = await cell.snapshot();
  await cell.writeFiles([{ path: "calc.py", content: "repaired" }]);
  const snapshot = await cell.snapshot();
  const search = beginSearch({ base, failing: ["a"], passing: [], held_out: [], suspects: [] });
  const loop = singlePhase((ctx) => ctx.end("stagnant"), {
    finish: (_state, _ending, ctx) =>
      finish({ hidden_results: [], snapshot, search }, { outcome, reason: "" } as never, ctx as never),
  });
  await memoryEngine({ workcells: { project: project.cells } }).engine.start(loop, null);
  return project.files.get("calc.py");
}

it.each([
  ["done", "repaired"],
  ["ceiling", "broken"],
  ["failed", "broken"],
  ["cancelled", "broken"],
  ["interrupted", "repaired"],
] as const)("A run that ends as %s while a repair is tried leaves the program %s", async (outcome, text) => {
  expect(await left(outcome)).toBe(text);
});
