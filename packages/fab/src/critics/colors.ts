// Colors by their names: what a gate's words name, and what a model's surface is painted with.

import { type Material, type Model, pngToPicture } from "@loopwright/mesh";

/** Which names a surface of a named color may also go by: paint is never quite what the eye says. */
const near: Readonly<Record<string, readonly string[]>> = {
  red: ["red", "pink"],
  orange: ["orange", "brown", "red", "yellow"],
  yellow: ["yellow", "orange", "beige"],
  green: ["green"],
  blue: ["blue"],
  purple: ["purple", "pink"],
  pink: ["pink", "purple", "red"],
  brown: ["brown", "orange", "beige"],
  beige: ["beige", "brown", "white", "yellow"],
  white: ["white", "beige", "grey"],
  black: ["black", "grey"],
  grey: ["grey", "white", "black"],
};

export function isColor(name: string): boolean {
  return Object.hasOwn(near, name);
}

export function isNear(asked: string, is: string): boolean {
  return (near[asked] ?? []).includes(is);
}

/** The name of a color: red, green and blue, 0 to 1, as screens have them. */
export function nameOf([red, green, blue]: readonly [number, number, number]): string {
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const vivid = most === 0 ? 0 : (most - least) / most;
  if (most < 0.2) return "black";
  if (vivid < 0.16) return most > 0.78 ? "white" : most < 0.28 ? "black" : "grey";
  const part = most - least;
  const turn =
    most === red
      ? ((green - blue) / part + 6) % 6
      : most === green
        ? (blue - red) / part + 2
        : (red - green) / part + 4;
  const hue = turn * 60;
  if (hue < 15 || hue >= 345) return vivid < 0.45 && most > 0.6 ? "pink" : "red";
  if (hue < 45) return most < 0.72 || vivid < 0.5 ? (most > 0.7 && vivid < 0.4 ? "beige" : "brown") : "orange";
  if (hue < 70) return vivid < 0.4 ? "beige" : "yellow";
  if (hue < 170) return "green";
  if (hue < 260) return "blue";
  return hue < 315 ? "purple" : "pink";
}

/** The parts of a model's surface by the names of their colors; undefined where a picture cannot be read here. */
export function paintOf(model: Model): Map<string, number> | undefined {
  const areas = new Map<string, number>();
  let [whole, unknown] = [0, 0];
  for (const part of model.parts) {
    const area = areaOf(model, part.first, part.count);
    whole += area;
    const color = part.material === undefined ? undefined : colorOf(model.materials[part.material]!);
    if (!color) unknown += area;
    else areas.set(nameOf(color), (areas.get(nameOf(color)) ?? 0) + area);
  }
  if (whole === 0 || unknown > 0.5 * whole) return undefined;
  return new Map([...areas].map(([name, area]) => [name, area / (whole - unknown)]));
}

/** The color that it is called by: that of most of the surface, where tires, glass and trim do not count unless there is little else. */
export function dominantOf(paint: ReadonlyMap<string, number>): string | undefined {
  const list = [...paint].toSorted((a, b) => b[1] - a[1]);
  const colored = list.filter(([name]) => name !== "black");
  const rest = colored.reduce((sum, [, share]) => sum + share, 0);
  return (rest >= LITTLE ? colored : list)[0]?.[0];
}

const LITTLE = 0.25;

function areaOf({ positions, triangles }: Model, first: number, count: number): number {
  let area = 0;
  for (let at = first * 3; at < (first + count) * 3; at += 3) {
    const [a, b, c] = [triangles[at]! * 3, triangles[at + 1]! * 3, triangles[at + 2]! * 3];
    const u = [0, 1, 2].map((axis) => positions[b + axis]! - positions[a + axis]!) as [number, number, number];
    const v = [0, 1, 2].map((axis) => positions[c + axis]! - positions[a + axis]!) as [number, number, number];
    area += Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]) / 2;
  }
  return area;
}

/** A material's color as screens have it, its picture's mean where it has one. */
function colorOf({ color, texture }: Material): [number, number, number] | undefined {
  const own = color.slice(0, 3).map((value) => Math.max(0, Math.min(1, value)) ** (1 / 2.2)) as [
    number,
    number,
    number,
  ];
  if (!texture) return own;
  if (texture.type !== "image/png" || texture.missing !== undefined) return undefined;
  const { width, height, channels, data } = pngToPicture(texture.bytes);
  const sums = [0, 0, 0];
  for (let at = 0; at < width * height; at += 1)
    for (let each = 0; each < 3; each += 1) sums[each]! += data[at * channels + (channels < 3 ? 0 : each)]!;
  return own.map((value, each) => (value * sums[each]!) / (255 * width * height)) as [number, number, number];
}
