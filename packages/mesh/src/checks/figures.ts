// The figures of a mesh: everything about it that is counted or measured.

import { boundsOf, type Mesh } from "../mesh.ts";
import { type Component, floatingComponents, hiddenComponents, splitComponents } from "./components.ts";
import { crackedEdges, kind, readSurface, roughness, type Surface } from "./surface.ts";
import { measureSymmetry, sampleSurface } from "./symmetry.ts";
import { measureUvs } from "./uvs.ts";

/** Measures a mesh. `forward` is the axis that it faces along, where that is known. */
export function measureMesh(mesh: Mesh, forward?: "x" | "y") {
  const surface = readSurface(mesh);
  const { min, max } = boundsOf(mesh);
  const components = splitComponents(surface);
  const { list } = components;
  const samples = sampleSurface(surface, components);
  const { mirror, share, unpaired } = measureSymmetry(samples, components, forward);
  const hidden = hiddenComponents(surface, samples, components);
  const floating = floatingComponents(samples, components).filter((component) => !hidden.includes(component));
  const sides = [0, 1, 2].map((axis) => max[axis]! - min[axis]!) as [number, number, number];
  const edges = countEdges(surface);
  const area = list.reduce((sum, component) => sum + component.area, 0);
  const insideOut = list.filter(isInsideOut);
  const flipped = list.reduce((sum, { flippedEdges }) => sum + flippedEdges, 0);
  const wrong = insideOut.reduce((sum, component) => sum + component.area, 0);
  return {
    /** Distinct positions. */
    vertices: surface.count,
    triangles: surface.kinds.length,
    ...edges,
    /** Edges whose two triangles face opposite ways. */
    flippedEdges: flipped,
    /** Of the edges of one triangle only, those that would have a second one if vertices that nearly meet were joined. */
    crackedEdges: crackedEdges(surface, Math.hypot(...sides)),
    ...countTriangles(surface),
    /** Cubic meters; negative for a mesh that is inside out, and without meaning for one with holes. */
    volume: list.reduce((sum, component) => sum + component.volume, 0),
    /** Pieces that hang together; of them those in sight that touch nothing, those inside out, and those nobody can see. */
    parts: list.length,
    floatingParts: floating.length,
    insideOutParts: insideOut.length,
    hiddenParts: hidden.length,
    /** The part of the surface, 0 to 1, that is neither inside out nor wound against what is beside it. */
    consistentNormals: Math.max(0, 1 - (area > 0 ? wrong / area : 0) - (edges.edges > 0 ? flipped / edges.edges : 0)),
    /** The part of the surface, 0 to 1, that has its like across a mirror, and the axis which that mirror turns round. */
    symmetry: share,
    mirror,
    /** Of them, those without a like across the mirror. */
    unpairedParts: unpaired,
    /** Square meters. */
    area,
    min,
    max,
    /** Meters: along the ground as the mirror stands, across it, and up. */
    length: mirror === "y" ? sides[0] : sides[1],
    width: mirror === "y" ? sides[1] : sides[0],
    height: sides[2],
    /** The part of the places, 0 to 1, at which the surface folds both outward and inward. */
    roughness: roughness(surface),
    materials: mesh.materials?.length ?? 0,
    ...measureUvs(mesh),
  };
}

/** Everything that is counted and measured of a mesh. Vertices at equal positions count as one, triangles there twice once. */
export type MeshFigures = Readonly<ReturnType<typeof measureMesh>>;

/** What is sound about a surface and what is not. */
export type MeshCheck = Pick<
  MeshFigures,
  | ("vertices" | "triangles" | "boundaryEdges" | "nonManifoldEdges" | "flippedEdges")
  | ("degenerateTriangles" | "volume")
>;

/** Edges of one triangle only are the rim of a hole, and those of more than two a fin. */
function countEdges({ edges }: Surface) {
  let [boundaryEdges, nonManifoldEdges] = [0, 0];
  for (let edge = 0; edge < edges.count; edge += 1) {
    const along = edges.up[edge]! + edges.down[edge]!;
    if (along === 1) boundaryEdges += 1;
    if (along > 2) nonManifoldEdges += 1;
  }
  return { edges: edges.count, boundaryEdges, nonManifoldEdges };
}

/** Broken ones have a corner that is no place; degenerate ones have no area, the broken ones among them. */
function countTriangles({ kinds }: Surface) {
  let [brokenTriangles, degenerateTriangles, duplicateTriangles] = [0, 0, 0];
  for (const each of kinds) {
    if (each & kind.broken) brokenTriangles += 1;
    if (each & kind.degenerate) degenerateTriangles += 1;
    if (each & kind.duplicate) duplicateTriangles += 1;
  }
  return { brokenTriangles, degenerateTriangles, duplicateTriangles };
}

/** The part of its box that an open component must enclose the wrong way round to count as inside out. */
const CLEARLY = 0.05;
/** The part of a component's edges from which on its winding is too mixed to have an inside. */
const MIXED = 0.1;

function isInsideOut({ volume, isClosed, flippedEdges, edges, min, max }: Component): boolean {
  if (flippedEdges > MIXED * edges) return false;
  const box = [0, 1, 2].reduce((product, axis) => product * (max[axis]! - min[axis]!), 1);
  return volume < (isClosed ? 0 : -CLEARLY * box);
}
