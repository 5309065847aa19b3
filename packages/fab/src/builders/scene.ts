// Scenes by code in a sandboxed Blender, and what a clean one makes of them: no builder's code runs where an asset is exported.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Blender } from "@loopwright/blender";
import { ExecutionError, InfrastructureError } from "@loopwright/core";

/** Blender is asked twice: one that ends by itself may have had other reasons than the code. */
const TRIES = 2;

/** The scene that code makes, as a .blend; where there is an asset to begin with, it is in the scene already. */
export async function buildScene(
  code: string,
  { last, signal }: { last?: Uint8Array; signal: AbortSignal },
): Promise<Uint8Array> {
  using folder = new Temporary();
  if (last) folder.write("last.glb", last);
  for (let tries = 1; ; tries += 1)
    try {
      await using blender = await started({ files: folder.path });
      if (last) await blender.execute(OPEN, { signal });
      await blender.execute(code, { signal });
      return await blender.exportBlend();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof InfrastructureError)) throw error;
      if (tries === TRIES)
        throw new ExecutionError("SCENE_CRASHED", `the code ends Blender, twice: ${error.message}`, { cause: error });
    }
}

const OPEN = `import bpy
for thing in list(bpy.data.objects):
    bpy.data.objects.remove(thing, do_unlink=True)
bpy.ops.import_scene.gltf(filepath="/files/last.glb")
`;

/** A scene as a binary glTF, by a Blender that has run no code of anybody's. */
export async function exportScene(blend: Uint8Array): Promise<Uint8Array> {
  using folder = new Temporary();
  await using blender = await started({ baseline: folder.write("scene.blend", blend) });
  return (await blender.exported()).bytes;
}

async function started(options: { files?: string; baseline?: string }): Promise<Blender & AsyncDisposable> {
  const blender = await Blender.start({ ...options, hasSpare: false });
  return Object.assign(blender, { [Symbol.asyncDispose]: () => blender.stop() });
}

class Temporary implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "loopwright-fab-"));

  write(name: string, bytes: Uint8Array): string {
    const file = join(this.path, name);
    writeFileSync(file, bytes);
    return file;
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
