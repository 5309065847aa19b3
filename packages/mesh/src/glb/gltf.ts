// The outside of a binary glTF file: its chunks, its description as far as it can be trusted, and its data. Nothing outside is read.

import type { GLTF } from "@gltf-transform/core";
import { UsageError } from "@loopwright/core";

export type Gltf = GLTF.IGLTF;

type ListName =
  | "scenes"
  | "nodes"
  | "meshes"
  | "accessors"
  | "bufferViews"
  | "buffers"
  | "materials"
  | "textures"
  | "samplers"
  | "images";

/** What a file's writer put into an extension: anything. */
// biome-ignore lint/suspicious/noExplicitAny: nothing is known of it.
export function extensionOf({ extensions }: GLTF.IProperty, name: string): any {
  return extensions?.[name];
}

/** A list of a description; throws unless each entry is an object, and there are not too many. */
export function entries<Name extends ListName>(gltf: Gltf, name: Name): NonNullable<Gltf[Name]> {
  const list: unknown = gltf[name] ?? [];
  if (!Array.isArray(list)) throw unreadableGlb(`its description is not sound ('${name}' is no list)`);
  if (list.length > most.entries)
    throw tooLargeGlb(`it has ${list.length} entries in '${name}', and ${most.entries} is the most`);
  const wrong = list.findIndex((entry) => typeof entry !== "object" || entry === null);
  if (wrong >= 0) throw unreadableGlb(`its description is not sound ('${name}' has no entry ${wrong})`);
  return list as NonNullable<Gltf[Name]>;
}

/** The entry that an index names; throws when there is none. */
export function entry<Entry>(list: readonly Entry[], index: unknown, what: string): Entry {
  const found = Number.isInteger(index) ? list[index as number] : undefined;
  if (found === undefined) throw unreadableGlb(`its description is not sound (there is no ${what} ${String(index)})`);
  return found;
}

/** A whole number from 0 up; throws when it is none. */
export function whole(value: unknown, what: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0)
    throw unreadableGlb(`its description is not sound (${what} is ${JSON.stringify(value)})`);
  return value as number;
}

/** The error that a file which is no sound binary glTF is refused with. */
export function unreadableGlb(why: string, cause?: unknown): UsageError {
  return new UsageError("GLB_UNREADABLE", `the model cannot be read: ${why}. Export it again as a binary glTF 2.0`, {
    cause,
  });
}

/** The error that a file which holds, or announces, too much is refused with. */
export function tooLargeGlb(why: string): UsageError {
  return new UsageError("GLB_TOO_LARGE", `the model is too large: ${why}. Simplify it and export it again`);
}

export const most = {
  bytes: 512 * 2 ** 20,
  /** Of the description, data that stands in it as text included. */
  description: 64 * 2 ** 20,
  /** Numbers, all accessors together, and again when every part stands in its place: a small file can announce any count. */
  numbers: 30_000_000,
  /** Entries of each list of the description, and parts that stand in the scene. */
  entries: 100_000,
} as const;

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
