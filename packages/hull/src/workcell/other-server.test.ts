// A run that is driven by a server of somebody else's.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryEngine, scriptedModels } from "@loopwright/core/testing";
import { afterAll, describe, expect, it } from "vitest";
import { hasBlender } from "../../../../test/fakes/blender.ts";
import { blockTask, boxAnswer } from "../../../../test/fixtures/hull/block.ts";
import { hull, hullCells, startOptions } from "../index.ts";

const root = mkdtempSync(join(tmpdir(), "loopwright-other-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const program = join(import.meta.dirname, "../../../../test/fakes/other-blender.ts");
const command = [process.execPath, "-C", "loopwright-source", program];
const workcells = hullCells({ own: { workcell: { mcp: { command, tools: { execute_code: "run_python" } } } } });
const raises = "PLAN: x\n```python\nimport bpy\nbpy.ops.mesh.primitive_cube_add()\nraise ValueError('no')\n```";

function begin(sandbox: string) {
  const scripted = scriptedModels({ builder: [boxAnswer(3, 2, 1.5), raises, boxAnswer(4, 2, 1.5)] });
  const test = memoryEngine({ project: root, workcells, models: scripted.models });
  const task = blockTask({ game_asset: true });
  const config = { hull: { sandbox } };
  return { test, scripted, ended: test.engine.start(hull, task, { ...startOptions(task), seed: 1, config }) };
}

describe.skipIf(!hasBlender)("another MCP server", { timeout: 180_000 }, () => {
  it("with three tools, names of its own and failures in words alone drives a run", async () => {
    const { test, scripted, ended } = begin("none");
    await using _ = test.engine;
    const { run, outcome, iterations, state } = await ended;
    expect([outcome, iterations]).toEqual(["done", 2]);
    expect(scripted.asked("builder")[2]!.text).toContain("ValueError");
    expect(state.scene_snapshot).toMatchObject({ object_count: 1 });
    expect(state.best!.blend!.size).toBeGreaterThan(1000);
    // Its game asset too: of a block there is nothing to leave out, and nothing else is wrong with it.
    expect((await test.record(run)).lastNotes!["game-asset"]).toEqual({
      triangles: [12, 12, 12],
      problems: [1, 2].map((level) => `lod${level}.glb has 12 triangles, no fewer than the level before it`),
    });
  });

  it("is not used without consent to its having no sandbox of ours", async () => {
    const { test, ended } = begin("bwrap");
    await using _ = test.engine;
    await expect(ended).rejects.toThrow("--sandbox none");
  });
});
