// Solids that stand in each other's place. Parts that meet or reach into each other are how things are put together; two parts that fill
// the same space, or a surface that passes through itself, are mistakes. Found by lines straight up through closed pieces: how
// often each place is inside. At most so many pieces are looked at, by so many lines.

import type { Mesh } from "../mesh.ts";
import { type Component, splitComponents } from "./components.ts";
import { readSurface } from "./surface.ts";

/** How much of a mesh lies on or in itself. */
export interface Overlaps {
  /** Pairs of parts that fill the same space: each lies for the most part in the other. */
  readonly twins: number;
  /** The greatest part of a piece's space, 0 to 1, that its own surface encloses twice or the wrong way round. */
  readonly self: number;
}

const MOST_PARTS = 40;
/** Lines along each side of a box. */
const LINES = 20;
/** Lines are off the middle of their cells, so that they go through no vertex of something symmetrical. */
const OFF = 0.4142;
/** The part of each of two that lies in the other. */
const SAME = 0.6;

interface Piece {
  readonly component: Component;
  readonly faces: readonly number[];
}

interface Box {
  readonly min: readonly number[];
  readonly max: readonly number[];
}

/** Measures how far the closed parts of a mesh stand in each other's place, and in their own. */
export function overlapsOf(mesh: Mesh): Overlaps {
  const { list, ofFace } = splitComponents(readSurface(mesh));
  const facesOf = Map.groupBy(ofFace.keys(), (face) => ofFace[face]!);
  const pieces: Piece[] = list
    .map((component, at) => ({ component, faces: facesOf.get(at) ?? [] }))
    .filter(({ component }) => component.isClosed && component.flippedEdges === 0 && component.volume > 0)
    .sort((a, b) => b.component.volume - a.component.volume)
    .slice(0, MOST_PARTS);
  const self = pieces.map((piece) => selfOverlap(mesh, piece));
  let twins = 0;
  for (const [at, one] of pieces.entries())
    for (const other of pieces.slice(at + 1)) if (isTwin(mesh, one, other)) twins += 1;
  return { twins, self: Math.max(0, ...self) };
}

function selfOverlap(mesh: Mesh, { component, faces }: Piece): number {
  let [right, wrong] = [0, 0];
  for (const crossings of linesThrough(mesh, faces, component)) {
    eachStretch(crossings, (length, inside) => {
      if (inside === 1) right += length;
      else if (inside !== 0) wrong += length;
    });
  }
  return right + wrong > 0 ? wrong / (right + wrong) : 0;
}

function isTwin(mesh: Mesh, one: Piece, other: Piece): boolean {
  const [a, b] = [one.component, other.component];
  const box: Box = {
    min: a.min.map((value, axis) => Math.max(value, b.min[axis]!)),
    max: a.max.map((value, axis) => Math.min(value, b.max[axis]!)),
  };
  const needed = SAME * Math.max(a.volume, b.volume);
  if (box.min.some((value, axis) => value >= box.max[axis]!) || sizeOf(box) < needed) return false;
  const [first, second] = [linesThrough(mesh, one.faces, box), linesThrough(mesh, other.faces, box)];
  let shared = 0;
  for (const [line, crossings] of first.entries()) {
    const both = [
      ...crossings.map(({ height, step }) => ({ height, step })),
      ...second[line]!.map(({ height, step }) => ({ height, step: step * MANY })),
    ];
    eachStretch(both, (length, inside) => {
      const inSecond = Math.round(inside / MANY);
      if (inSecond > 0 && inside - inSecond * MANY > 0) shared += length;
    });
  }
  const cell = ((box.max[0]! - box.min[0]!) * (box.max[1]! - box.min[1]!)) / LINES ** 2;
  return shared * cell >= needed;
}

/** Tells the second of two parts from the first, where both are counted at once. */
const MANY = 1000;

interface Crossing {
  readonly height: number;
  /** 1 on the way in, -1 on the way out. */
  readonly step: number;
}

/** Where lines straight up through a box cross triangles. */
function linesThrough({ positions, triangles }: Mesh, faces: readonly number[], { min, max }: Box): Crossing[][] {
  const lines: Crossing[][] = Array.from({ length: LINES ** 2 }, () => []);
  const [left, front] = [min[0]!, min[1]!];
  const [stepX, stepY] = [(max[0]! - left) / LINES, (max[1]! - front) / LINES];
  for (const face of faces) {
    const [a, b, c] = [triangles[face * 3]! * 3, triangles[face * 3 + 1]! * 3, triangles[face * 3 + 2]! * 3];
    const [ax, bx, cx] = [positions[a]!, positions[b]!, positions[c]!];
    const [ay, by, cy] = [positions[a + 1]!, positions[b + 1]!, positions[c + 1]!];
    const fromX = Math.max(0, Math.ceil((Math.min(ax, bx, cx) - left) / stepX - OFF));
    const toX = Math.min(LINES - 1, Math.floor((Math.max(ax, bx, cx) - left) / stepX - OFF));
    const fromY = Math.max(0, Math.ceil((Math.min(ay, by, cy) - front) / stepY - OFF));
    const toY = Math.min(LINES - 1, Math.floor((Math.max(ay, by, cy) - front) / stepY - OFF));
    for (let i = fromX; i <= toX; i += 1) {
      for (let j = fromY; j <= toY; j += 1) {
        const [x, y] = [left + (i + OFF) * stepX, front + (j + OFF) * stepY];
        const atA = (bx - x) * (cy - y) - (by - y) * (cx - x);
        const atB = (cx - x) * (ay - y) - (cy - y) * (ax - x);
        const atC = (ax - x) * (by - y) - (ay - y) * (bx - x);
        const isUp = atA > 0 && atB > 0 && atC > 0;
        if (!isUp && !(atA < 0 && atB < 0 && atC < 0)) continue;
        const height =
          (atA * positions[a + 2]! + atB * positions[b + 2]! + atC * positions[c + 2]!) / (atA + atB + atC);
        lines[i * LINES + j]!.push({ height, step: isUp ? -1 : 1 });
      }
    }
  }
  return lines;
}

/** Each stretch of a line between two crossings, with how often it is inside. */
function eachStretch(crossings: readonly Crossing[], say: (length: number, inside: number) => void): void {
  const sorted = crossings.toSorted((a, b) => a.height - b.height);
  // A line through an edge counts a surface twice or never: such a line tells nothing.
  if (sorted.reduce((sum, { step }) => sum + step, 0) !== 0) return;
  let inside = 0;
  for (const [at, { height, step }] of sorted.entries()) {
    inside += step;
    const next = sorted[at + 1];
    if (next && next.height > height) say(next.height - height, inside);
  }
}

function sizeOf({ min, max }: Box): number {
  return min.reduce((product, value, axis) => product * (max[axis]! - value), 1);
}
