// The chunks of a PNG: checked one after another before anything is unpacked, so that a broken or hostile file costs
// no more than its own length.

import { crc32 } from "node:zlib";
import { UsageError } from "@loopwright/core";
import { LARGEST_SIDE } from "../picture.ts";

export const SIGNATURE = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10);

/** What a PNG says of itself, and its pixels as they are packed. */
export interface Png {
  readonly width: number;
  readonly height: number;
  /** Bits of one sample: 1, 2, 4, 8 or 16. */
  readonly depth: number;
  readonly color: Color;
  readonly isInterlaced: boolean;
  /** Red, green and blue of each color, one after another; empty where there is no palette. */
  readonly palette: Uint8Array;
  /** Alpha of each palette color, or the samples of the one color that is transparent. */
  readonly transparency: Uint8Array | undefined;
  readonly packed: Uint8Array;
}

export type Color = "gray" | "rgb" | "palette" | "gray-alpha" | "rgba";

const COLORS: Readonly<Record<number, { color: Color; depths: readonly number[] }>> = {
  0: { color: "gray", depths: [1, 2, 4, 8, 16] },
  2: { color: "rgb", depths: [8, 16] },
  3: { color: "palette", depths: [1, 2, 4, 8] },
  4: { color: "gray-alpha", depths: [8, 16] },
  6: { color: "rgba", depths: [8, 16] },
};

/** The error that a file which is no sound PNG is refused with. */
export function unreadable(why: string, cause?: unknown): UsageError {
  return new UsageError("PICTURE_UNREADABLE", `the picture cannot be read: ${why}. Save it again as a PNG`, { cause });
}

/** Reads the chunks of a PNG that its pixels depend on; all others are skipped. */
export function readPng(bytes: Uint8Array): Png {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!SIGNATURE.every((byte, at) => file[at] === byte)) throw unreadable("it is not a PNG file");
  const chunks = chunksOf(file);
  const first = chunks.next().value;
  if (first?.type !== "IHDR") throw unreadable("it does not begin with its header");
  const header = readHeader(first.data);
  const parts: Uint8Array[] = [];
  let palette: Uint8Array = new Uint8Array(0);
  let transparency: Uint8Array | undefined;
  for (const { type, data } of chunks) {
    if (type === "PLTE") palette = data;
    else if (type === "tRNS") transparency = data;
    else if (type === "IDAT") parts.push(data);
    else if (isCritical(type)) throw unreadable(`it needs '${type}', which is not known here`);
  }
  if (header.color === "palette" && (palette.length === 0 || palette.length % 3 !== 0 || palette.length > 768))
    throw unreadable("its palette is missing or truncated");
  return { ...header, palette, transparency: usable(transparency, header.color), packed: Buffer.concat(parts) };
}

/** Every chunk up to the end mark, each with a right checksum. */
function* chunksOf(file: Buffer): Generator<{ type: string; data: Uint8Array }, undefined> {
  for (let at = SIGNATURE.length; ; ) {
    if (at + 12 > file.length) throw unreadable("it is cut off before its end mark");
    const length = file.readUInt32BE(at);
    const type = file.toString("latin1", at + 4, at + 8);
    const end = at + 8 + length;
    if (end + 4 > file.length) throw unreadable(`it is cut off inside '${type}'`);
    if (crc32(file.subarray(at + 4, end)) !== file.readUInt32BE(end))
      throw unreadable(`the checksum of '${type}' is wrong`);
    if (type === "IEND") return undefined;
    yield { type, data: file.subarray(at + 8, end) };
    at = end + 4;
  }
}

function readHeader(data: Uint8Array): Pick<Png, "width" | "height" | "depth" | "color" | "isInterlaced"> {
  if (data.length !== 13) throw unreadable("its header has a wrong length");
  const header = Buffer.from(data);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth, type, compression, filter, interlace] = header.subarray(8) as unknown as number[];
  if (width < 1 || height < 1 || width > LARGEST_SIDE || height > LARGEST_SIDE)
    throw unreadable(`it is ${width} × ${height} pixels, and a side has 1 to ${LARGEST_SIDE}`);
  const form = COLORS[type!];
  if (!form?.depths.includes(depth!)) throw unreadable(`there is no color type ${type} with ${depth} bits`);
  if (compression !== 0 || filter !== 0 || interlace! > 1) throw unreadable("its header names an unknown method");
  return { width, height, depth: depth!, color: form.color, isInterlaced: interlace === 1 };
}

/** A chunk whose name begins with a capital letter must be understood. */
function isCritical(type: string): boolean {
  return type[0]! >= "A" && type[0]! <= "Z";
}

function usable(transparency: Uint8Array | undefined, color: Color): Uint8Array | undefined {
  if (!transparency || color === "gray-alpha" || color === "rgba") return undefined;
  if (transparency.length < { gray: 2, rgb: 6, palette: 0 }[color]) throw unreadable("its transparency is truncated");
  return transparency;
}
