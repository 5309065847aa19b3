// Normals: smooth where a surface bends a little, sharp where it has a crease.

import { type Mesh, weld } from "./mesh.ts";

/** Faces that meet at less than about 41 degrees are shaded as one surface. */
const SMOOTH_COSINE = 0.75;

/** Where more triangles than this meet, each is flat: to compare all with all would take for ever. */
const CROWD = 1000;

/** A unit normal for each corner of each triangle: nine numbers a triangle. One without an area gets upright ones. */
export function cornerNormals(mesh: Mesh): Float32Array {
  const faces = faceNormals(mesh);
  const { places, count } = weld(mesh.positions);
  const around = trianglesAround(mesh, places, count);
  const normals = new Float32Array(mesh.triangles.length * 3);
  for (let corner = 0; corner < mesh.triangles.length; corner += 1) {
    const own = Math.floor(corner / 3) * 4;
    const ownX = faces[own]!;
    const ownY = faces[own + 1]!;
    const ownZ = faces[own + 3]! > 0 ? faces[own + 2]! : 1;
    let x = 0;
    let y = 0;
    let z = 0;
    const place = places[mesh.triangles[corner]!];
    const start = place === undefined ? 0 : around.starts[place]!;
    const end = place === undefined ? 0 : around.starts[place + 1]!;
    for (let at = end - start > CROWD ? end : start; at < end; at += 1) {
      const other = around.triangles[at]! * 4;
      const cosine = ownX * faces[other]! + ownY * faces[other + 1]! + ownZ * faces[other + 2]!;
      if (cosine < SMOOTH_COSINE) continue;
      const area = faces[other + 3]!;
      x += faces[other]! * area;
      y += faces[other + 1]! * area;
      z += faces[other + 2]! * area;
    }
    const length = Math.sqrt(x * x + y * y + z * z);
    normals[corner * 3] = length > 0 ? x / length : ownX;
    normals[corner * 3 + 1] = length > 0 ? y / length : ownY;
    normals[corner * 3 + 2] = length > 0 ? z / length : ownZ;
  }
  return normals;
}

/** Of each triangle: its unit normal, and its area in square meters; zeros where it has none. */
export function faceNormals({ positions, triangles }: Mesh): Float64Array {
  const faces = new Float64Array(Math.floor(triangles.length / 3) * 4);
  for (let at = 0, corner = 0; at < faces.length; at += 4, corner += 3) {
    const a = triangles[corner]! * 3;
    const b = triangles[corner + 1]! * 3;
    const c = triangles[corner + 2]! * 3;
    const ux = positions[b]! - positions[a]!;
    const uy = positions[b + 1]! - positions[a + 1]!;
    const uz = positions[b + 2]! - positions[a + 2]!;
    const vx = positions[c]! - positions[a]!;
    const vy = positions[c + 1]! - positions[a + 1]!;
    const vz = positions[c + 2]! - positions[a + 2]!;
    const x = uy * vz - uz * vy;
    const y = uz * vx - ux * vz;
    const z = ux * vy - uy * vx;
    const length = Math.sqrt(x * x + y * y + z * z);
    if (!(length > 0 && Number.isFinite(length))) continue;
    faces[at] = x / length;
    faces[at + 1] = y / length;
    faces[at + 2] = z / length;
    faces[at + 3] = length / 2;
  }
  return faces;
}

/** For each position the triangles that touch it, one after another. */
function trianglesAround({ triangles }: Mesh, places: Uint32Array, count: number) {
  const starts = new Uint32Array(count + 1);
  for (const vertex of triangles) {
    const place = places[vertex];
    if (place !== undefined) starts[place + 1]! += 1;
  }
  for (let place = 0; place < count; place += 1) starts[place + 1]! += starts[place]!;
  const next = starts.slice();
  const list = new Uint32Array(starts[count]!);
  for (let corner = 0; corner < triangles.length; corner += 1) {
    const place = places[triangles[corner]!];
    if (place === undefined) continue;
    list[next[place]!] = Math.floor(corner / 3);
    next[place]! += 1;
  }
  return { starts, triangles: list };
}
