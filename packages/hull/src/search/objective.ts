// The search's own view of the score: the same definition on small silhouettes of a coarse loft, thousands a second.
//
// Two things are estimated here that the evaluator measures on the finished pictures: the mean distance of contours, as
// the area in which the masks differ over the contour's length; and the extents, from the mesh itself. A loft is closed.

import { type Bounds, boundsOf, contourOf, extentOf, type Frame, type Mask, silhouette } from "@loopwright/mesh";
import { coarseGrid, loft } from "../loft/loft.ts";
import { type HullParameters, pointToParameters } from "../loft/parameters.ts";
import { referenceMasks, seenAs } from "../measure/references.ts";
import {
  diagonalOf,
  distanceToDetail,
  type Masks,
  proportionsOf,
  type ReferenceView,
  type Size,
  scoreView,
  scoreViews,
  type ViewScores,
} from "../measure/score.ts";
import type { HullTask } from "../task/task.ts";
import type { Objective } from "./search.ts";

/** The axes of the world that a view shows across and up. */
const axes = { front: [1, 2], side: [0, 2], top: [0, 1] } as const;

interface Reference {
  words: Uint32Array;
  area: number;
  contour: number;
  diagonal: number;
  extent: Size | undefined;
}

/** The score of the loft at a point, beside references that are already at the size of the search. */
export function makeObjective(references: Masks, frame: Frame): Objective {
  const size = references.front.width;
  const known = {
    front: readReference(references.front),
    side: readReference(references.side),
    top: readReference(references.top),
  };
  return (point) => {
    const mesh = loft(pointToParameters(point), coarseGrid);
    const bounds = boundsOf(mesh);
    const look = (view: ReferenceView) =>
      compareView(silhouette(mesh, view, frame, size), known[view], extentIn(bounds, view, frame, size));
    return scoreViews({ front: look("front"), side: look("side"), top: look("top") }, 1).overall;
  };
}

function readReference(mask: Mask): Reference {
  const extent = extentOf(mask);
  const contour = extent ? contourOf(mask, extent).reduce((sum, pixel) => sum + pixel, 0) : 0;
  return { words: wordsOf(mask.data.slice()), area: extent?.area ?? 0, contour, diagonal: diagonalOf(extent), extent };
}

function compareView(seen: Mask, reference: Reference, extent: Size | undefined): ViewScores {
  const words = wordsOf(seen.data);
  let area = 0;
  let common = 0;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (word === 0) continue;
    area += bytesSum(word);
    common += bytesSum(word & reference.words[at]!);
  }
  const union = area + reference.area - common;
  const distance = reference.contour > 0 ? (union - common) / reference.contour : 0;
  return {
    overlap: union === 0 ? 1 : common / union,
    proportions: proportionsOf(extent, reference.extent),
    detail: distanceToDetail(distance, reference.diagonal),
  };
}

/** Four pixels at a time. */
function wordsOf({ buffer, byteOffset, length }: Uint8Array): Uint32Array {
  return new Uint32Array(buffer, byteOffset, length >> 2);
}

/** The sum of the four bytes of a word, each 0 or 1. */
function bytesSum(word: number): number {
  return Math.imul(word, 0x01010101) >>> 24;
}

/** The width and height in pixels that a picture shows of a box; undefined where it shows nothing. */
function extentIn(bounds: Bounds, view: ReferenceView, frame: Frame, size: number): Size | undefined {
  const [across, up] = axes[view];
  const half = frame.meters / 2;
  const length = (axis: 0 | 1 | 2) => {
    const from = Math.max(bounds.min[axis], frame.center[axis] - half);
    return ((Math.min(bounds.max[axis], frame.center[axis] + half) - from) * size) / frame.meters;
  };
  const [width, height] = [length(across), length(up)];
  return width > 0 && height > 0 ? { width, height } : undefined;
}

/** The overall score of a loft beside a task's references. */
export function scoreHull(hull: HullParameters, task: HullTask): number {
  const mesh = loft(hull);
  const references = Object.entries(referenceMasks(task, task.render_size));
  const views = references.map(([name, wanted]) => [
    name,
    scoreView(seenAs(mesh, name, task, task.render_size), wanted),
  ]);
  return scoreViews(Object.fromEntries(views), 1).overall;
}
