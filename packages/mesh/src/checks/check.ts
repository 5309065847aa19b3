// The checks of a mesh: each looks at figures, and says what is wrong and what to do about it. None asks a model.

import type { Finding } from "@loopwright/core";
import type { Mesh } from "../mesh.ts";
import { type MeshFigures, measureMesh } from "./figures.ts";
import { type Check, count, hard, type Limits, meters, percent, share, soft, usualLimits } from "./finding.ts";
import { size } from "./size.ts";

/** The figures of a mesh, and what is wrong with it: the most urgent first. */
export interface MeshReport extends MeshFigures {
  readonly findings: readonly Finding[];
}

/** Which checks are made, and by what limits. */
export interface CheckOptions {
  /** What is looked for; everything where it is left out. */
  readonly checks?: readonly CheckName[];
  /** What the mesh is held to, where it differs from the usual. */
  readonly limits?: Partial<Limits>;
  /** The axis that the mesh faces along; found where it is left out. */
  readonly forward?: "x" | "y";
}

/** Measures a mesh and checks it. Same mesh, same report. */
export function checkMesh(mesh: Mesh, { checks = checkNames, limits = {}, forward }: CheckOptions = {}): MeshReport {
  const figures = measureMesh(mesh, forward);
  const held = { ...usualLimits, ...limits };
  const found = (names: readonly CheckName[]) =>
    names.filter((name) => checks.includes(name)).flatMap((name) => all[name](figures, held, mesh) ?? []);
  // What has no surface, or places that are none, cannot be judged any further.
  const first = found(["empty", "finite"]);
  const findings = first.length > 0 ? first : found(checkNames);
  return { ...figures, findings: findings.toSorted((a, b) => a.priority - b.priority) };
}

