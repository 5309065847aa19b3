// The best model as a game asset, made by the real Blender, and looked at by another one that knows nothing of ours.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openProject } from "@loopwright/core";
import { scriptedModels } from "@loopwright/core/testing";
import { afterAll, describe, expect, it } from "vitest";
import { hasBlender } from "../../../../test/fakes/blender.ts";
import { blockTask } from "../../../../test/fixtures/hull/block.ts";
import { drawTarget } from "../../../../test/fixtures/hull/targets.ts";
import { targetToTask } from "../../../../test/fixtures/hull/task.ts";
import { assetWords } from "../folders.ts";
import { HullTask, hull, hullCells, startOptions } from "../index.ts";
import { findProblems, type Level, type Measured, type Size } from "./figures.ts";

const root = mkdtempSync(join(tmpdir(), "loopwright-asset-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function runAndRead(name: string, task: HullTask, code = "") {
  const dir = join(root, name);
  const models = scriptedModels({ builder: [`PLAN: x\n\`\`\`python\n${code}\n\`\`\``] }).models;
  await using project = await openProject({ dir, workcells: hullCells({ own: {} }), models });
  const { folder, outcome } = await project.start(hull, task, { ...startOptions(task), seed: 2 });
  const run = join(dir, "runs", folder);
  const asset = join(run, "attempt-000/game-asset");
  const facts = existsSync(join(asset, "asset.json")) && JSON.parse(readFileSync(join(asset, "asset.json"), "utf8"));
  return { outcome, asset, facts, summary: JSON.parse(readFileSync(join(run, "summary.json"), "utf8")) };
}

describe.skipIf(!hasBlender)("a game asset", { timeout: 400_000 }, () => {
  it("has three levels, nothing that overlaps, and an FBX that any Blender imports with the same triangles", async () => {
    const search = { evaluations: 20, size: 64 };
    const task = { ...targetToTask(drawTarget(301)), workcell: "blender" as const, search, max_iterations: 1 };
    const { asset, facts, summary } = await runAndRead("hull", { ...task, render_size: 128, game_asset: true });
    expect(facts.problems).toEqual([]);
    const triangles: number[] = facts.levels.map((level: Level) => level.triangles);
    expect(triangles.map((count) => count / triangles[0]!)).toEqual([
      1,
      expect.closeTo(0.5, 2),
      expect.closeTo(0.25, 2),
    ]);
    for (const { unwrap } of facts.levels) expect(unwrap).toMatchObject({ overlapping: 0, unplaced: 0, outside: 0 });
    expect(summary.notes["game-asset"]).toEqual({ triangles, problems: [] });
    expect(assetWords(summary.notes["game-asset"])).toContain(`three levels of ${triangles.join(", ")} triangles`);
    expect(importedBy(join(asset, "asset.fbx"))).toEqual(triangles);
  });

  it("of a shape that overlaps when it is unwrapped as usual is unwrapped in another way", async () => {
    const { facts } = await runAndRead("stair", blockTask({ max_iterations: 1, game_asset: true }), stair);
    expect(facts.levels[0].unwrapped).toBe("fine");
    expect(facts.problems).toEqual([]);
  });

  it("that cannot be made is told, and the run ends as it would", async () => {
    const { outcome, facts, summary } = await runAndRead(
      "empty",
      blockTask({ max_iterations: 1, game_asset: true }),
      "x = 1",
    );
    expect([outcome, facts]).toEqual(["ceiling", false]);
    expect(summary.notes["game-asset"].problems[0]).toMatch(/could not be made: .*shows no surface/s);
  });
});

/** A ramp that winds three times round a pole: seen from above, it lies over itself. */
const stair = `import bpy, math
turns = [2 * math.pi * step / 24 for step in range(73)]
points = [(r * math.cos(a), r * math.sin(a), a / 6 - 1.5) for a in turns for r in (0.3, 1)]
faces = [(2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2) for i in range(72)]
mesh = bpy.data.meshes.new("Asset_LOD0")
mesh.from_pydata(points, [], faces)
bpy.context.scene.collection.objects.link(bpy.data.objects.new("Asset_LOD0", mesh))`;

/** The triangles of each object in an FBX, as a Blender of nobody's says. */
function importedBy(path: string): number[] {
  const code = [
    "import bpy",
    "bpy.ops.wm.read_homefile(use_empty=True)",
    `bpy.ops.import_scene.fbx(filepath=${JSON.stringify(path)})`,
    "things = sorted(bpy.data.objects, key=lambda thing: thing.name)",
    "print('COUNTS', [len(thing.data.loop_triangles) if thing.data.calc_loop_triangles() is None else 0 for thing in things])",
  ];
  const words = ["-b", "--factory-startup", "--python-exit-code", "1", "--python-expr", code.join("\n")];
  return JSON.parse(/COUNTS (.*)/.exec(execFileSync("blender", words, { encoding: "utf8" }))![1]!);
}

const box = (triangles: number, length = 4): Size => ({ triangles, min: [0, 0, 0], max: [length, 2, 1] });
const placed = { unplaced: 0, outside: 0, flatShare: 0, overlapping: 0, isComplete: true };
const sound: Measured = {
  model: box(100),
  levels: [100, 50, 25].map((triangles) => ({ ...box(triangles), unwrap: placed })),
};
const withLevel = (at: number, more: Partial<Level>): Measured => ({
  ...sound,
  levels: sound.levels.map((level, index) => (index === at ? { ...level, ...more } : level)),
});

describe("what is wrong with a game asset", () => {
  it("is nothing where all holds", () => {
    expect(findProblems(sound)).toEqual([]);
  });

  it.each<[string, Measured, RegExp]>([
    ["another model", { ...sound, model: box(102) }, /lod0\.glb is not the model/],
    ["another size", { ...sound, model: box(100, 5) }, /lod0\.glb is not the model/],
    ["a level that has as many", withLevel(2, box(50)), /lod2\.glb has 50 triangles, no fewer/],
    ["a level of another shape", withLevel(1, box(50, 3)), /lod1\.glb has another shape: a box of 3\.000/],
    ["an overlap", withLevel(1, { unwrap: { ...placed, overlapping: 3 } }), /lod1\.glb has 3 pairs/],
    ["no places", withLevel(0, { unwrap: { ...placed, unplaced: 9 } }), /9 triangles with no place/],
    ["places outside", withLevel(0, { unwrap: { ...placed, outside: 9 } }), /9 triangles outside/],
    [
      "one overlap",
      withLevel(1, { unwrap: { ...placed, overlapping: 1 } }),
      /lod1\.glb has 1 pair of triangles that overlap/,
    ],
    ["one without a place", withLevel(0, { unwrap: { ...placed, unplaced: 1 } }), /has 1 triangle with no place/],
    ["one outside", withLevel(0, { unwrap: { ...placed, outside: 1 } }), /has 1 triangle outside/],
    [
      "a level of one triangle",
      { ...sound, levels: [box(1), box(1), box(1)].map((level) => ({ ...level, unwrap: placed })) },
      /lod1\.glb has 1 triangle, no fewer/,
    ],
    ["flat triangles", withLevel(0, { unwrap: { ...placed, flatShare: 0.2 } }), /without an area/],
    ["a heap", withLevel(0, { unwrap: { ...placed, isComplete: false } }), /too much in one place/],
  ])("is told: %s", (_, measured, words) => {
    expect(findProblems(measured).join("\n")).toMatch(words);
  });

  it("needs Blender", () => {
    expect(() => HullTask.parse({ ...targetToTask(drawTarget(1)), game_asset: true })).toThrow("made in Blender");
  });
});
