// Ways to spoil a good asset, each with the codes that a judge must give for it.

import { randomStream } from "@loopwright/core";
import { boundsOf, type Model, meshToGlb } from "@loopwright/mesh";
import { MeshoptSimplifier } from "meshoptimizer";
import { cube } from "./shapes.ts";

export interface Mutation {
  readonly name: string;
  /** The kinds of assets that it is for; all where it is left out. */
  readonly kinds?: readonly ("car" | "chair")[];
  readonly make: (model: Model, kind: "car" | "chair") => Model | Promise<Model>;
  /** What is done to the file, once it is written. */
  readonly spoil?: (bytes: Uint8Array) => Uint8Array;
  /** The codes that it must have, and the hard ones that it may have besides. */
  readonly codes: (kind: "car" | "chair") => readonly string[];
  readonly verdict: "pass" | "fail";
}

const only =
  (...codes: string[]) =>
  () =>
    codes;
const upper = (kind: string) => kind.toUpperCase();

export const mutations: readonly Mutation[] = [
  {
    name: "a wheel missing",
    kinds: ["car"],
    make: (model) => removeParts(model, /front left/),
    codes: only("GEO_WHEEL_COUNT_LOW"),
    verdict: "fail",
  },
  {
    name: "a wheel moved",
    kinds: ["car"],
    make: (model) => moveParts(model, /rear right/, [0.6, 0, 0]),
    codes: only("GEO_ASYMMETRIC"),
    verdict: "fail",
  },
  {
    name: "ten times too large",
    make: (model) => mapPlaces(model, (x, y, z) => [10 * x, 10 * y, 10 * z]),
    codes: only("GEO_SCALE_IMPLAUSIBLE"),
    verdict: "fail",
  },
  {
    name: "in inches taken for meters",
    make: (model) => mapPlaces(model, (x, y, z) => [39.37 * x, 39.37 * y, 39.37 * z]),
    codes: only("GEO_SCALE_IMPLAUSIBLE"),
    verdict: "fail",
  },
  { name: "2.75 m wide", kinds: ["car"], make: widen, codes: only("GEO_DIMENSIONS_OUT_OF_RANGE"), verdict: "pass" },
  {
    name: "floating",
    make: (model) => mapPlaces(model, (x, y, z) => [x, y, z + 0.4]),
    codes: only("GEO_FLOATING"),
    verdict: "fail",
  },
  { name: "inverted normals", make: invert, codes: only("GEO_NORMALS_INCONSISTENT"), verdict: "fail" },
  { name: "holes", make: punch, codes: only("GEO_NON_MANIFOLD"), verdict: "fail" },
  { name: "joined meshes", make: joinParts, codes: only(), verdict: "pass" },
  {
    name: "no materials",
    make: (model) => ({
      ...model,
      parts: model.parts.map((part) => ({ ...part, material: undefined })),
      materials: [],
    }),
    codes: only("MAT_NONE"),
    verdict: "pass",
  },
  {
    name: "a missing texture",
    make: (model) => model,
    spoil: loseTexture,
    codes: only("MAT_MISSING_TEXTURES"),
    verdict: "fail",
  },
  {
    name: "places that are no numbers",
    make: (model) => model,
    spoil: losePlaces,
    codes: only("MESH_INVALID"),
    verdict: "fail",
  },
  {
    name: "too few triangles",
    make: (model, kind) => simplify(model, kind === "car" ? 3500 : 400),
    codes: only("GEO_TRI_COUNT_LOW"),
    verdict: "pass",
  },
  {
    name: "too many triangles",
    make: (model, kind) => refine(model, kind === "car" ? 500_000 : 300_000),
    codes: only("GEO_TRI_COUNT_HIGH"),
    verdict: "pass",
  },
  {
    name: "one half deleted",
    make: deleteHalf,
    codes: (kind) => (kind === "car" ? ["GEO_ASYMMETRIC", "GEO_WHEEL_COUNT_LOW"] : ["GEO_ASYMMETRIC"]),
    verdict: "fail",
  },
  {
    name: "noise on every vertex",
    make: (model, kind) => addNoise(model, kind === "car" ? 0.015 : 0.006),
    codes: only("GEO_SURFACE_NOISE"),
    verdict: "fail",
  },
  {
    name: "upside down",
    make: turnOver,
    codes: only("GEO_UPSIDE_DOWN"),
    verdict: "fail",
  },
  {
    name: "facing along another axis",
    make: (model) => mapPlaces(model, (x, y, z) => [-y, x, z]),
    codes: only(),
    verdict: "pass",
  },
  {
    name: "facing backward",
    make: (model) => mapPlaces(model, (x, y, z) => [-x, -y, z]),
    codes: only(),
    verdict: "pass",
  },
  {
    name: "a cube instead",
    make: () => ({ ...cube(2), parts: [{ name: "cube", material: undefined, first: 0, count: 12 }], materials: [] }),
    codes: (kind) => [`CAT_NO_${upper(kind)}_DETECTED`, "GEO_TRI_COUNT_TRIVIAL", "GEO_SCALE_IMPLAUSIBLE?"],
    verdict: "fail",
  },
];

