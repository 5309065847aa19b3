// The shaded picture of a mesh in a named view.

import type { Mesh } from "../mesh.ts";
import { cornerNormals } from "../normals.ts";
import type { Picture } from "../picture.ts";
import { type Frame, frameToProjection, type ViewName } from "./projection.ts";
import { View } from "./view.ts";

/** A shaded picture of a mesh in a view: gray and alpha, opaque where the object is. */
export function shade(mesh: Mesh, view: ViewName, frame: Frame, size: number): Picture {
  return new View(mesh, cornerNormals(mesh), frameToProjection(view, frame, size)).clay();
}
