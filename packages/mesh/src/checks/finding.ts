// What a check is, what a mesh is held to, and the words of what is found.

import type { Finding } from "@loopwright/core";
import type { Mesh } from "../mesh.ts";
import type { MeshFigures } from "./figures.ts";

/**
 * Looks at a mesh and what was measured of it; gives one finding for all of it where something is wrong, with the worst places
 * named in its message. In figures and messages a part is what hangs together, and one of `mesh.parts`, with a name, an object.
 */
export type Check = (figures: MeshFigures, limits: Limits, mesh: Mesh) => Finding | undefined;

export function hard(code: string, message: string, fix: string): Finding {
  return { code, severity: "hard", priority: 1, message, fix };
}

/** Priority 1: nothing else counts while it stands; 2, structure; 3, quality; 4, polish. */
export function soft(priority: Finding["priority"], code: string, message: string, fix: string): Finding {
  return { code, severity: "soft", priority, message, fix };
}

export function share(some: number, whole: number): number {
  return whole === 0 ? 0 : some / whole;
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

export function percent(part: number): string {
  return `${Math.round(part * 100)} %`;
}

export function meters(length: number): string {
  return `${round(length)} m`;
}

export function round(value: number): number {
  return Number(value.toPrecision(3));
}

/** The least and the most that a figure may be. */
export type Range = readonly [least: number, most: number];

export const usualLimits = {
  /** The most, as parts of all edges: of one triangle only; nearly meeting and not joined; of more than two triangles. */
  holes: 0,
  cracks: 0,
  nonManifold: 0,
  /** The least part of the surface, 0 to 1, whose winding agrees with what is beside it. */
  winding: 1,
  /** The most triangles without an area, and there twice, as parts of all. */
  degenerate: 0,
  duplicate: 0,
  /** The most parts that touch nothing, that are inside out, or that nobody can see. */
  floatingParts: 0,
  insideOutParts: 0,
  hiddenParts: 0,
  /** The least part of the surface, 0 to 1, that has its like on the other side. */
  symmetry: 0.9,
  /** The most between the lowest place and the ground, as a part of the height. */
  ground: 0.02,
  /** The most between the middle and the origin, along the ground, as a part of the longest side. */
  offCenter: 0.1,
  /** The most places, 0 to 1, at which the surface folds both ways. */
  roughness: 0.3,
  /** The most, 0 to 1, of a texture that is shown twice. */
  uvOverlap: 0.5,
  /** Meters. The length goes along the ground where the mesh faces, the width across. */
  length: [0, 1000] as Range,
  width: [0, 1000] as Range,
  height: [0, 1000] as Range,
  triangles: [1, Infinity] as Range,
  /** Fewer triangles than this are no serious attempt. */
  trivial: 1,
};

/** The most or least that a check allows. */
export type Limits = Readonly<typeof usualLimits>;
