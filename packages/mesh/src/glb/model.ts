// A binary glTF file as a mesh with its parts and materials.

import { measureMesh } from "../checks/figures.ts";
import type { Material, Mesh, Part } from "../mesh.ts";
import { decodeTriangles } from "./decode.ts";
import { openGlb } from "./file.ts";
import { readMaterials } from "./materials.ts";
import { requireSound } from "./validate.ts";

/** A mesh with what its file says of it. */
export interface Model extends Mesh {
  readonly parts: readonly Part[];
  readonly materials: readonly Material[];
}

/** How a GLB is read. */
export interface ModelOptions {
  /**
   * Which way the model faces in glTF's axes: the mesh is turned so that it faces +x. "+z" is how glTF, and Blender's -y, has
   * it. "found" takes the axis along which it is the same left and right, and of its two ways "+z" or "+x". Left out, nothing is turned.
   */
  readonly forward?: "+x" | "-x" | "+z" | "-z" | "found";
  /** The most that decompressing may take. */
  readonly seconds?: number;
}

/** The triangles of a binary glTF file's default scene, with parts, texture places and materials. Nothing outside of the file is read. */
export async function glbToModel(bytes: Uint8Array, { forward, seconds = 20 }: ModelOptions = {}): Promise<Model> {
  const file = openGlb(bytes);
  requireSound(file);
  const materials = readMaterials(file);
  const triangles = await decodeTriangles(file, seconds);
  const model = { ...triangles, materials };
  const facing = forward === "found" ? (measureMesh(model).mirror === "x" ? "+z" : "+x") : forward;
  return facing === undefined ? model : { ...model, positions: turn(model.positions, facing) };
}

/** How far round, in quarters to the left, each way is turned to become +x. */
const QUARTERS = { "+x": 0, "+z": 1, "-x": 2, "-z": 3 } as const;

function turn(positions: Float32Array, facing: keyof typeof QUARTERS): Float32Array {
  const [cosine, sine] = (
    [
      [1, 0],
      [0, 1],
      [-1, 0],
      [0, -1],
    ] as const
  )[QUARTERS[facing]];
  const turned = positions.slice();
  for (let at = 0; at < turned.length; at += 3) {
    turned[at] = cosine * positions[at]! - sine * positions[at + 1]! + 0;
    turned[at + 1] = sine * positions[at]! + cosine * positions[at + 1]! + 0;
  }
  return turned;
}
