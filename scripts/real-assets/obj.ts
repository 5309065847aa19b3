// OBJ files with their materials, as artists leave them: any polygons, any order, y up.

import { readFileSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import type { Material, Model, Texture } from "@loopwright/mesh";

interface Corners {
  vertices: number[];
  places: number[];
}

/** Reads an OBJ file, its materials and their pictures. */
export function readObj(path: string): Model {
  const [at, uvAt]: [number[], number[]] = [[], []];
  const groups = new Map<string, Corners>();
  const materials = new Map<string, Material>();
  let corners = groupOf(groups, "");
  for (const line of readFileSync(path, "latin1")
    .replaceAll(/\\\r?\n/g, " ")
    .split("\n")) {
    const [word = "", ...rest] = line.trim().split(/\s+/);
    if (word === "v") at.push(...rest.slice(0, 3).map(Number));
    else if (word === "vt") uvAt.push(Number(rest[0]), Number(rest[1] ?? 0));
    else if (word === "mtllib") readMaterials(join(dirname(path), rest.join(" ")), materials);
    else if (word === "usemtl") corners = groupOf(groups, rest.join(" "));
    else if (word === "f") addFace(corners, rest, at.length / 3, uvAt.length / 2);
  }
  return joinGroups(groups, materials, at, uvAt);
}

function groupOf(groups: Map<string, Corners>, name: string): Corners {
  const known = groups.get(name) ?? { vertices: [], places: [] };
  groups.set(name, known);
  return known;
}

function addFace({ vertices, places }: Corners, corners: readonly string[], count: number, uvCount: number): void {
  const read = corners.map((corner) => corner.split("/").map((part) => Number.parseInt(part, 10)));
  const index = (value: number | undefined, of: number) =>
    value === undefined || Number.isNaN(value) ? -1 : value < 0 ? of + value : value - 1;
  for (let corner = 2; corner < read.length; corner += 1)
    for (const each of [read[0]!, read[corner - 1]!, read[corner]!]) {
      vertices.push(index(each[0], count));
      places.push(index(each[1], uvCount));
    }
}

/** Each group becomes a part; a vertex with two places in a texture becomes two. */
function joinGroups(
  groups: ReadonlyMap<string, Corners>,
  known: ReadonlyMap<string, Material>,
  at: readonly number[],
  uvAt: readonly number[],
): Model {
  const [positions, uvs, triangles]: [number[], number[], number[]] = [[], [], []];
  const [parts, materials]: [Model["parts"][number][], Material[]] = [[], []];
  for (const [name, { vertices, places }] of groups) {
    if (vertices.length === 0) continue;
    const made = new Map<string, number>();
    const first = triangles.length / 3;
    for (const [corner, vertex] of vertices.entries()) {
      const key = `${vertex}/${places[corner]}`;
      let index = made.get(key);
      if (index === undefined) {
        index = positions.length / 3;
        made.set(key, index);
        const [x, y, z] = [at[vertex * 3]!, at[vertex * 3 + 1]!, at[vertex * 3 + 2]!];
        positions.push(x, -z, y);
        const place = places[corner]! * 2;
        uvs.push(uvAt[place] ?? Number.NaN, place < 0 ? Number.NaN : 1 - uvAt[place + 1]!);
      }
      triangles.push(index);
    }
    parts.push({ name: name || "part", material: materials.length, first, count: vertices.length / 3 });
    materials.push(known.get(name) ?? plain(name || "part"));
  }
  return {
    positions: Float32Array.from(positions),
    triangles: Uint32Array.from(triangles),
    uvs: Float32Array.from(uvs),
    parts,
    materials,
  };
}

function plain(name: string): Material {
  return { name, color: [0.6, 0.6, 0.6, 1], metallic: 0, roughness: 0.6, isTransparent: false, isDoubleSided: false };
}

function readMaterials(path: string, into: Map<string, Material>): void {
  let current: { -readonly [key in keyof Material]: Material[key] } | undefined;
  for (const line of tryToRead(path)?.toString("latin1").split("\n") ?? []) {
    const [word = "", ...rest] = line.trim().split(/\s+/);
    const [r = 0, g = r, b = r] = rest.map(Number);
    if (word === "newmtl") {
      current = plain(rest.join(" "));
      into.set(current.name, current);
    } else if (!current) continue;
    else if (word === "Kd") current.color = [linear(r), linear(g), linear(b), current.color[3]];
    else if (word === "d" || word === "Tr") setAlpha(current, word === "d" ? r : 1 - r);
    else if (word === "Ns") current.roughness = Math.max(0.05, Math.min(1, Math.sqrt(2 / (r + 2))));
    else if (word === "map_Kd") setTexture(current, join(dirname(path), rest.at(-1)!));
  }
}

function setAlpha(material: { color: Material["color"]; isTransparent: boolean }, alpha: number): void {
  const [r, g, b] = material.color;
  material.color = [r, g, b, alpha];
  material.isTransparent = alpha < 1;
}

/** OBJ has colors as screens have them, glTF linear ones. */
function linear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function setTexture(material: { color: Material["color"]; texture?: Texture }, path: string): void {
  const bytes = tryToRead(path);
  if (!bytes) return;
  const type = bytes[0] === 0x89 ? "image/png" : bytes[0] === 0xff ? "image/jpeg" : "";
  if (type === "") return;
  material.color = [1, 1, 1, material.color[3]];
  material.texture = { name: basename(path, extname(path)), type, width: 0, height: 0, bytes, isRepeated: true };
}

function tryToRead(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
