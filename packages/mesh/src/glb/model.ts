// A binary glTF file as a mesh with its parts and materials. Compressed files are decoded in a thread of their own, which is ended when
// it takes too long: what a decoder does with hostile data is not known.

import { Worker } from "node:worker_threads";
import { toError, UsageError } from "@loopwright/core";
import { measureMesh } from "../checks/figures.ts";
import type { Material, Mesh, Part } from "../mesh.ts";
import { type GlbFile, openGlb, tooLargeGlb, unreadableGlb } from "./gltf.ts";
import { readMaterials } from "./materials.ts";
import { compressionsIn, readTriangles, type Triangles } from "./triangles.ts";
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

/** What the thread sends back. */
export type Decoded = { triangles: Triangles } | { code: string; message: string };

/** Megabytes of objects that the thread may hold; numbers in arrays are bounded by what was announced. */
const HEAP_MB = 1024;

/** Reads the triangles of a checked file, within a time limit where it is compressed. */
async function decodeTriangles(file: GlbFile, seconds: number): Promise<Triangles> {
  try {
    return compressionsIn(file.gltf).length > 0 ? await inThread(file, seconds) : await readTriangles(file);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw unreadableGlb(`its description is not sound (${toError(error).message})`, error);
  }
}

async function inThread(file: GlbFile, seconds: number): Promise<Triangles> {
  const name = import.meta.url.endsWith(".ts") ? "./decode-worker.ts" : "./decode-worker.js";
  const worker = new Worker(new URL(name, import.meta.url), {
    workerData: file,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    const decoded = await new Promise<Decoded>((resolve, reject) => {
      timer = setTimeout(() => reject(tooLargeGlb(`it takes more than ${seconds} s to decompress`)), seconds * 1000);
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", () => reject(unreadableGlb("its compressed data cannot be decoded")));
    });
    if ("triangles" in decoded) return decoded.triangles;
    throw new UsageError(decoded.code, decoded.message);
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
