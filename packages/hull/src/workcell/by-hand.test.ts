// A person edits the scene between two iterations, in a Blender of their own.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openProject } from "@loopwright/core";
import { scriptedModels } from "@loopwright/core/testing";
import { afterAll, describe, expect, it } from "vitest";
import { hasBlender } from "../../../../test/fakes/blender.ts";
import { blockTask, boxAnswer } from "../../../../test/fixtures/hull/block.ts";
import { drawTarget } from "../../../../test/fixtures/hull/targets.ts";
import { targetToTask } from "../../../../test/fixtures/hull/task.ts";
import { type HullState, type HullTask, hull, hullCells, startOptions } from "../index.ts";

const root = mkdtempSync(join(tmpdir(), "loopwright-by-hand-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** What a person does to a scene, and saves. */
function edit(from: string, to: string, code: string): { name: string; bytes: Uint8Array } {
  const words = ["-b", "--factory-startup", "--python-exit-code", "1", "--python-expr"];
  execFileSync("blender", [
    ...words,
    `import bpy\n${open(from)}\n${code}\nbpy.ops.wm.save_as_mainfile(filepath=${JSON.stringify(to)})`,
  ]);
  return { name: "edited.blend", bytes: readFileSync(to) };
}
const open = (path: string) => `bpy.ops.wm.open_mainfile(filepath=${JSON.stringify(path)})`;

/** A project with a run of one iteration, which a ceiling then stops. */
async function begin(name: string, task: HullTask, builder: string[]) {
  const dir = join(root, name);
  const scripted = scriptedModels({ builder });
  const project = await openProject({ dir, workcells: hullCells({ own: {} }), models: scripted.models });
  const { run, folder } = await project.start(hull, task, { ...startOptions(task), seed: 2 });
  const attempt = join(dir, "runs", folder, "attempt-000");
  const resume = async (file: { name: string; bytes: Uint8Array }, iterations: number) =>
    await project.resume(hull, run, { file, ceilings: { iterations } });
  return { dir, project, run, attempt, scripted, resume, scene: join(attempt, "edit.blend") };
}

const last = (state: HullState) => state.iteration_history.at(-1);

/** All views are right, and there is nothing inside. */
const cards = `bpy.data.objects["Cube"].scale = (4, 2, 0.02)
for scale in ((4, 0.02, 1.5), (0.02, 2, 1.5)):
    bpy.ops.mesh.primitive_cube_add(size=1)
    bpy.context.object.scale = scale`;

/** Deletes everything when the file is opened, if it is let. */
const TRAP = `
text = bpy.data.texts.new("trap.py")
text.write("import bpy\\nfor thing in list(bpy.data.objects): bpy.data.objects.remove(thing)")
text.use_module = True`;

describe.skipIf(!hasBlender)("a scene that a person has edited", { timeout: 400_000 }, () => {
  it("is an iteration of its own, judged like any other, its scripts not run; a model goes on from it", async () => {
    const task = blockTask({ max_iterations: 1, score_threshold: 0.9 });
    const answers = [boxAnswer(2, 2, 1.5), "PLAN: nothing\n```python\nx = 1\n```"];
    const begun = await begin("model", task, answers);
    await using project = begun.project;
    // What cannot be meant is refused, and nothing is changed.
    const before = (await project.record(begun.run)).seq;
    const blend = { name: "x.blend", bytes: readFileSync(begun.scene) };
    await expect(begun.resume(blend, 1)).rejects.toThrow("--max-iterations 2");
    const picture = { name: "x.png", bytes: Buffer.from("\x89PNG") };
    await expect(begun.resume(picture, 2)).rejects.toThrow("x.png is not taken in: it is no .blend");
    const since = (await Array.fromAsync(project.events(begun.run))).slice(before);
    expect(since.map(({ type }) => type)).toEqual(["ceilings-changed"]);
    const file = edit(begun.scene, join(root, "a.blend"), `bpy.data.objects["Cube"].scale = (3, 2, 1.5)${TRAP}`);
    const { state, iterations, outcome } = await begun.resume(file, 3);
    expect([iterations, outcome]).toEqual([3, "ceiling"]);
    const [box, edited, after] = state.iteration_history;
    expect(edited).toMatchObject({ iteration: 2, by: "person", plan: "A person has edited the scene by hand." });
    expect(edited!.score).toBeGreaterThan(box!.score);
    // The model's code changed nothing: what it stands on is the person's scene.
    expect(after).toMatchObject({ iteration: 3, score: edited!.score });
    expect(after!.by).toBeUndefined();
    expect(state.best).toMatchObject({ iteration: 2 });
    expect(begun.scripted.asked("builder")[1]!.text).toContain("A person has edited the scene by hand.");
    const folder = join(begun.attempt, "iterations/iter-002");
    for (const name of ["plan.txt", "code.py", "execution.json", "feedback.json", "by-hand.blend", "scene.glb"])
      expect(existsSync(join(folder, name)), name).toBe(true);
    const events = await Array.fromAsync(project.events(begun.run));
    const { given } = events.find((event) => event.type === "run-resumed" && event.given) as {
      given?: { digest: string };
    };
    expect(readFileSync(join(folder, "by-hand.blend")).equals(file.bytes)).toBe(true);
    expect(given!.digest).toMatch(/^[0-9a-f]{64}$/);
    expect((await project.verify(begun.run)).ok).toBe(true);
    // One that is grossly wrong does not pass, and is not the best.
    const flat = edit(begun.scene, join(root, "b.blend"), cards);
    const worse = await begun.resume(flat, 4);
    expect(last(worse.state)).toMatchObject({ iteration: 4, by: "person" });
    expect(worse.state.detected_issues.join()).toMatch(/flat|hollow/);
    expect(worse.state.best).toMatchObject({ iteration: 2 });
    // Nor does one that no Blender opens end the run.
    const truncated = { name: "truncated.blend", bytes: file.bytes.slice(0, 40_000) };
    const failed = await begun.resume(truncated, 5);
    expect(failed.state.last_execution_result).toMatchObject({ status: "failed", failure: { class: "E1" } });
    expect(failed.outcome).toBe("ceiling");
  });

  it("counts for a search too, which goes on from its own hull", async () => {
    const search = { evaluations: 20, size: 64 };
    const target = { ...targetToTask(drawTarget(301)), workcell: "blender" as const, search, render_size: 128 };
    const begun = await begin("search", { ...target, max_iterations: 1 }, []);
    await using _ = begun.project;
    const file = edit(begun.scene, join(root, "c.blend"), "bpy.data.objects[0].scale = (0.2, 0.2, 0.2)");
    const { state } = await begun.resume(file, 3);
    const [own, edited, after] = state.iteration_history;
    expect(edited).toMatchObject({ by: "person" });
    expect(edited!.score).toBeLessThan(own!.score);
    expect(after!.score).toBeGreaterThanOrEqual(own!.score);
    expect([1, 3]).toContain(state.best!.iteration);
  });
});
