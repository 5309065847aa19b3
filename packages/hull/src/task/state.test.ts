import { killAtEveryCommit, memoryEngine, scriptedModels } from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import { blockTask } from "../../../../test/fixtures/hull/block.ts";
import { hull, startOptions } from "../index.ts";
import { startLoft } from "../loft/cell.ts";
import { HullState, initialState } from "./task.ts";

const code = (length: number) => `PLAN: longer\n\`\`\`python\n{"length": ${length}}\n\`\`\``;
const seen = { overall_score: 0.4, detected_issues: ["short"], suggested_fixes: ["lengthen"] };
const script = { builder: [code(6), "prose", code(99), code(8)], evaluator: [{ json: seen }] };
const task = blockTask({ evaluator: "both", max_iterations: 2 });

/** The loft stands where Blender would. */
function world() {
  const scripted = scriptedModels(script);
  return { scripted, ports: { models: scripted.models, workcells: { blender: startLoft } } };
}

describe("a run's memory", () => {
  it("test_state_schema: is plain JSON, and reads as it was written", async () => {
    const test = memoryEngine(world().ports);
    const { state } = await test.engine.start(hull, task, startOptions(task));
    for (const each of [initialState(), state]) expect(HullState.parse(JSON.parse(JSON.stringify(each)))).toEqual(each);
    expect(HullState.safeParse({ ...state, current_score: 2 }).success).toBe(false);
  });

  it("test_checkpoint_save_restore: killed at any commit it goes on to the same end, and asks nothing twice", {
    timeout: 300_000,
  }, async () => {
    const { points, end } = await killAtEveryCommit({
      loop: hull,
      input: task,
      options: { ...startOptions(task), seed: 4 },
      world,
      inOneRun: true,
      observe: ({ scripted }) => new Set(scripted.sent.map(({ key }) => key)).size,
      between: ({ scripted }, test) => scripted.sentOnce(test),
    });
    expect(end).toMatchObject({ outcome: "ceiling", iterations: 2 });
    expect(points).toBeGreaterThan(40);
  });
});