/** One row a check, in the order in which equally urgent findings are told. A long one has a file of its own: `size` is an example. */
const all = {
  empty: ({ triangles }) =>
    triangles === 0 ? hard("MESH_EMPTY", "the mesh has no triangle", "make a surface") : undefined,

  finite: ({ brokenTriangles }) =>
    brokenTriangles > 0
      ? hard(
          "MESH_INVALID",
          `${count(brokenTriangles, "triangle")} with a corner that is no place: NaN, infinite or not among the vertices`,
          "remove these vertices, or compute them anew",
        )
      : undefined,

  holes: ({ boundaryEdges, crackedEdges, edges }, { holes }) =>
    share(boundaryEdges - crackedEdges, edges) > holes
      ? soft(2, "GEO_HOLES", `${count(boundaryEdges - crackedEdges, "edge")} at the rim of a hole`, "fill the holes")
      : undefined,

  cracks: ({ crackedEdges, edges }, { cracks }) =>
    share(crackedEdges, edges) > cracks
      ? soft(
          3,
          "GEO_UNWELDED",
          `${count(crackedEdges, "edge")} that nearly meet and are not joined`,
          "merge vertices by distance",
        )
      : undefined,

  "non-manifold": ({ nonManifoldEdges, edges }, { nonManifold }) =>
    share(nonManifoldEdges, edges) > nonManifold
      ? soft(
          2,
          "GEO_NON_MANIFOLD",
          `${count(nonManifoldEdges, "edge")} of more than two triangles`,
          "remove the walls and fins inside",
        )
      : undefined,

  winding: ({ flippedEdges, edges }, { winding }) =>
    1 - share(flippedEdges, edges) < winding
      ? soft(
          2,
          "GEO_NORMALS_INCONSISTENT",
          `${count(flippedEdges, "edge")} whose two triangles face opposite ways`,
          "recalculate the normals to the outside",
        )
      : undefined,

  "inside-out": ({ insideOutParts, parts }, limits) =>
    insideOutParts > limits.insideOutParts
      ? soft(1, "GEO_INSIDE_OUT", `${insideOutParts} of ${count(parts, "part")} inside out`, "flip their normals")
      : undefined,

  degenerate: ({ degenerateTriangles, brokenTriangles, triangles }, { degenerate }) =>
    share(degenerateTriangles - brokenTriangles, triangles) > degenerate
      ? soft(3, "GEO_DEGENERATE", `${count(degenerateTriangles, "triangle")} without an area`, "dissolve them")
      : undefined,

  duplicate: ({ duplicateTriangles, triangles }, { duplicate }) =>
    share(duplicateTriangles, triangles) > duplicate
      ? soft(3, "GEO_DUPLICATE", `${count(duplicateTriangles, "triangle")} there twice`, "delete the doubles")
      : undefined,

  "floating-parts": ({ floatingParts, parts }, limits) =>
    floatingParts > limits.floatingParts
      ? soft(
          2,
          "GEO_FLOATING_PART",
          `${floatingParts} of ${count(parts, "part")} touching nothing`,
          "attach or delete them",
        )
      : undefined,

  "hidden-parts": ({ hiddenParts, parts }, limits) =>
    hiddenParts > limits.hiddenParts
      ? soft(
          4,
          "GEO_HIDDEN_PART",
          `${hiddenParts} of ${count(parts, "part")} wholly inside of another`,
          "delete them, or move them out",
        )
      : undefined,

  symmetry: ({ symmetry, mirror, unpairedParts }, limits) =>
    symmetry < limits.symmetry || unpairedParts > 0
      ? soft(
          2,
          "GEO_ASYMMETRIC",
          `${percent(symmetry)} of the surface and all but ${count(unpairedParts, "part")} have their like across ${mirror}; expected ${percent(limits.symmetry)} and all`,
          "mirror the good half, and put paired parts at equal places",
        )
      : undefined,

  ground: ({ min, height }, { ground }) => {
    const slack = ground * height;
    if (min[2] > slack)
      return soft(
        2,
        "GEO_FLOATING",
        `it floats ${meters(min[2])} above the ground`,
        `move it down by ${meters(min[2])}`,
      );
    if (min[2] < -slack)
      return soft(
        2,
        "GEO_BELOW_GROUND",
        `it reaches ${meters(-min[2])} below the ground`,
        `move it up by ${meters(-min[2])}`,
      );
    return undefined;
  },

  centered: ({ min, max }, { offCenter }) => {
    const away = Math.hypot((min[0] + max[0]) / 2, (min[1] + max[1]) / 2);
    const longest = Math.max(...[0, 1, 2].map((axis) => max[axis]! - min[axis]!));
    return away > offCenter * longest
      ? soft(3, "GEO_OFF_CENTER", `its middle is ${meters(away)} away from the origin`, "move it to the origin")
      : undefined;
  },

  size,

  triangles: ({ triangles }, limits) => {
    const [least, most] = limits.triangles;
    const words = `${count(triangles, "triangle")}; expected ${least}–${most}`;
    if (triangles < limits.trivial) return hard("GEO_TRI_COUNT_TRIVIAL", words, "model the thing, not a stand-in");
    if (triangles < least) return soft(3, "GEO_TRI_COUNT_LOW", words, "add detail");
    if (triangles > most) return soft(3, "GEO_TRI_COUNT_HIGH", words, "decimate it");
    return undefined;
  },

  roughness: (figures, limits) =>
    figures.roughness > limits.roughness
      ? soft(
          2,
          "GEO_SURFACE_NOISE",
          `the surface folds both ways at ${percent(figures.roughness)} of its places`,
          "smooth it",
        )
      : undefined,

  materials: ({ materials }, _limits, { parts }) =>
    parts && materials === 0 ? soft(3, "MAT_NONE", "nothing has a material", "give each object a material") : undefined,

  textures: ({ missingTextures }, _limits, mesh) =>
    missingTextures > 0
      ? hard(
          "MAT_MISSING_TEXTURES",
          `${count(missingTextures, "texture")} missing: ${mesh.materials!.flatMap(({ texture }) => texture?.missing ?? []).join("; ")}`,
          "pack the pictures into the file",
        )
      : undefined,

  uvs: ({ objectsWithoutUvs }) =>
    objectsWithoutUvs > 0
      ? soft(3, "MAT_NO_UVS", `${count(objectsWithoutUvs, "object")} with a texture and no places in it`, "unwrap it")
      : undefined,

  "uv-range": ({ uvsOutOfRange }) =>
    uvsOutOfRange > 0
      ? soft(
          3,
          "MAT_UVS_OUT_OF_RANGE",
          `${count(uvsOutOfRange, "vertex", "vertices")} outside of the texture`,
          "scale the places in the texture to 0–1",
        )
      : undefined,

  "uv-overlap": ({ uvOverlap }, limits) =>
    uvOverlap > limits.uvOverlap
      ? soft(
          4,
          "MAT_UVS_OVERLAP",
          `${percent(uvOverlap)} of what the texture shows stands in more than one place`,
          "unwrap it without overlap",
        )
      : undefined,
} as const satisfies Record<string, Check>;

/** The name of a check. */
export type CheckName = keyof typeof all;

/** Every check. */
export const checkNames = Object.keys(all) as CheckName[];
