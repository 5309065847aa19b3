// Pictures of a GLB by a Blender that has run no code of anybody's: it imports the file, takes them, and ends.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InfrastructureError } from "@loopwright/core";
import { removeAll } from "@loopwright/sandbox";
import { WorkerDied } from "@loopwright/sandbox/worker";
import type { PictureOptions } from "./blender.ts";
import { type BlenderOptions, placeOf } from "./worker/job.ts";
import { BlenderProcess, lost } from "./worker/process.ts";

/** Which pictures of a GLB are taken, and who is given them. */
export interface GlbPictures extends Pick<BlenderOptions, "sandbox" | "program" | "limits"> {
  pictures: readonly PictureOptions[];
  /** Told each picture as it is done. */
  onPicture(png: Uint8Array, index: number): void | Promise<void>;
  /** The most for the import, and for one picture. */
  limitMs?: number;
  signal?: AbortSignal;
}

/** Takes pictures of a GLB. A Blender that ends by itself or takes too much is an InfrastructureError (BLENDER_LOST) whose data
 * says at what (`at`: import or picture) and how (`reason`: died or limit; `isMemory`). */
export async function renderGlb(glb: Uint8Array, { pictures, onPicture, ...options }: GlbPictures): Promise<void> {
  const { limitMs = 120_000, signal = new AbortController().signal, ...rest } = options;
  const place = await placeOf(rest);
  let process: BlenderProcess | undefined;
  let at = "import";
  try {
    mkdirSync(place.snapshots);
    writeFileSync(join(place.snapshots, ASSET), glb, { mode: 0o644 });
    process = await BlenderProcess.start(place, signal);
    await process.open("import", ASSET, limitMs);
    at = "picture";
    for (const [index, picture] of pictures.entries()) {
      signal.throwIfAborted();
      await onPicture(await process.askForFile({ ask: "picture", ...picture }, "png", limitMs), index);
    }
  } catch (error) {
    throw error instanceof WorkerDied ? told(error, at) : error;
  } finally {
    await process?.stop();
    await removeAll(place.folder);
  }
}

const ASSET = "asset.glb";

function told(died: WorkerDied, at: string): InfrastructureError {
  const { code, message } = lost(died) as InfrastructureError;
  const isMemory = / of memory/.test(died.message);
  return new InfrastructureError(code, message, { cause: died, data: { at, reason: died.reason, isMemory } });
}
