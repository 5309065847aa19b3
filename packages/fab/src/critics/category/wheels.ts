// Wheels, as they are seen from below: places on the ground that rise before and behind as a circle does, and not sideways.

import type { Maps } from "./maps.ts";

export interface Wheel {
  /** Where its middle is, in meters from the corner of the plan: along the length, and across. */
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly width: number;
  /** How far its lower half is from a circle, as a part of the radius. */
  readonly error: number;
}

/** The part of the height up to which a place counts as on the ground. */
const CONTACT = 0.03;
/** The radius of a wheel, as parts of the height; in steps of one in fifty. */
const [SMALLEST, LARGEST, STEP] = [0.04, 0.5, 1.02];
/** The part of the radius before and behind the middle at which the circle is looked at. */
const LOOKED = 0.8;
/** The most that the lower half may be off a circle, as a part of the radius. */
const ROUND = 0.06;

/** The wheels of an asset that rolls along x. */
export function findWheels(maps: Maps): Wheel[] {
  const wheels = patchesOf(maps).flatMap((patch) => fitWheel(maps, patch) ?? []);
  return wheels.filter(({ error }) => error <= ROUND).toSorted((a, b) => a.x - b.x || a.y - b.y);
}

/** Where an asset stands on the ground: columns and rows, the last ones included. */
interface Patch {
  left: number;
  right: number;
  top: number;
  bottom: number;
  cells: number;
}

export function patchesOf({ columns, rows, height, low }: Maps): Patch[] {
  const seen = new Uint8Array(low.length);
  const patches: Patch[] = [];
  for (let start = 0; start < low.length; start += 1) {
    if (seen[start] || !(low[start]! <= CONTACT * height)) continue;
    const patch = { left: columns, right: 0, top: rows, bottom: 0, cells: 0 };
    const open = [start];
    seen[start] = 1;
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const [column, row] = [at % columns, Math.floor(at / columns)];
      patch.left = Math.min(patch.left, column);
      patch.right = Math.max(patch.right, column);
      patch.top = Math.min(patch.top, row);
      patch.bottom = Math.max(patch.bottom, row);
      patch.cells += 1;
      // Treads leave gaps of a cell.
      for (let y = Math.max(0, row - 2); y <= Math.min(rows - 1, row + 2); y += 1)
        for (let x = Math.max(0, column - 2); x <= Math.min(columns - 1, column + 2); x += 1) {
          const next = y * columns + x;
          if (seen[next] || !(low[next]! <= CONTACT * height)) continue;
          seen[next] = 1;
          open.push(next);
        }
    }
    patches.push(patch);
  }
  return patches.filter(({ cells }) => cells >= 4);
}

function fitWheel(maps: Maps, { left, right, top, bottom }: Patch): Wheel | undefined {
  const { columns, cell, height, low } = maps;
  const profile = Float64Array.from({ length: columns }, (_, column) => {
    let least = Infinity;
    for (let row = top; row <= bottom; row += 1) least = Math.min(least, low[row * columns + column]!);
    return least;
  });
  let best: Wheel | undefined;
  for (let radius = SMALLEST * height; radius <= LARGEST * height; radius *= STEP)
    for (const shift of [-2, -1, 0, 1, 2]) {
      const middle = (left + right + 1) / 2 + shift / 2;
      const error = offCircle(profile, middle, radius / cell, cell);
      const wheel = {
        x: middle * cell,
        y: ((top + bottom + 1) / 2) * cell,
        radius,
        width: (bottom - top + 1) * cell,
        error,
      };
      if (error < (best?.error ?? Infinity)) best = wheel;
    }
  return best && best.width <= 1.5 * best.radius * 2 ? best : undefined;
}

/** The mean distance of a profile from the lower half of a circle, as a part of its radius; all in cells but the profile. */
function offCircle(profile: Float64Array, middle: number, radius: number, cell: number): number {
  const [first, last] = [Math.ceil(middle - LOOKED * radius - 0.5), Math.floor(middle + LOOKED * radius - 0.5)];
  if (first < 0 || last >= profile.length || last - first < 3) return Infinity;
  let sum = 0;
  for (let column = first; column <= last; column += 1) {
    const away = column + 0.5 - middle;
    const expected = radius - Math.sqrt(radius * radius - away * away);
    sum += Math.min(1, Math.abs(profile[column]! / cell - expected) / radius);
  }
  return sum / (last - first + 1);
}
