// How the parts of a model stand to each other.

import { type Mesh, type MeshReport, type Overlaps, overlapsOf } from "@loopwright/mesh";

export interface PartFigures extends Overlaps {
  readonly floating: number;
  readonly insideOut: number;
  /** Meters along x, y and z. */
  readonly sides: readonly number[];
}

/** Measures the parts of a mesh that was checked. */
export function partFigures(
  mesh: Mesh,
  { floatingParts, insideOutParts, hiddenParts, min, max }: MeshReport,
): PartFigures {
  return {
    ...overlapsOf(mesh),
    floating: floatingParts,
    // The inner wall of something hollow faces inwards, and nobody sees it.
    insideOut: Math.max(0, insideOutParts - hiddenParts),
    sides: max.map((value, axis) => value - min[axis]!),
  };
}
