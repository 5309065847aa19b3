// The outside of a binary glTF file: its chunks, its description and its data. Nothing outside of the file is read.

import { entries, extensionOf, type Gltf, most, tooLargeGlb, unreadableGlb } from "./gltf.ts";

/** A file's description, and the data of each of its buffers. */
export interface GlbFile {
  readonly gltf: Gltf;
  readonly buffers: readonly Uint8Array[];
}

const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BIN_CHUNK = 0x004e4942;

/** Takes a file apart; throws when it is truncated, or something else. */
export function openGlb(file: Uint8Array): GlbFile {
  if (file.length > most.bytes) throw tooLargeGlb(`it has ${file.length} bytes, and ${most.bytes} is the most`);
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (isText(file)) throw unreadableGlb("it is glTF as text (.gltf), whose data lies in files beside it");
  if (file.length < 20 || view.getUint32(0, true) !== MAGIC) throw unreadableGlb("it is not a binary glTF file");
  if (view.getUint32(4, true) !== 2) throw unreadableGlb(`it is of glTF version ${view.getUint32(4, true)}`);
  if (view.getUint32(8, true) > file.length) throw unreadableGlb("it is cut off");
  const jsonLength = view.getUint32(12, true);
  if (view.getUint32(16, true) !== JSON_CHUNK || jsonLength + 20 > file.length)
    throw unreadableGlb("its description is missing or cut off");
  if (jsonLength > most.description)
    throw tooLargeGlb(`its description has ${jsonLength} bytes, and ${most.description} is the most`);
  const gltf = parse(file.subarray(20, 20 + jsonLength));
  const data = binChunk(file, view, 20 + jsonLength);
  return { gltf, buffers: entries(gltf, "buffers").map((_, index) => bufferOf(gltf, index, data)) };
}

/** Whether a file begins as the text of a glTF does. */
function isText(file: Uint8Array): boolean {
  return /^\s*\{/.test(new TextDecoder().decode(file.subarray(0, 64)));
}

function binChunk(file: Uint8Array, view: DataView, at: number): Uint8Array {
  if (at + 8 > view.byteLength || view.getUint32(at + 4, true) !== BIN_CHUNK) return new Uint8Array(0);
  const length = view.getUint32(at, true);
  if (at + 8 + length > view.byteLength) throw unreadableGlb("its data is cut off");
  return file.subarray(at + 8, at + 8 + length);
}

function parse(text: Uint8Array): Gltf {
  let gltf: unknown;
  try {
    gltf = JSON.parse(new TextDecoder().decode(text));
  } catch (error) {
    throw unreadableGlb("its description is not JSON", error);
  }
  if (typeof gltf !== "object" || gltf === null || Array.isArray(gltf))
    throw unreadableGlb("its description is not sound (it is no object)");
  const { version } = ((gltf as Gltf).asset ?? {}) as { version?: unknown };
  if (typeof version !== "string" || !version.startsWith("2."))
    throw unreadableGlb(`it is of glTF version ${JSON.stringify(version) ?? "unknown"}`);
  return gltf as Gltf;
}

function bufferOf(gltf: Gltf, index: number, data: Uint8Array): Uint8Array {
  const { uri, byteLength } = gltf.buffers![index]!;
  // A buffer that only says how much there is when it is decompressed has no data of its own.
  if (
    extensionOf(gltf.buffers![index]!, "EXT_meshopt_compression")?.fallback === true &&
    uri === undefined &&
    index > 0
  )
    return new Uint8Array(0);
  const bytes = uri === undefined ? data : dataUri(uri, `its buffer ${index}`);
  if (!(typeof byteLength === "number" && byteLength <= bytes.length))
    throw unreadableGlb(
      `its data is shorter than it announces (buffer ${index}: ${bytes.length} of ${byteLength} bytes)`,
    );
  return bytes;
}

/** The bytes of data that stand in the description as text; whatever stands elsewhere is never read. */
export function dataUri(uri: unknown, what: string): Uint8Array {
  const text = typeof uri === "string" ? uri : "";
  const [, encoded] = /^data:[^,]{0,200};base64,(.*)$/s.exec(text) ?? [];
  if (encoded === undefined)
    throw unreadableGlb(
      `${what} is external (${JSON.stringify(text.slice(0, 80))}), and nothing outside of a file is read`,
    );
  return Uint8Array.from(Buffer.from(encoded, "base64"));
}
