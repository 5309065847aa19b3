// Is it a car? By its wheels, its proportions and its outline, whatever its size and whichever way it faces. The ranges are
// those of real passenger cars, from a two-seater of 2.5 m to a van, and none is taken from a template of ours.

import type { Mesh } from "@loopwright/mesh";
import { best, DETECTED, fitAll, type Likeness, type Trait } from "./likeness.ts";
import { type BodyFigures, bodyOf, flipMaps, type Maps, mapsOf, mirrorMaps, turnMaps } from "./maps.ts";
import { findWheels, type Wheel } from "./wheels.ts";

interface CarLikeness extends Likeness {
  /** The axis of the file that it rolls along. */
  readonly forward: "x" | "y";
  readonly wheels: number;
  /** Wheels without a partner on the other side. */
  readonly unpaired: number;
}

const known = new WeakMap<Mesh, CarLikeness>();

/** How much an asset is like a car. Only what is none upright is looked at upside down. */
export function likenessToCar(mesh: Mesh): CarLikeness {
  const earlier = known.get(mesh);
  if (earlier) return earlier;
  const maps = mapsOf(mesh);
  const likeness = maps ? lookBothWays(maps) : nothing;
  known.set(mesh, likeness);
  return likeness;
}

/** The axis that an asset rolls along; undefined where it has no wheels. */
export function forwardOf(mesh: Mesh): "x" | "y" | undefined {
  const { wheels, forward } = likenessToCar(mesh);
  return wheels >= 2 ? forward : undefined;
}

const nothing: CarLikeness = {
  score: 0,
  isUpsideDown: false,
  against: ["it is flat"],
  forward: "x",
  wheels: 0,
  unpaired: 0,
};

function lookBothWays(maps: Maps): CarLikeness {
  const upright = best([look(maps, "x"), look(turnMaps(maps, 1), "y")].toSorted((a, b) => b.wheels - a.wheels));
  if (upright.score >= DETECTED) return upright;
  const over = flipMaps(maps);
  const flipped = best([look(over, "x"), look(turnMaps(over, 1), "y")]);
  return flipped.score >= DETECTED ? { ...flipped, isUpsideDown: true } : upright;
}

/** What half a car counts: it is one, and not enough of one. */
const HALF = 0.6;
/** What a car counts that has lost a wheel, or has one out of its place. */
const ONE_OFF = 0.85;

function look(maps: Maps, forward: "x" | "y"): CarLikeness {
  const wheels = findWheels(maps).filter((wheel) => isCarWheel(wheel, maps));
  const pairs = pairsOf(wheels, maps);
  const [width, sides] = [maps.rows * maps.cell, wheels.map(({ y }) => y / (maps.rows * maps.cell))];
  const base = { isUpsideDown: false, forward, wheels: wheels.length, unpaired: wheels.length - pairs.length * 2 };
  const isLowSide = sides.every((side) => side < SIDE);
  if (wheels.length >= 2 && (isLowSide || sides.every((side) => side > 1 - SIDE))) {
    // The other half is where the wheels are not.
    const whole = mirrorMaps(isLowSide ? turnMaps(maps, 2) : maps);
    const { score, against } = lookAtWhole(whole, pairsOf(findWheels(whole), whole), 1);
    return { ...base, score: HALF * score, against: ["one half is missing", ...against] };
  }
  const single = wheels.filter((wheel) => !pairs.flat().includes(wheel) && Math.abs(wheel.y / width - 0.5) > 0.2);
  const share = pairs.length >= 2 ? 1 : pairs.length === 1 && single.length > 0 ? ONE_OFF : 0;
  return { ...base, ...lookAtWhole(maps, pairs, share) };
}

/** Up to this part of the width from one side, a wheel stands at that side. */
const SIDE = 0.4;

function lookAtWhole(
  maps: Maps,
  pairs: readonly [Wheel, Wheel][],
  share: number,
): { score: number; against: string[] } {
  const { score, against } = fitAll([...bodyTraits(bodyOf(maps)), ...wheelTraits(maps, pairs)]);
  return {
    score: share * score,
    against: share < 1 ? ["it does not stand on two pairs of wheels", ...against] : against,
  };
}

function bodyTraits({ lengthToWidth, heightToWidth, plan, side, clearance, lowEnd }: BodyFigures): Trait[] {
  return [
    { name: "length to width", is: lengthToWidth, range: [1.4, 3.2] },
    { name: "height to width", is: heightToWidth, range: [0.48, 1.2] },
    { name: "covered part of the plan", is: plan, range: [0.72, 1] },
    { name: "filled part of the side", is: side, range: [0.5, 0.87] },
    { name: "clearance to height", is: clearance, range: [0.03, 0.3] },
    { name: "lower end to height", is: lowEnd, range: [0.25, 0.85] },
  ];
}

function wheelTraits({ columns, rows, cell }: Maps, pairs: readonly [Wheel, Wheel][]): Trait[] {
  const [first, last] = [pairs[0], pairs.at(-1)];
  if (!first || !last) return [];
  const track: Trait = { name: "track to width", is: (first[1].y - first[0].y) / (rows * cell), range: [0.6, 0.97] };
  if (first === last) return [track];
  return [track, { name: "wheelbase to length", is: (last[0].x - first[0].x) / (columns * cell), range: [0.42, 0.82] }];
}

/** A car's wheel is an eighth to a third of its height in radius, and narrower than it is high. */
function isCarWheel({ radius, width }: Wheel, { height }: Maps): boolean {
  return radius >= 0.11 * height && radius <= 0.36 * height && width <= 1.6 * radius;
}

/** Pairs of wheels left and right of the middle, from one end to the other. */
export function pairsOf(wheels: readonly Wheel[], { columns, rows, cell }: Maps): [Wheel, Wheel][] {
  const [length, width] = [columns * cell, rows * cell];
  const left = wheels.filter(({ y }) => y >= width / 2);
  return wheels
    .filter(({ y }) => y < width / 2)
    .flatMap((one) => {
      const other = left.find(
        (each) =>
          Math.abs(each.x - one.x) <= ASIDE * length &&
          Math.abs(each.y - (width - one.y)) <= ASIDE * length &&
          Math.abs(each.radius - one.radius) <= 0.25 * one.radius,
      );
      return other ? [[one, other] as [Wheel, Wheel]] : [];
    });
}

/** How far a wheel may be from where its partner has it, as a part of the length: steered wheels stand aslant. */
const ASIDE = 0.05;
