// Models of little use and models that cheat, on the real Blender, one after the other in one scene: none ever passes, whoever judges.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryEngine, type Scripted, scriptedModels } from "@loopwright/core/testing";
import { afterAll, describe, expect, it } from "vitest";
import { hasBlender } from "../../../../test/fakes/blender.ts";
import { blockTask } from "../../../../test/fixtures/hull/block.ts";
import { type HullTask, hull, hullCells, startOptions } from "../index.ts";

const root = mkdtempSync(join(tmpdir(), "loopwright-gaming-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const clear = "import bpy\nfor thing in list(bpy.data.objects):\n    bpy.data.objects.remove(thing)\n";
const box = (x: number, y: number, z: number) =>
  `bpy.ops.mesh.primitive_cube_add(size=1)\nbpy.context.object.scale = (${x}, ${y}, ${z})\n`;
const python = (code: string) => `PLAN: a trick\n\`\`\`python\n${code}\n\`\`\``;

/** A picture of the block on a plane, seen from the side. */
const picture = `${clear}bpy.ops.mesh.primitive_plane_add(size=1, rotation=(1.5708, 0, 0))
plane = bpy.context.object
plane.scale = (4, 1.5, 1)
image = bpy.data.images.new("reference", 16, 16)
image.pixels = [0.2, 0.2, 0.2, 1.0] * 256
image.pack()
material = bpy.data.materials.new("picture")
material.use_nodes = True
texture = material.node_tree.nodes.new("ShaderNodeTexImage")
texture.image = image
shader = material.node_tree.nodes["Principled BSDF"]
material.node_tree.links.new(texture.outputs["Color"], shader.inputs["Base Color"])
plane.data.materials.append(material)`;

/** What is answered, and what is grossly wrong with it. */
const tricks: readonly { answers: Scripted[]; words: RegExp }[] = [
  { answers: [python(clear)], words: /the export holds no triangle/ },
  { answers: [python(picture)], words: /open edge/ },
  {
    answers: [python(clear + box(4, 0.02, 1.5))],
    words: /0\.\d+ m wide, and should be 2\.00 m|front view shows nothing/,
  },
  { answers: [python(clear + box(4, 2, 0.02) + box(4, 0.02, 1.5) + box(0.02, 2, 1.5))], words: /flat or hollow/ },
  { answers: Array(4).fill("It is perfect as it is."), words: /could not be executed \(E2/ },
  { answers: Array(4).fill(python("1/0")), words: /could not be executed \(E1/ },
];

async function run(task: HullTask, builder: readonly Scripted[]) {
  const perfect = { json: { overall_score: 1, detected_issues: [], suggested_fixes: [], is_complete: true } };
  const scripted = scriptedModels({ builder, evaluator: [perfect] });
  const test = memoryEngine({ project: root, workcells: hullCells({ own: {} }), models: scripted.models });
  await using _ = test.engine;
  const config = { hull: { sandbox: "bwrap" } };
  const result = await test.engine.start(hull, task, { ...startOptions(task), seed: 2, config });
  const events = await test.chain(result.run);
  const verdicts = events.flatMap((event) => (event.type === "verdict-recorded" ? [event.verdict] : []));
  return { ...result, verdicts };
}

describe.skipIf(!hasBlender)("a model that cheats", { timeout: 180_000 }, () => {
  it.each(["measure", "model", "both"] as const)("never passes where %s judges", async (evaluator) => {
    const task = blockTask({ evaluator, max_iterations: tricks.length, score_threshold: 0.5 });
    const answers = tricks.flatMap((trick) => trick.answers);
    const { outcome, iterations, verdicts } = await run(task, answers);
    expect([outcome, iterations]).toEqual(["ceiling", tricks.length]);
    for (const [at, { verdict, findings, score }] of verdicts.slice(1).entries()) {
      const hard = findings.filter(({ severity }) => severity === "hard").map(({ message }) => message);
      expect(hard.join("\n")).toMatch(tricks[at]!.words);
      expect([verdict, score < 1]).toEqual(["fail", true]);
    }
  });

  it.each([
    ["returns prose", "It would be a nice block.", "E2"],
    ["raises", python("1/0"), "E1"],
  ])("a model that always %s ends the run as failed", async (_, answer, failure) => {
    const { outcome, iterations, state } = await run(blockTask({ evaluator: "both", max_iterations: 9 }), [answer]);
    expect([outcome, iterations]).toEqual(["failed", 3]);
    expect(state.last_execution_result).toMatchObject({ retry_count: 3, failure: { class: failure } });
  });
});
