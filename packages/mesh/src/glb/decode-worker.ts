// The thread in which a compressed file is decoded.

import { parentPort, workerData } from "node:worker_threads";
import { toError, UsageError } from "@loopwright/core";
import { type GlbFile, unreadableGlb } from "./gltf.ts";
import type { Decoded } from "./model.ts";
import { readTriangles } from "./triangles.ts";

function send(decoded: Decoded): void {
  parentPort!.postMessage(decoded);
}

try {
  send({ triangles: await readTriangles(workerData as GlbFile) });
} catch (thrown) {
  const error =
    thrown instanceof UsageError
      ? thrown
      : unreadableGlb(`its compressed data cannot be decoded (${toError(thrown).message})`);
  send({ code: error.code, message: error.message });
}
