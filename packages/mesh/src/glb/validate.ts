// Everything that a file announces is checked before any of it is made: each view inside its buffer, each accessor inside its
// view, each compressed piece no larger than can be held. What passes here can be read in bounded time and memory.

import type { GLTF } from "@gltf-transform/core";
import { entries, entry, extensionOf, type GlbFile, most, tooLargeGlb, unreadableGlb, whole } from "./gltf.ts";

const SAMPLE_BYTES: Readonly<Record<number, number>> = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };
const SAMPLES: Readonly<Record<string, number>> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 };

/** Extensions that change what the triangles are, and are known here. */
const GEOMETRY = [
  "KHR_draco_mesh_compression",
  "EXT_meshopt_compression",
  "KHR_mesh_quantization",
  "KHR_texture_transform",
];
/** Extensions that change only how things look. */
const LOOKS = /^(KHR_materials_|KHR_texture_|EXT_texture_|MSFT_texture_|KHR_lights_|KHR_xmp|KHR_animation_|KHR_node_)/;

/** Throws unless everything in a file is where it says, and no more than can be held. */
export function requireSound(file: GlbFile): void {
  requireExtensions(file);
  const views = entries(file.gltf, "bufferViews");
  for (const [index, view] of views.entries()) requireView(file, view, index);
  let numbers = 0;
  for (const [index, accessor] of entries(file.gltf, "accessors").entries()) {
    numbers += requireAccessor(views, accessor, index);
    if (numbers > most.numbers)
      throw tooLargeGlb(`it announces ${accessor.count} elements in accessor ${index}, which is too many`);
  }
  requirePrimitives(file);
}

function requireExtensions({ gltf }: GlbFile): void {
  const required: unknown = gltf.extensionsRequired ?? [];
  if (!Array.isArray(required)) throw unreadableGlb("its description is not sound ('extensionsRequired' is no list)");
  const unknown = required.find((name) => !GEOMETRY.includes(name) && !LOOKS.test(String(name)));
  if (unknown !== undefined) throw unreadableGlb(`it needs ${String(unknown).slice(0, 80)}, which is not known here`);
}

/** Bytes of a view, or of what it is when decompressed. */
function requireView({ gltf, buffers }: GlbFile, view: GLTF.IBufferView, index: number): void {
  const packed = extensionOf(view, "EXT_meshopt_compression");
  const from = packed ?? view;
  const buffer = entry(buffers, from.buffer, "buffer");
  const [offset, length] = [whole(from.byteOffset ?? 0, "an offset"), whole(from.byteLength, "a length")];
  const announced = entry(gltf.buffers!, from.buffer, "buffer").byteLength;
  if (offset + length > Math.min(buffer.length, announced))
    throw unreadableGlb(`its view ${index} reaches past its data`);
  if (view.byteStride !== undefined) whole(view.byteStride, "a stride");
  if (!packed) return;
  const [count, stride] = [whole(packed.count, "a count"), whole(packed.byteStride, "a stride")];
  if (stride === 0 || stride > 256 || count * stride > most.numbers * 4)
    throw tooLargeGlb(`its view ${index} would be ${count} × ${stride} bytes when decompressed`);
  if (count * stride !== view.byteLength)
    throw unreadableGlb(`its view ${index} announces ${view.byteLength} bytes and decompresses to ${count * stride}`);
}

/** How many numbers an accessor has. */
function requireAccessor(views: readonly GLTF.IBufferView[], accessor: GLTF.IAccessor, index: number): number {
  const samples = SAMPLES[accessor.type];
  const bytes = SAMPLE_BYTES[accessor.componentType];
  if (samples === undefined || bytes === undefined)
    throw unreadableGlb(`its accessor ${index} is of no known type (${accessor.type}, ${accessor.componentType})`);
  const { count } = accessor;
  if (!Number.isInteger(count) || count < 0 || count * samples > most.numbers)
    throw tooLargeGlb(`it announces ${count} elements in accessor ${index}, which is too many`);
  if (accessor.bufferView !== undefined) {
    const view = entry(views, accessor.bufferView, "view");
    requireInView(view, accessor.byteOffset, count, samples * bytes, `its accessor ${index}`);
  }
  if (accessor.sparse !== undefined) requireSparse(views, accessor, samples * bytes, index);
  return count * samples;
}

