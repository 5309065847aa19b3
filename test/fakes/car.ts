// A car in plain shapes, to check and to look at: a closed body and four closed wheels, drawn by seed. It stands on the ground
// around the origin, faces +x, and is the same left and right.

import { randomStream } from "@loopwright/core";
import type { Material, Mesh, Part } from "@loopwright/mesh";

export const WHEELS = ["front left", "front right", "rear left", "rear right"] as const;

/** Some 9,000 triangles. The texture places of no two triangles overlap. */
export function car(seed = 1): Mesh {
  const random = randomStream("car", seed);
  const draw = (from: number, to: number) => from + (to - from) * random();
  const size = { length: draw(4, 4.6), width: draw(1.66, 1.84), height: draw(1.35, 1.55) };
  const wheel = { radius: draw(0.3, 0.34), width: draw(0.19, 0.23), base: draw(2.5, 2.75) };
  const body = shell(52, 64, bodyPlaces(size), [0, 0, 0.5, 1]);
  const wheels = WHEELS.map((name, at) => {
    const middle = [
      (name.startsWith("front") ? 0.5 : -0.5) * wheel.base,
      (name.endsWith("left") ? 0.5 : -0.5) * (size.width - wheel.width),
      wheel.radius,
    ] as const;
    return shell(11, 32, wheelPlaces(wheel, middle), [0.5 + 0.25 * (at % 2), 0.5 * Math.floor(at / 2), 0.25, 0.5]);
  });
  return join(["body", ...WHEELS], [body, ...wheels]);
}

type Place = readonly [number, number, number];

interface Shell {
  readonly positions: readonly number[];
  readonly uvs: readonly number[];
  readonly triangles: readonly number[];
}

/** A closed surface of rings, from a place (along 0) to a place (along 1); around is 0 to 1 too. */
function shell(
  rings: number,
  columns: number,
  place: (along: number, around: number) => Place,
  [left, bottom, wide, tall]: readonly [number, number, number, number],
): Shell {
  const [positions, uvs, triangles]: [number[], number[], number[]] = [[], [], []];
  for (let ring = 0; ring <= rings; ring += 1)
    for (let column = 0; column <= columns; column += 1) {
      // The last column stands where the first does, with texture places of its own.
      positions.push(...place(ring / rings, (column % columns) / columns));
      uvs.push(left + (wide * (0.02 + 0.96 * column)) / columns, bottom + (tall * (0.02 + 0.96 * ring)) / rings);
    }
  for (let ring = 0; ring < rings; ring += 1)
    for (let column = 0; column < columns; column += 1) {
      const a = ring * (columns + 1) + column;
      const c = a + columns + 1;
      if (ring > 0) triangles.push(a, a + 1, c + 1);
      if (ring < rings - 1) triangles.push(a, c + 1, c);
    }
  return { positions, uvs, triangles };
}

/** From the tail to the nose: rings that are flat below and round above, higher where the cabin is. */
function bodyPlaces({ length, width, height }: { length: number; width: number; height: number }) {
  const floor = 0.2;
  return (along: number, around: number): Place => {
    const x = length * (along - 0.5);
    const end = Math.sqrt(Math.max(0, 1 - Math.abs(2 * along - 1) ** 6));
    const cabin = Math.exp(-(((along - 0.44) / 0.2) ** 4));
    const top = (height - floor) * (0.52 + 0.48 * cabin);
    const angle = 2 * Math.PI * around;
    const [side, up] = [-Math.sin(angle), Math.cos(angle)];
    const round = (value: number) => Math.sign(value) * Math.abs(value) ** 0.7;
    const narrow = 1 - 0.24 * cabin * Math.max(0, up) ** 2;
    return [x, (width / 2) * end * narrow * round(side), floor + top * (0.5 + 0.5 * end * round(up))];
  };
}

/** From hub to hub over the tread, around an axle along y; a ring's lowest place is on the ground. */
function wheelPlaces({ radius, width }: { radius: number; width: number }, [x, y, z]: Place) {
  return (along: number, around: number): Place => {
    const across = 2 * along - 1;
    const out = radius * Math.min(1, 3 * (1 - Math.abs(across))) ** 0.6;
    const angle = 2 * Math.PI * around;
    const bulge = (width / 2) * Math.sign(across) * Math.min(1, Math.abs(across) * 1.5);
    return [x + out * Math.sin(angle), y + bulge, z + out * Math.cos(angle)];
  };
}

export const paint: Material = {
  name: "paint",
  color: [0.55, 0.04, 0.03, 1],
  metallic: 0.2,
  roughness: 0.4,
  isTransparent: false,
  isDoubleSided: false,
};
export const rubber: Material = { ...paint, name: "rubber", color: [0.02, 0.02, 0.02, 1], metallic: 0, roughness: 0.9 };

function join(names: readonly string[], shells: readonly Shell[]): Mesh {
  const parts: Part[] = [];
  const [positions, uvs, triangles]: [number[], number[], number[]] = [[], [], []];
  for (const [at, shell] of shells.entries()) {
    const base = positions.length / 3;
    const count = shell.triangles.length / 3;
    parts.push({ name: names[at]!, material: at === 0 ? 0 : 1, first: triangles.length / 3, count });
    positions.push(...shell.positions);
    uvs.push(...shell.uvs);
    triangles.push(...shell.triangles.map((vertex) => vertex + base));
  }
  return {
    positions: Float32Array.from(positions),
    triangles: Uint32Array.from(triangles),
    uvs: Float32Array.from(uvs),
    parts,
    materials: [paint, rubber],
  };
}
