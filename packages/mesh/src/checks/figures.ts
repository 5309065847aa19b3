// The figures of a mesh: everything about it that is counted or measured.

import { boundsOf, type Mesh } from "../mesh.ts";
import { type Component, floatingComponents, hiddenComponents, splitComponents } from "./components.ts";
import { crackedEdges, roughness } from "./roughness.ts";
import { kind, readSurface, type Surface } from "./surface.ts";
import { measureSymmetry, sampleSurface } from "./symmetry.ts";
import { measureUvs, type UvFigures } from "./uvs.ts";

/** What is sound about a surface and what is not. Vertices at equal positions count as one, triangles there twice once. */
export interface MeshCheck {
  /** Distinct positions. */
  readonly vertices: number;
  readonly triangles: number;
  /** Edges of one triangle only: the rim of a hole. */
  readonly boundaryEdges: number;
  /** Edges of more than two triangles: a fin. */
  readonly nonManifoldEdges: number;
  /** Edges whose two triangles face opposite ways. */
  readonly flippedEdges: number;
  /** Triangles without an area, or with a corner that is no place. */
  readonly degenerateTriangles: number;
  /** Cubic meters; negative for a mesh that is inside out, and without meaning for one with holes. */
  readonly volume: number;
}

/** Everything that is counted and measured of a mesh. */
export interface MeshFigures extends MeshCheck, UvFigures {
  readonly edges: number;
  /** Of the edges of one triangle only, those that would have a second one if vertices that nearly meet were joined. */
  readonly crackedEdges: number;
  /** Triangles with a corner that is no place: NaN, infinite, or not among the vertices. */
  readonly brokenTriangles: number;
  /** Triangles at the three places of an earlier one. */
  readonly duplicateTriangles: number;
  /** Pieces that hang together; of them those in sight that touch nothing, those inside out, and those nobody can see. */
  readonly components: number;
  readonly floatingParts: number;
  readonly insideOutParts: number;
  readonly hiddenParts: number;
  /** The part of the surface, 0 to 1, that is neither inside out nor wound against what is beside it. */
  readonly consistentNormals: number;
  /** The part of the surface, 0 to 1, that has its like across a mirror, and the axis which that mirror turns round. */
  readonly symmetry: number;
  readonly mirror: "x" | "y";
  /** Components without a like across the mirror. */
  readonly unpairedParts: number;
  /** Square meters. */
  readonly area: number;
  readonly min: readonly [number, number, number];
  readonly max: readonly [number, number, number];
  /** Meters: along the ground as the mirror stands, across it, and up. */
  readonly length: number;
  readonly width: number;
  readonly height: number;
  /** The part of the places, 0 to 1, at which the surface folds both outward and inward. */
  readonly roughness: number;
  readonly materials: number;
}

/** Measures a mesh. `forward` is the axis that it faces along, where that is known. */
export function measureMesh(mesh: Mesh, forward?: "x" | "y"): MeshFigures {
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
    vertices: surface.count,
    triangles: surface.kinds.length,
    ...edges,
    flippedEdges: flipped,
    crackedEdges: crackedEdges(surface, Math.hypot(...sides)),
    ...countTriangles(surface),
    volume: list.reduce((sum, component) => sum + component.volume, 0),
    components: list.length,
    floatingParts: floating.length,
    insideOutParts: insideOut.length,
    hiddenParts: hidden.length,
    consistentNormals: Math.max(0, 1 - (area > 0 ? wrong / area : 0) - (edges.edges > 0 ? flipped / edges.edges : 0)),
    symmetry: share,
    mirror,
    unpairedParts: unpaired,
    area,
    min,
    max,
    length: mirror === "y" ? sides[0] : sides[1],
    width: mirror === "y" ? sides[1] : sides[0],
    height: sides[2],
    roughness: roughness(surface),
    materials: mesh.materials?.length ?? 0,
    ...measureUvs(mesh),
  };
}

function countEdges({ edges }: Surface) {
  let [boundaryEdges, nonManifoldEdges] = [0, 0];
  for (let edge = 0; edge < edges.count; edge += 1) {
    const along = edges.up[edge]! + edges.down[edge]!;
    if (along === 1) boundaryEdges += 1;
    if (along > 2) nonManifoldEdges += 1;
  }
  return { edges: edges.count, boundaryEdges, nonManifoldEdges };
}

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
