// The outside of a binary glTF file: checked before it is read, so that a torn file or one that announces more than it
// holds is refused in plain words.

import { UsageError } from "@loopwright/core";

/** More numbers than this are not read: a small file can announce, or repeat, as many as it likes. */
export const MOST_NUMBERS = 30_000_000;

const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BIN_CHUNK = 0x004e4942;
const SAMPLE_BYTES: Readonly<Record<number, number>> = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };
const SAMPLES: Readonly<Record<string, number>> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 };

interface Gltf {
  buffers?: { byteLength: number; uri?: string }[];
  bufferViews?: { buffer: number; byteOffset?: number; byteLength: number; byteStride?: number }[];
  accessors?: { bufferView?: number; byteOffset?: number; componentType: number; count: number; type: string }[];
}

/** The error that a file which is no sound binary glTF is refused with. */
export function unreadableGlb(why: string, cause?: unknown): UsageError {
  return new UsageError("GLB_UNREADABLE", `the model cannot be read: ${why}. Export it again as a binary glTF 2.0`, {
    cause,
  });
}

/** Throws unless a file's chunks are whole and everything that it announces is inside them. */
export function requireWhole(file: Uint8Array): void {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (file.length < 20 || view.getUint32(0, true) !== MAGIC) throw unreadableGlb("it is not a binary glTF file");
  if (view.getUint32(4, true) !== 2) throw unreadableGlb(`it is of glTF version ${view.getUint32(4, true)}`);
  if (view.getUint32(8, true) > file.length) throw unreadableGlb("it is cut off");
  const jsonLength = view.getUint32(12, true);
  if (view.getUint32(16, true) !== JSON_CHUNK || jsonLength + 20 > file.length)
    throw unreadableGlb("its description is missing or cut off");
  const gltf = parse(file.subarray(20, 20 + jsonLength));
  requireInside(gltf, binLength(view, 20 + jsonLength));
}

function binLength(view: DataView, at: number): number {
  if (at + 8 > view.byteLength || view.getUint32(at + 4, true) !== BIN_CHUNK) return 0;
  const length = view.getUint32(at, true);
  if (at + 8 + length > view.byteLength) throw unreadableGlb("its data is cut off");
  return length;
}

function parse(text: Uint8Array): Gltf {
  try {
    return JSON.parse(new TextDecoder().decode(text)) as Gltf;
  } catch (error) {
    throw unreadableGlb("its description is not JSON", error);
  }
}

/** Every view inside its buffer, every accessor inside its view, and not too much of either. */
function requireInside({ buffers = [], bufferViews = [], accessors = [] }: Gltf, binLength: number): void {
  let numbers = 0;
  if (buffers.some(({ uri, byteLength }) => uri === undefined && byteLength > binLength))
    throw unreadableGlb("its data is shorter than it announces");
  for (const [index, { buffer, byteOffset = 0, byteLength }] of bufferViews.entries())
    if (!(byteOffset >= 0 && byteOffset + byteLength <= buffers[buffer]!.byteLength))
      throw unreadableGlb(`its view ${index} reaches past its data`);
  for (const [index, accessor] of accessors.entries()) {
    const samples = SAMPLES[accessor.type]!;
    const bytes = samples * SAMPLE_BYTES[accessor.componentType]!;
    numbers += accessor.count * samples;
    if (!Number.isInteger(accessor.count) || accessor.count < 0 || !(numbers <= MOST_NUMBERS))
      throw unreadableGlb(`it announces ${accessor.count} elements in accessor ${index}, which is too many`);
    if (accessor.bufferView === undefined) continue;
    const view = bufferViews[accessor.bufferView]!;
    const end = (accessor.byteOffset ?? 0) + (view.byteStride ?? bytes) * (accessor.count - 1) + bytes;
    if (!(end <= view.byteLength)) throw unreadableGlb(`its accessor ${index} reaches past its view`);
  }
}
