// The mask that a mesh leaves in a view.

import type { Mesh } from "../mesh.ts";
import { cornerNormals } from "../normals.ts";
import type { Mask, Picture } from "../picture.ts";
import { type Angles, type Frame, frameToProjection, project, type ViewName } from "./projection.ts";
import { makeSpans, scanTriangle } from "./scan.ts";
import { View } from "./view.ts";

/**
 * The mask of a mesh in a view. Triangles with a corner that is no place are left out.
 *
 * Nothing is kept from call to call: with room for points and spans that was kept in the module and set anew now and then, one
 * mask in some 10,000 was wrong on a busy machine (Node 26.10; the compiler is suspected, the cause is not known).
 */
export function silhouette(mesh: Mesh, view: ViewName | Angles, frame: Frame, size: number): Mask {
  const points = project(mesh.positions, frameToProjection(view, frame, size));
  const { triangles } = mesh;
  const vertices = points.length / 2;
  const spans = makeSpans(size);
  const data = new Uint8Array(size * size);
  const { from, to } = spans;
  for (let corner = 0; corner + 2 < triangles.length; corner += 3) {
    const a = triangles[corner]!;
    const b = triangles[corner + 1]!;
    const c = triangles[corner + 2]!;
    if (a >= vertices || b >= vertices || c >= vertices) continue;
    const ax = points[a * 2]!;
    const ay = points[a * 2 + 1]!;
    const bx = points[b * 2]!;
    const by = points[b * 2 + 1]!;
    const cx = points[c * 2]!;
    const cy = points[c * 2 + 1]!;
    if (!scanTriangle(ax, ay, bx, by, cx, cy, size, size, spans)) continue;
    for (let row = spans.first; row < spans.end; row += 1) {
      const end = row * size + to[row]!;
      for (let pixel = row * size + from[row]!; pixel < end; pixel += 1) data[pixel] = 1;
    }
  }
  return { width: size, height: size, data };
}

/** A shaded picture of a mesh in a view: gray and alpha, opaque where the object is. */
export function shade(mesh: Mesh, view: ViewName, frame: Frame, size: number): Picture {
  return new View(mesh, cornerNormals(mesh), frameToProjection(view, frame, size)).clay();
}