/** The file of an asset that is spoiled. */
export async function mutate({ make, spoil }: Mutation, model: Model, kind: "car" | "chair"): Promise<Uint8Array> {
  const bytes = await meshToGlb(await make(model, kind));
  return spoil ? spoil(bytes) : bytes;
}

type Place = readonly [number, number, number];

export function mapPlaces<M extends Pick<Model, "positions">>(
  model: M,
  put: (x: number, y: number, z: number) => Place,
): M {
  const positions = model.positions.slice();
  for (let at = 0; at < positions.length; at += 3)
    positions.set(put(positions[at]!, positions[at + 1]!, positions[at + 2]!), at);
  return { ...model, positions };
}

/** The model of the triangles that are kept. */
function keepFaces(model: Model, isKept: (face: number) => boolean): Model {
  const triangles: number[] = [];
  const parts = model.parts.map((part) => {
    const first = triangles.length / 3;
    for (let face = part.first; face < part.first + part.count; face += 1)
      if (isKept(face)) triangles.push(...model.triangles.subarray(face * 3, face * 3 + 3));
    return { ...part, first, count: triangles.length / 3 - first };
  });
  return { ...model, triangles: Uint32Array.from(triangles), parts: parts.filter(({ count }) => count > 0) };
}

export function removeParts(model: Model, names: RegExp): Model {
  const gone = model.parts.filter(({ name }) => names.test(name));
  if (gone.length === 0) throw new Error(`no part is called ${names}`);
  return keepFaces(model, (face) => !gone.some(({ first, count }) => face >= first && face < first + count));
}

function moveParts(model: Model, names: RegExp, by: Place): Model {
  const moved = new Set<number>();
  for (const { name, first, count } of model.parts)
    if (names.test(name))
      for (const vertex of model.triangles.subarray(first * 3, (first + count) * 3)) moved.add(vertex);
  const positions = model.positions.slice();
  for (const vertex of moved) for (const axis of [0, 1, 2]) positions[vertex * 3 + axis]! += by[axis]!;
  return { ...model, positions };
}

function widen(model: Model): Model {
  const { min, max } = boundsOf(model);
  const across = max[0] - min[0] < max[1] - min[1] ? 0 : 1;
  const by = 2.75 / (max[across] - min[across]);
  return mapPlaces(model, (x, y, z) => (across === 0 ? [x * by, y, z] : [x, y * by, z]));
}

function turnOver(model: Model): Model {
  const { max } = boundsOf(model);
  return mapPlaces(model, (x, y, z) => [x, -y, max[2] - z]);
}

function invert(model: Model): Model {
  const triangles = model.triangles.slice();
  for (let at = 0; at < triangles.length; at += 3)
    triangles.set([triangles[at]!, triangles[at + 2]!, triangles[at + 1]!], at);
  return { ...model, triangles };
}

/** One triangle in eight gone, here and there. */
function punch(model: Model): Model {
  const random = randomStream("holes", 1);
  const gone = Array.from({ length: model.triangles.length / 3 }, () => random() < 0.125);
  return keepFaces(model, (face) => !gone[face]);
}

/** Everything in one part for each material, and vertices at one place one. */
function joinParts(model: Model): Model {
  const order = [...new Set(model.parts.map(({ material }) => material))];
  const triangles: number[] = [];
  const parts = order.map((material) => {
    const first = triangles.length / 3;
    for (const part of model.parts.filter((each) => each.material === material))
      for (const vertex of model.triangles.subarray(part.first * 3, (part.first + part.count) * 3))
        triangles.push(vertex);
    return { name: "all", material, first, count: triangles.length / 3 - first };
  });
  return { ...model, triangles: Uint32Array.from(triangles), parts };
}

/** The file with NaN for one place in a hundred of its first part. */
function losePlaces(bytes: Uint8Array): Uint8Array {
  const { file, gltf, end } = openFile(bytes);
  const { bufferView, byteOffset = 0, count } = gltf.accessors[gltf.meshes[0].primitives[0].attributes.POSITION];
  const from = end + 8 + (gltf.bufferViews[bufferView].byteOffset ?? 0) + byteOffset;
  for (let vertex = 0; vertex < count; vertex += 100) file.writeFloatLE(Number.NaN, from + vertex * 12);
  return file;
}

