// What can be measured of a game asset, and what is wrong with one. Pure: whoever made it is not asked.

import { boundsOf, glbToModel, type Mesh, measureUnwrap, type UnwrapFigures } from "@loopwright/mesh";
import { showCount } from "@loopwright/terminal";

/** How much less each level of detail has of the model's triangles. */
export const ratios = [1, 0.5, 0.25] as const;

/** A level's triangles and the box around them. */
export interface Size {
  triangles: number;
  min: readonly number[];
  max: readonly number[];
}

export type Level = Size & { unwrap: UnwrapFigures };

/** What an asset is held to, and what was measured of it. */
export interface Measured {
  /** The model that was judged. */
  model: Size;
  levels: readonly Level[];
}

export const fileOf = (level: number) => `lod${level}.glb`;

export function sizeOf(mesh: Mesh): Size {
  return { triangles: mesh.triangles.length / 3, ...boundsOf(mesh) };
}

export async function measureLevel(glb: Uint8Array): Promise<Level> {
  const model = await glbToModel(glb);
  return { ...sizeOf(model), unwrap: measureUnwrap(model) };
}

/** How far a box may be from what it should be, as a part of the model's diagonal. */
const SAME = 1e-4;
const SIMILAR = 0.05;
const MOST_FLAT = 0.001;

/** What is wrong with an asset, in words; nothing where all holds. */
export function findProblems({ model, levels }: Measured): string[] {
  const problems: string[] = [];
  levels.forEach((level, at) => {
    const say = (words: string) => problems.push(`${fileOf(at)} ${words}`);
    const before = levels[at - 1];
    if (at === 0 && (level.triangles !== model.triangles || distance(level, model, model) > SAME))
      say(
        `is not the model that was judged: ${showCount(level.triangles, "triangle")} of ${model.triangles}, ${boxWords(level, model)}`,
      );
    if (before && level.triangles >= before.triangles)
      say(`has ${showCount(level.triangles, "triangle")}, no fewer than the level before it`);
    if (at > 0 && distance(level, model, model) > SIMILAR) say(`has another shape: ${boxWords(level, model)}`);
    for (const words of unwrapProblems(level.unwrap)) say(words);
  });
  return problems;
}

/** What is wrong with where triangles lie in a texture. */
export function unwrapProblems({ unplaced, outside, flatShare, overlapping, isComplete }: UnwrapFigures): string[] {
  return [
    ...(unplaced > 0 ? [`has ${showCount(unplaced, "triangle")} with no place in a texture`] : []),
    ...(outside > 0 ? [`has ${showCount(outside, "triangle")} outside of the texture`] : []),
    ...(flatShare > MOST_FLAT ? [`has triangles without an area in the texture`] : []),
    ...(overlapping > 0 ? [`has ${showCount(overlapping, "pair")} of triangles that overlap in the texture`] : []),
    ...(isComplete ? [] : ["has too much in one place of the texture to be looked at"]),
  ];
}

/** How far apart two boxes are at most, as a part of a diagonal. */
function distance(a: Size, b: Size, { min, max }: Size): number {
  const diagonal = Math.hypot(...max.map((value, axis) => value - min[axis]!)) || 1;
  const apart = [0, 1, 2].flatMap((axis) => [a.min[axis]! - b.min[axis]!, a.max[axis]! - b.max[axis]!]);
  return Math.max(...apart.map(Math.abs)) / diagonal;
}

function boxWords(a: Size, b: Size): string {
  return `a box of ${sides(a)} m where it is ${sides(b)} m`;
}

function sides({ min, max }: Size): string {
  return max.map((value, axis) => (value - min[axis]!).toFixed(3)).join(" × ");
}
