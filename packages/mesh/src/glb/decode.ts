// Compressed files are decoded in a thread of their own, which is ended when it takes too long: what a decoder does with
// hostile data is not known.

import { Worker } from "node:worker_threads";
import { toError, UsageError } from "@loopwright/core";
import type { GlbFile } from "./file.ts";
import { tooLargeGlb, unreadableGlb } from "./gltf.ts";
import { compressionsIn, readTriangles, type Triangles } from "./triangles.ts";

/** What the thread sends back. */
export type Decoded = { triangles: Triangles } | { code: string; message: string };

/** Megabytes of objects that the thread may hold; numbers in arrays are bounded by what was announced. */
const HEAP_MB = 1024;

/** Reads the triangles of a checked file, within a time limit where it is compressed. */
export async function decodeTriangles(file: GlbFile, seconds: number): Promise<Triangles> {
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