function requireSparse(
  views: readonly GLTF.IBufferView[],
  { sparse, count }: GLTF.IAccessor,
  bytes: number,
  index: number,
): void {
  const { indices, values, count: changed } = sparse!;
  const what = `its sparse accessor ${index}`;
  if (whole(changed, "a count") > count) throw unreadableGlb(`${what} changes ${changed} of ${count} elements`);
  const indexBytes = SAMPLE_BYTES[indices?.componentType];
  if (indexBytes === undefined || !values) throw unreadableGlb(`${what} has no indices or no values`);
  requireInView(entry(views, indices.bufferView, "view"), indices.byteOffset, changed, indexBytes, what);
  requireInView(entry(views, values.bufferView, "view"), values.byteOffset, changed, bytes, what);
}

function requireInView(view: GLTF.IBufferView, byteOffset: unknown, count: number, bytes: number, what: string): void {
  const end = whole(byteOffset ?? 0, "an offset") + (view.byteStride || bytes) * (count - 1) + bytes;
  if (count > 0 && end > view.byteLength) throw unreadableGlb(`${what} reaches past its view`);
}

/** Throws unless every part names accessors that are there, and its Draco data holds what it announces. */
function requirePrimitives({ gltf, buffers }: GlbFile): void {
  const accessors = entries(gltf, "accessors");
  const views = entries(gltf, "bufferViews");
  let parts = 0;
  for (const { primitives } of entries(gltf, "meshes")) {
    if (!Array.isArray(primitives)) throw unreadableGlb("its description is not sound (a mesh has no list of parts)");
    parts += primitives.length;
    if (parts > most.entries) throw tooLargeGlb(`it has more than ${most.entries} parts`);
    for (const primitive of primitives) {
      if (typeof primitive?.attributes !== "object" || primitive.attributes === null)
        throw unreadableGlb("its description is not sound (a part has no attributes)");
      for (const index of Object.values(primitive.attributes)) entry(accessors, index, "accessor");
      const indices = primitive.indices === undefined ? undefined : entry(accessors, primitive.indices, "accessor");
      const draco = extensionOf(primitive, "KHR_draco_mesh_compression");
      if (!draco) continue;
      const view = entry(views, draco.bufferView, "view");
      const start = view.byteOffset ?? 0;
      const { faces, vertices } = dracoCounts(buffers[view.buffer]!.subarray(start, start + view.byteLength));
      if (Math.max(faces, vertices) * 3 > most.numbers)
        throw tooLargeGlb(`its Draco data announces ${faces} triangles and ${vertices} vertices`);
      if (indices && indices.count !== faces * 3)
        throw unreadableGlb(`its Draco data has ${faces} triangles where ${indices.count / 3} are announced`);
    }
  }
}

const METADATA = 0x8000;

/** How many triangles and vertices a piece of Draco data has. */
function dracoCounts(data: Uint8Array): { faces: number; vertices: number } {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  if (bytes.length < 14 || bytes.toString("latin1", 0, 5) !== "DRACO")
    throw unreadableGlb("its Draco data is cut off or none");
  const [major, minor, geometry, method] = [bytes[5]!, bytes[6]!, bytes[7]!, bytes[8]!];
  if (major !== 2 || minor !== 2)
    throw unreadableGlb(`its Draco data is of version ${major}.${minor}, and glTF has 2.2`);
  if (geometry !== 1 || method > 1) throw unreadableGlb("its Draco data is no triangle mesh");
  if (bytes.readUInt16LE(9) & METADATA) throw unreadableGlb("its Draco data carries metadata, which is not read here");
  // Triangles and vertices; or, behind a byte that names the way of it, vertices and triangles.
  const next = varints(bytes, 11 + method);
  const [first, second] = [next(), next()];
  return method === 0 ? { faces: first, vertices: second } : { faces: second, vertices: first };
}

/** Reads numbers of seven bits a byte, one after another. */
function varints(bytes: Buffer, at: number): () => number {
  return () => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = bytes[at];
      at += 1;
      if (byte === undefined || shift > 2 ** 35) throw unreadableGlb("its Draco data is cut off");
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  };
}