/** A copy of a file, its description, and where that ends. */
function openFile(bytes: Uint8Array) {
  const file = Buffer.from(bytes);
  const end = 20 + file.readUInt32LE(12);
  return { file, gltf: JSON.parse(file.toString("utf8", 20, end)), end };
}

/** The file with a picture for its first material that is not in it. */
function loseTexture(bytes: Uint8Array): Uint8Array {
  const { file, gltf, end } = openFile(bytes);
  gltf.images = [{ uri: "paint.png" }];
  gltf.textures = [{ source: 0 }];
  gltf.materials[0].pbrMetallicRoughness.baseColorTexture = { index: 0 };
  const words = Buffer.from(JSON.stringify(gltf));
  const json = Buffer.concat([words, Buffer.alloc((4 - (words.length % 4)) % 4, " ")]);
  const header = Buffer.from(file.subarray(0, 20));
  header.writeUInt32LE(20 + json.length + file.length - end, 8);
  header.writeUInt32LE(json.length, 12);
  return Buffer.concat([header, json, file.subarray(end)]);
}

/** Vertices at one place made one: their numbers, and a place for each. */
function weld({ positions }: Model): { places: Float32Array; numbers: Uint32Array } {
  const known = new Map<string, number>();
  const places: number[] = [];
  const numbers = Uint32Array.from({ length: positions.length / 3 }, (_, vertex) => {
    const place = [...positions.subarray(vertex * 3, vertex * 3 + 3)];
    const key = place.map((value) => Math.round(value * 1e5)).join(" ");
    let number = known.get(key);
    if (number === undefined) {
      number = places.length / 3;
      known.set(key, number);
      places.push(...place);
    }
    return number;
  });
  return { places: Float32Array.from(places), numbers };
}

async function simplify(model: Model, count: number): Promise<Model> {
  await MeshoptSimplifier.ready;
  const { places, numbers } = weld(model);
  const share = count / (model.triangles.length / 3);
  const triangles: number[] = [];
  const parts = model.parts.map((part) => {
    const own = model.triangles.slice(part.first * 3, (part.first + part.count) * 3).map((vertex) => numbers[vertex]!);
    const target = Math.max(12, Math.floor(part.count * share)) * 3;
    const [kept] = MeshoptSimplifier.simplify(own, places, 3, target, 1, ["LockBorder"]);
    const first = triangles.length / 3;
    triangles.push(...kept);
    return { ...part, first, count: kept.length / 3 };
  });
  return { positions: places, triangles: Uint32Array.from(triangles), parts, materials: model.materials };
}

/** Every triangle as four, again and again, until there are more than so many. */
function refine(model: Model, most: number): Model {
  const { places, numbers } = weld(model);
  let fine: Model = {
    positions: places,
    triangles: model.triangles.map((vertex) => numbers[vertex]!),
    parts: model.parts,
    materials: model.materials,
  };
  while (fine.triangles.length / 3 <= most) fine = refineOnce(fine);
  return fine;
}

function refineOnce({ positions, triangles, parts, materials }: Model): Model {
  const places = [...positions];
  const middles = new Map<number, number>();
  const middle = (a: number, b: number) => {
    const key = Math.min(a, b) * 2 ** 26 + Math.max(a, b);
    let number = middles.get(key);
    if (number === undefined) {
      number = places.length / 3;
      middles.set(key, number);
      for (const axis of [0, 1, 2]) places.push((positions[a * 3 + axis]! + positions[b * 3 + axis]!) / 2);
    }
    return number;
  };
  const fine = new Uint32Array(triangles.length * 4);
  for (let at = 0; at < triangles.length; at += 3) {
    const [a, b, c] = [triangles[at]!, triangles[at + 1]!, triangles[at + 2]!];
    const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
    fine.set([a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca], at * 4);
  }
  return {
    positions: Float32Array.from(places),
    triangles: fine,
    parts: parts.map((part) => ({ ...part, first: part.first * 4, count: part.count * 4 })),
    materials,
  };
}

/** Cut along the middle: what reaches over it ends there. */
function deleteHalf(model: Model): Model {
  const isKept = (face: number) =>
    model.triangles.subarray(face * 3, face * 3 + 3).some((vertex) => model.positions[vertex * 3 + 1]! > 1e-4);
  return mapPlaces(keepFaces(model, isKept), (x, y, z) => [x, Math.max(0, y), z]);
}

function addNoise(model: Model, most: number): Model {
  const random = randomStream("noise", 1);
  const shifts = new Map<string, Place>();
  return mapPlaces(model, (x, y, z) => {
    const key = [x, y, z].map((value) => Math.round(value * 1e5)).join(" ");
    const shift = shifts.get(key) ?? ([0, 1, 2].map(() => (2 * random() - 1) * most) as unknown as Place);
    shifts.set(key, shift);
    return [x + shift[0], y + shift[1], z + shift[2]];
  });
}
