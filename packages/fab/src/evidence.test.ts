import { meshToGlb } from "@loopwright/mesh";
import { expect, it } from "vitest";
import { readModel } from "./evidence.ts";

it.each([
  [1, "its 1 triangle has no area"],
  [2, "its 2 triangles have no area"],
])("refuses %d without an area, in words that fit the number", async (count, message) => {
  const mesh = {
    positions: new Float32Array(9),
    triangles: Uint32Array.from({ length: count * 3 }, (_, at) => at % 3),
  };
  expect(await readModel(await meshToGlb(mesh))).toMatchObject({ problem: { code: "MESH_INVALID", message } });
});
