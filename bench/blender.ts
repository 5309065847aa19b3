// One iteration in a sandboxed Blender, against the same with a new Blender each time; views and checks of its model; and how
// soon another Blender stands where a killed one did.
//
// The model is a car-like shape of about 9,000 triangles, made by code as a model would write it.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Blender } from "@loopwright/blender";
import { checkMesh, type Mesh, pictureToPng, renderViews } from "@loopwright/mesh";
import { median, round } from "./cli.ts";
import { measureMesh } from "./mesh.ts";

export const aims = {
  iteration_ms_p50: 150,
  ratio_to_cold_blender: 1 / 6,
  views_ms: 30,
  checks_ms: 60,
  recovery_ms: 500,
};

const MODEL = `import bpy
bpy.ops.mesh.primitive_cube_add(size=2)
body = bpy.context.object
body.scale = (2.2, 0.9, 0.5)
bevel = body.modifiers.new("bevel", "BEVEL"); bevel.width = 0.2; bevel.segments = 4
body.modifiers.new("smooth", "SUBSURF").levels = 2
for x in (-1.3, 1.3):
    for y in (-0.9, 0.9):
        bpy.ops.mesh.primitive_torus_add(location=(x, y, -0.5), rotation=(1.5708, 0, 0), major_radius=0.4, minor_radius=0.15, major_segments=32, minor_segments=12)
`;
const SIDES = [0, 270].map((azimuth) => ({ azimuth, elevation: 0 }));
const CAMERAS = [...SIDES, { azimuth: 270, elevation: 90 }, { azimuth: 307, elevation: 28 }];

/** Measures. */
export async function run({ quick }: { quick: boolean }) {
  const rounds = quick ? 5 : 25;
  const blender = await Blender.start();
  try {
    const iterations: number[] = [];
    for (let round = -2; round < rounds; round++) {
      const took = await time(() => iterate(blender));
      if (round >= 0) iterations.push(took);
    }
    const { mesh } = await blender.exported();
    const cold = measureCold(quick ? 2 : 5);
    const recovery = await measureRecovery(blender, quick ? 2 : 5);
    const iteration = median(iterations);
    return {
      triangles: mesh.triangles.length / 3,
      iteration_ms_p50: round(iteration),
      iteration_ms_worst: round(Math.max(...iterations)),
      cold_iteration_ms: round(cold),
      ratio_to_cold_blender: round(iteration / cold),
      ...measureMesh(mesh, rounds),
      recovery_ms: round(median(recovery)),
    };
  } finally {
    await blender.stop();
  }
}

/** Reset, code, scene, model, four views, checks, and both files. */
async function iterate(blender: Blender): Promise<void> {
  await blender.reset();
  await blender.execute(MODEL);
  await blender.scene();
  const { mesh } = await blender.exported();
  look(mesh);
  checkMesh(mesh);
  await blender.exportBlend();
}

function look(mesh: Mesh): void {
  for (const view of renderViews(mesh, CAMERAS, { size: 512 })) pictureToPng(view.shaded());
}

/** The same work by a new Blender each time, without a sandbox: its start, the code, a description, the files. */
function measureCold(rounds: number): number {
  const folder = mkdtempSync(join(tmpdir(), "loopwright-cold-"));
  try {
    const script = join(folder, "cold.py");
    const numpy = "import numpy\nif 'bool' not in numpy.__dict__: numpy.bool = bool\n";
    const rest = `
print([(o.name, tuple(o.location), len(o.data.vertices)) for o in bpy.data.objects])
bpy.ops.export_scene.gltf(filepath="${folder}/a.glb", export_format="GLB", export_apply=True)
bpy.ops.wm.save_as_mainfile(filepath="${folder}/a.blend")`;
    writeFileSync(script, `${numpy}import bpy\nbpy.ops.wm.read_homefile(use_empty=True)\n${MODEL}${rest}`);
    const taken = Array.from({ length: rounds }, () => {
      const begun = performance.now();
      execFileSync("blender", ["-b", "--factory-startup", "-noaudio", "--python", script], { stdio: "ignore" });
      return performance.now() - begun;
    });
    return median(taken);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** From a Blender's death to the next answer, where another waits. */
async function measureRecovery(blender: Blender, rounds: number): Promise<number[]> {
  const taken: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await blender.check();
    await new Promise((done) => setTimeout(done, 4_000));
    await blender.execute("import os; os.kill(os.getpid(), 9)").catch(() => {});
    taken.push(await time(() => blender.scene()));
  }
  return taken;
}

async function time(work: () => unknown): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
