// What a mesh is held to. The defaults are for one thing that was made on purpose; a judge of real assets allows more.

/** The least and the most that a figure may be. */
export type Range = readonly [least: number, most: number];

/** The most or least that a check allows. */
export interface Limits {
  /** The most, as parts of all edges: of one triangle only; nearly meeting and not joined; of more than two triangles. */
  readonly holes: number;
  readonly cracks: number;
  readonly nonManifold: number;
  /** The least part of the surface, 0 to 1, whose winding agrees with what is beside it. */
  readonly winding: number;
  /** The most triangles without an area, and there twice, as parts of all. */
  readonly degenerate: number;
  readonly duplicate: number;
  /** The most components that touch nothing, that are inside out, or that nobody can see. */
  readonly floatingParts: number;
  readonly insideOutParts: number;
  readonly hiddenParts: number;
  /** The least part of the surface, 0 to 1, that has its like on the other side. */
  readonly symmetry: number;
  /** The most between the lowest place and the ground, as a part of the height. */
  readonly ground: number;
  /** The most between the middle and the origin, along the ground, as a part of the longest side. */
  readonly offCenter: number;
  /** The most places, 0 to 1, at which the surface folds both ways. */
  readonly roughness: number;
  /** The most, 0 to 1, of a texture that is shown twice. */
  readonly uvOverlap: number;
  /** Meters. The length goes along the ground where the mesh faces, the width across. */
  readonly length: Range;
  readonly width: Range;
  readonly height: Range;
  readonly triangles: Range;
  /** Fewer triangles than this are no serious attempt. */
  readonly trivial: number;
}

export const usualLimits: Limits = {
  holes: 0,
  cracks: 0,
  nonManifold: 0,
  winding: 1,
  degenerate: 0,
  duplicate: 0,
  floatingParts: 0,
  insideOutParts: 0,
  hiddenParts: 0,
  symmetry: 0.9,
  ground: 0.02,
  offCenter: 0.1,
  roughness: 0.3,
  uvOverlap: 0.5,
  length: [0, 1000],
  width: [0, 1000],
  height: [0, 1000],
  triangles: [1, Infinity],
  trivial: 1,
};
