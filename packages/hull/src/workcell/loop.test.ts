// The loop on the real Blender, with models that answer by a script.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openProject } from "@loopwright/core";
import { memoryEngine, type Scripted, scriptedModels } from "@loopwright/core/testing";
import { afterAll, describe, expect, it } from "vitest";
import { hasBlender } from "../../../../test/fakes/blender.ts";
import { blockTask, boxAnswer } from "../../../../test/fixtures/hull/block.ts";
import { drawTarget } from "../../../../test/fixtures/hull/targets.ts";
import { targetToTask } from "../../../../test/fixtures/hull/task.ts";
import { type HullTask, hull, hullCells, startOptions } from "../index.ts";

const root = mkdtempSync(join(tmpdir(), "loopwright-hull-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const workcells = hullCells({ own: {} });
const config = { hull: { sandbox: "bwrap" } };
const perfect = { json: { overall_score: 1, detected_issues: [], suggested_fixes: [], is_complete: true } };
const python = (code: string) => `PLAN: a trick\n\`\`\`python\n${code}\n\`\`\``;

async function runOn(task: HullTask, builder: readonly Scripted[], evaluator: readonly Scripted[] = [perfect]) {
  const scripted = scriptedModels({ builder, evaluator });
  const test = memoryEngine({ project: root, workcells, models: scripted.models });
  await using _ = test.engine;
  const result = await test.engine.start(hull, task, { ...startOptions(task), seed: 2, config });
  const { scores, lastNotes } = await test.record(result.run);
  return { ...result, scripted, scores: scores.map(({ score }) => score), progress: lastNotes?.progress };
}

describe.skipIf(!hasBlender)("the loop on Blender", { timeout: 180_000 }, () => {
  it("test_full_iteration_cycle: a plan, its code, the scene, four renders and feedback", async () => {
    const { state, iterations } = await runOn(blockTask({ max_iterations: 1 }), [boxAnswer(2, 2, 1)]);
    expect(iterations).toBe(1);
    expect(state).toMatchObject({
      last_plan: "a box of 2 by 2 by 1",
      scene_snapshot: { objects: [{ name: "Cube" }] },
      last_execution_result: { status: "succeeded", retry_count: 0 },
    });
    expect(Object.keys(state.current_renders)).toEqual(["front", "side", "top", "iso"]);
    expect(state.suggested_fixes.join()).toMatch(/lengthen the hull by about 2\.\d+ m/);
  });

  it("test_simple_cube_refinement: from an empty scene by way of an E2 and an E1 to a block that passes", async () => {
    const raises = python("import bpy\nbpy.ops.mesh.primitive_cube_add()\nraise ValueError('not yet')");
    const answers = [boxAnswer(2, 2, 2), "Just imagine it.", raises, boxAnswer(3, 2, 1.5), boxAnswer(4, 2, 1.5)];
    const { outcome, iterations, scores, scripted, state, progress } = await runOn(blockTask(), answers);
    expect([outcome, iterations]).toEqual(["done", 3]);
    expect(scores[0]).toBe(0);
    expect(scores).toEqual(scores.toSorted((a, b) => a - b));
    expect(progress).toEqual({ from: 0, to: scores.at(-1), iterations: 3, seconds: expect.any(Number) });
    expect(scripted.asked("builder")[3]!.text).toContain("ValueError");
    expect(state.best).toMatchObject({ iteration: 3, blend: { path: expect.stringContaining("scene.blend") } });
  });

  it("test_hull_proportions_task, test_score_improvement: search refines a hull of geometry nodes", async () => {
    const target = targetToTask(drawTarget(301));
    const search = { evaluations: 60, size: 128 };
    const task = { ...target, workcell: "blender" as const, search, max_iterations: 4, render_size: 256 };
    const { scores, state } = await runOn(task, []);
    expect(scores).toHaveLength(5);
    expect(scores.at(-1)).toBeGreaterThan(scores[0]! + 0.1);
    const { category_scores } = state.evaluator_feedback!;
    expect(category_scores.surface_quality).toBe(1);
    expect(category_scores.proportions).toBeGreaterThan(0.8);
  });

  it("test_artifact_logging: the run folder has every file that it should", async () => {
    const dir = join(root, "project");
    await using project = await openProject({
      dir,
      workcells,
      models: scriptedModels({ builder: [boxAnswer(3, 2, 1.5), boxAnswer(4, 2, 1.5)], evaluator: [perfect] }).models,
    });
    const task = blockTask({ evaluator: "both" });
    const { run, folder } = await project.start(hull, task, { ...startOptions(task), seed: 2 });
    const iteration = ["plan.txt", "code.py", "execution.json", "feedback.json", "scene.glb", "scene.blend"];
    const views = ["front", "side", "top", "iso"].map((view) => `renders/${view}.png`);
    const names = [
      ...["run.json", "baseline.blend", "summary.json", "attempt-000/config.json"],
      ...["attempt-000/final_score.json", "attempt-000/final.blend", "attempt-000/final.glb"],
      ...[1, 2].flatMap((n) => [...iteration, ...views].map((name) => `attempt-000/iterations/iter-00${n}/${name}`)),
    ];
    for (const name of names) expect(existsSync(join(dir, "runs", folder, name)), name).toBe(true);
    const final = JSON.parse(readFileSync(join(dir, "runs", folder, "attempt-000/final_score.json"), "utf8"));
    expect(final).toMatchObject({ status: "converged", best_iteration: 2 });
    // A fork finds the scenes of the run that it comes from; pruned, a run leaves none behind.
    const fork = await project.fork(run, 2);
    expect(await project.resume(hull, fork)).toMatchObject({ outcome: "done", iterations: 2 });
    const scenes = join(dir, ".loopwright/scenes");
    expect(readdirSync(scenes).sort()).toEqual([run, fork]);
    await project.release([run]);
    expect(readdirSync(scenes)).toEqual([fork]);
  });
});
