// The figures of an asset and of its gate, by the names that the playbook knows them by.

import type { MeshReport } from "@loopwright/mesh";
import { openEdges } from "../critics/geometry.ts";
import { scaleFor } from "../critics/size.ts";
import { percent } from "../critics/words.ts";
import type { GateConfig } from "../gate/schema.ts";
import { type Figures, fillFigures } from "../playbook/playbook.ts";
import { MOST_TRIANGLES } from "./read.ts";

/** What a gate expects. */
export function gateFigures({ kind, geometry }: GateConfig): Figures {
  const range = ([least, most]: readonly [number, number]) => `${least}–${most}`;
  return {
    kind,
    most_triangles: String(MOST_TRIANGLES),
    expected_length: range(geometry.length),
    expected_width: range(geometry.width),
    expected_height: range(geometry.height),
    expected_triangles: range(geometry.triangles),
    expected_wheels: geometry.wheels ?? 0,
  };
}

/** What an asset has. */
export function assetFigures(report: MeshReport, { geometry }: GateConfig): Figures {
  const { length, width, height, triangles, materials, symmetry, consistentNormals, roughness, min } = report;
  return {
    length,
    width,
    height,
    triangles: String(triangles),
    materials,
    symmetry: percent(symmetry),
    normals: percent(consistentNormals),
    roughness: percent(roughness),
    open_edges: percent(openEdges(report)),
    lowest: min[2],
    scale: scaleFor(report, geometry),
  };
}

/** What was measured, for whoever is shown the asset. */
export function figuresToText(figures: Figures): string {
  return fillFigures(
    `length {length} m (expected {expected_length}), width {width} m (expected {expected_width}), height {height} m (expected {expected_height})
lowest place {lowest} m above the ground
{triangles} triangles, {materials} materials
{symmetry} of the surface has its like on the other side, {normals} of it faces outward
{open_edges} of the edges are at a hole or at a wall inside`,
    figures,
  );
}
