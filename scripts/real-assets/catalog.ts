// Sweet Home 3D's catalogs: what each piece is called, where its model is, and how large it truly is.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { boundsOf, type Model } from "@loopwright/mesh";

export interface Piece {
  readonly name: string;
  readonly kind: Kind;
  readonly path: string;
  /** Meters, along the model's own x, y and z once it is turned. */
  readonly size: readonly [width: number, height: number, depth: number];
  /** How it is turned before that, as nine numbers, row by row. */
  readonly turn: readonly number[];
}

export type Kind = "car" | "chair" | "other";

/** Passenger cars, by the end of their identifier. The catalogs call them all vehicles. */
const cars =
  /#(fordFocus|concept-sedan-.*|VW-new-beetle|seat_leon|peugeot-308|renault-scenic|suv|chevrolet|van|smart-car)$/;

/** The pieces of one unpacked catalog. */
export function readCatalog(path: string): Piece[] {
  const pieces = new Map<string, Record<string, string>>();
  for (const line of readFileSync(path, "latin1").split("\n")) {
    const [, field, number, value] = /^(\w+)#(\d+)=(.*?)\s*$/.exec(line) ?? [];
    if (field) pieces.set(number!, { ...pieces.get(number!), [field]: value! });
  }
  return [...pieces.values()].map(({ id = "", name = "", model = "", width, depth, height, modelRotation }) => ({
    name: id.replaceAll(/[^\w-]+/g, "-"),
    kind: kindOf(id, name),
    path: join(dirname(path), model),
    size: [Number(width) / 100, Number(height) / 100, Number(depth) / 100],
    turn: (modelRotation ?? "1 0 0 0 1 0 0 0 1").split(" ").map(Number),
  }));
}

/** A chair has it in its name; a wheelchair is none. */
function kindOf(id: string, name: string): Kind {
  if (cars.test(id)) return "car";
  return /chair/i.test(name) && !/wheelchair/i.test(name) ? "chair" : "other";
}

/** A model turned and scaled to the size of its catalog, on the ground and in the middle. */
export function fitToSize(model: Model, { size, turn }: Piece): Model {
  const turned = { ...model, positions: model.positions.slice() };
  const { positions } = turned;
  for (let at = 0; at < positions.length; at += 3) {
    // The catalog has y up: (x, y, z) there is (x, -z, y) here.
    const [x, y, z] = [positions[at]!, positions[at + 2]!, -positions[at + 1]!];
    const row = (from: number) => turn[from]! * x + turn[from + 1]! * y + turn[from + 2]! * z;
    positions.set([row(0), -row(6), row(3)], at);
  }
  const { min, max } = boundsOf(turned);
  const [width, height, depth] = size;
  const scales = [width, depth, height].map((side, axis) => side / (max[axis]! - min[axis]! || 1));
  for (let at = 0; at < positions.length; at += 3)
    for (const [axis, scale] of scales.entries()) {
      const from = axis === 2 ? min[2] : (min[axis]! + max[axis]!) / 2;
      positions[at + axis] = (positions[at + axis]! - from) * scale;
    }
  return turned;
}
