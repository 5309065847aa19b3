// Compressed geometry: which kinds a file has, and the decoders, which are loaded only for files that need them.

import type { Extension } from "@gltf-transform/core";
import type { Gltf } from "./gltf.ts";

const DRACO = "KHR_draco_mesh_compression";
const MESHOPT = "EXT_meshopt_compression";

/** The compressions that a file's views and parts really use. */
export function compressionsIn({ bufferViews = [], meshes = [] }: Gltf): string[] {
  const hasDraco = meshes.some(({ primitives }) => primitives.some(({ extensions }) => extensions?.[DRACO]));
  const hasMeshopt = bufferViews.some(({ extensions }) => extensions?.[MESHOPT]);
  return [...(hasDraco ? [DRACO] : []), ...(hasMeshopt ? [MESHOPT] : [])];
}

/** The decoders for these compressions. */
export async function decoders(names: readonly string[]) {
  const { EXTMeshoptCompression, KHRDracoMeshCompression } = await import("@gltf-transform/extensions");
  const extensions: (typeof Extension)[] = [];
  const dependencies: Record<string, unknown> = {};
  if (names.includes(DRACO)) {
    extensions.push(KHRDracoMeshCompression);
    const { default: draco } = await import("draco3dgltf");
    dependencies["draco3d.decoder"] = await draco.createDecoderModule();
  }
  if (names.includes(MESHOPT)) {
    extensions.push(EXTMeshoptCompression);
    const { MeshoptDecoder } = await import("meshoptimizer/decoder");
    await MeshoptDecoder.ready;
    dependencies["meshopt.decoder"] = MeshoptDecoder;
  }
  return { extensions, dependencies };
}
