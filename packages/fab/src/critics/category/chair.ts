// Is it a chair? By a seat that is level, a back behind it that rises, an open front, and feet that are far enough apart. The
// ranges are those of real chairs, from a low one without legs to a bar chair.

import type { Mesh } from "@loopwright/mesh";
import { pairsOf } from "./car.ts";
import { best, DETECTED, fitAll, type Likeness } from "./likeness.ts";
import { flipMaps, type Maps, mapsOf, mirrorMaps, turnMaps } from "./maps.ts";
import { findWheels, patchesOf } from "./wheels.ts";

/** How much an asset is like a chair. Only what is none upright is looked at upside down, and only what is none as half of one. */
export function likenessToChair(mesh: Mesh): Likeness {
  const maps = mapsOf(mesh);
  if (!maps) return { score: 0, isUpsideDown: false, against: ["it is flat"] };
  if (rolls(maps) || rolls(turnMaps(maps, 1)))
    return { score: 0, isUpsideDown: false, against: ["it stands on a pair of large wheels"] };
  const upright = lookAllRound(maps);
  if (upright.score >= DETECTED) return { ...upright, isUpsideDown: false };
  const flipped = lookAllRound(flipMaps(maps));
  if (flipped.score >= DETECTED) return { ...flipped, isUpsideDown: true };
  const whole = best([0, 1, 2, 3].map((quarters) => lookAllRound(mirrorMaps(turnMaps(maps, quarters)))));
  if (whole.score < 1) return { ...upright, isUpsideDown: false };
  return { score: HALF, isUpsideDown: false, against: ["one half is missing"] };
}

/** Whether it stands on a pair of wheels that are more than casters: a wheelchair, a stroller. */
function rolls(maps: Maps): boolean {
  const large = findWheels(maps).filter(({ radius }) => radius >= LARGE * maps.height);
  return pairsOf(large, maps).length > 0;
}

/** The radius of a wheel that is no caster, as a part of the height. */
const LARGE = 0.15;

/** What half a chair counts: it is one, and not enough of one. */
const HALF = 0.6;

function lookAllRound(maps: Maps): { score: number; against: string[] } {
  return best([0, 1, 2, 3].map((quarters) => look(turnMaps(maps, quarters))));
}

/** As a chair whose back is at the far end of x. */
function look(maps: Maps): { score: number; against: string[] } {
  const { columns, rows, cell, height } = maps;
  const proportions = [
    { name: "height to width", is: height / (rows * cell), range: [0.7, 2.8] as const },
    { name: "depth to width", is: columns / rows, range: [0.72, 1.7] as const },
  ];
  if (fitAll(proportions).score === 0) return fitAll(proportions);
  const seat = seatOf(maps);
  const { back, front } = rowsAbove(maps, seat.height + TALL * (height - seat.height));
  const { along, across } = stance(maps);
  return fitAll([
    ...proportions,
    { name: "seat to height", is: seat.height / height, range: [0.15, 0.78] },
    { name: "level part of the seat", is: seat.level, range: [0.8, 1] },
    { name: "part of the width with a back", is: back, range: [0.75, 1] },
    { name: "part of the width with an open front", is: 1 - front, range: [0.8, 1] },
    { name: "depth of its stand", is: along, range: [0.42, 1] },
    { name: "width of its stand", is: across, range: [0.42, 1] },
  ]);
}

/** How far above the seat, as a part of what is above it, something is a back and not a cushion. */
const TALL = 0.6;
/** How far from the seat's height a place may be to be level with it, as a part of the height. */
const LEVEL = 0.08;

/** The height of the seat's middle, and how much of it is level. */
function seatOf({ columns, rows, height, high }: Maps): { height: number; level: number } {
  const places: number[] = [];
  let cells = 0;
  for (let row = Math.floor(0.25 * rows); row < 0.75 * rows; row += 1)
    for (let column = Math.floor(0.15 * columns); column < 0.6 * columns; column += 1) {
      cells += 1;
      const place = high[row * columns + column]!;
      if (place > -Infinity) places.push(place);
    }
  places.sort((a, b) => a - b);
  const middle = places[places.length >> 1] ?? 0;
  return { height: middle, level: places.filter((place) => Math.abs(place - middle) <= LEVEL * height).length / cells };
}

/** The parts of the middle rows that rise above a height at the far end, and before it. */
function rowsAbove({ columns, rows, high }: Maps, height: number): { back: number; front: number } {
  let [looked, back, front] = [0, 0, 0];
  for (let row = Math.floor(0.2 * rows); row < 0.8 * rows; row += 1) {
    const rises = (from: number, to: number) =>
      high
        .subarray(row * columns + Math.floor(from * columns), row * columns + Math.ceil(to * columns))
        .some((place) => place > height);
    looked += 1;
    if (rises(0.6, 1)) back += 1;
    if (rises(0, 0.5)) front += 1;
  }
  return { back: back / looked, front: front / looked };
}

/** How far apart the places are on which it stands, as parts of its depth and width. */
function stance(maps: Maps): { along: number; across: number } {
  const patches = patchesOf(maps);
  const span = (from: "left" | "top", to: "right" | "bottom", of: number) =>
    (Math.max(...patches.map((patch) => patch[to])) - Math.min(...patches.map((patch) => patch[from])) + 1) / of;
  if (patches.length === 0) return { along: 0, across: 0 };
  return { along: span("left", "right", maps.columns), across: span("top", "bottom", maps.rows) };
}
