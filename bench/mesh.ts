// Views and checks of a car of some 9,000 triangles: the rasterizer and the mesh checks, which other benchmarks time too.

import { checkMesh, glbToModel, type Mesh, meshToGlb, pictureToPng, renderViews, turntable } from "@loopwright/mesh";
import { car } from "../test/fakes/car.ts";
import { median, round } from "./cli.ts";

export const aims = { views_ms: 30, checks_ms: 60 };

const ROUNDS = 41;
const WARM = 10;

/** Times four views at 512² and the checks of a mesh, warm. */
export function measureMesh(mesh: Mesh, rounds = ROUNDS) {
  const cameras = turntable(4, { azimuth: 45, elevation: 15 });
  return {
    views_ms: timed(rounds, () => renderViews(mesh, cameras, { size: 512 }).map((view) => view.shaded())),
    views_png_ms: timed(rounds, () =>
      renderViews(mesh, cameras, { size: 512 }).map((view) => pictureToPng(view.shaded())),
    ),
    checks_ms: timed(rounds, () => checkMesh(mesh)),
  };
}

function timed(rounds: number, work: () => unknown): number {
  const times = Array.from({ length: rounds + WARM }, () => {
    const begun = performance.now();
    work();
    return performance.now() - begun;
  });
  return round(median(times.slice(WARM)));
}

export async function run({ quick }: { quick: boolean }) {
  const mesh = car(1);
  const glb = await meshToGlb(mesh);
  const begun = performance.now();
  await glbToModel(glb);
  const read_ms = round(performance.now() - begun);
  return { triangles: mesh.triangles.length / 3, ...measureMesh(mesh, quick ? 11 : ROUNDS), read_ms };
}
