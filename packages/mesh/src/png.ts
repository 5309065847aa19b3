// PNG files, by fast-png, which is loaded with the first one. A file is walked before it is unpacked: what its header announces is
// bounded, its pixels must come to exactly that, and chunks that no pixel depends on are left out.

import { createRequire } from "node:module";
import { crc32, inflateSync } from "node:zlib";
import { UsageError } from "@loopwright/core";
import type { DecodedPng } from "fast-png";
import { LARGEST_SIDE, type Picture } from "./picture.ts";

const loadFastPng = (): typeof import("fast-png") => createRequire(import.meta.url)("fast-png");

/** By color type: the samples of a pixel, and how many bits each may have. */
const FORMS: Readonly<Record<number, { samples: number; depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
};
/** The first pixel of each pass of Adam7, and the steps between its pixels. */
const PASSES = ["0088", "4088", "0448", "2044", "0224", "1022", "0112"].map((pass) => [...pass].map(Number));

/** A picture as the bytes of a PNG: the same on every machine. */
export function pictureToPng({ width, height, channels, data }: Picture): Uint8Array {
  return loadFastPng().encode({ width, height, channels, depth: 8, data });
}

/** The picture in a PNG, at 8 bits a channel. */
export function pngToPicture(bytes: Uint8Array): Picture {
  const sound = soundPng(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  try {
    return toPicture(loadFastPng().decode(sound));
  } catch (error) {
    throw unreadable((error as Error).message, error);
  }
}

function unreadable(why: string, cause?: unknown): UsageError {
  return new UsageError("PICTURE_UNREADABLE", `the picture cannot be read: ${why}. Save it again as a PNG`, { cause });
}

/** The chunks that pixels depend on, as a file that takes no more memory than its header may announce. */
function soundPng(file: Buffer): Buffer {
  if (file.toString("latin1", 0, 8) !== "\x89PNG\r\n\x1a\n") throw unreadable("it is not a PNG file");
  const [first, ...chunks] = chunksOf(file);
  if (first?.type !== "IHDR" || first.data.length !== 13) throw unreadable("it does not begin with its header");
  const hasPalette = first.data[9] === 3;
  const needed = chunks.filter(({ type }) => {
    if (type === "IDAT" || type === "IEND") return true;
    if (type !== "PLTE" && /^[A-Z]/.test(type))
      throw unreadable(`it has a chunk '${type}', which is not known at its place`);
    return hasPalette && (type === "PLTE" || type === "tRNS");
  });
  const palette = needed.find(({ type }) => type === "PLTE")?.data.length ?? 0;
  if (hasPalette && (palette === 0 || palette > 768)) throw unreadable("its palette is missing or too long");
  const packed = Buffer.concat(needed.flatMap(({ type, data }) => (type === "IDAT" ? [data] : [])));
  requireLength(packed, lengthOfRows(first.data));
  return Buffer.concat([file.subarray(0, 8), first.whole, ...needed.map(({ whole }) => whole)]);
}

/** Every chunk with the end mark, each with a right checksum. */
function chunksOf(file: Buffer): { type: string; data: Buffer; whole: Buffer }[] {
  const chunks = [];
  for (let at = 8; chunks.at(-1)?.type !== "IEND"; ) {
    if (at + 12 > file.length) throw unreadable("it is cut off before its end mark");
    const type = file.toString("latin1", at + 4, at + 8);
    const end = at + 12 + file.readUInt32BE(at);
    if (end > file.length) throw unreadable(`it is cut off inside '${type}'`);
    if (crc32(file.subarray(at + 4, end - 4)) !== file.readUInt32BE(end - 4))
      throw unreadable(`the checksum of '${type}' is wrong`);
    chunks.push({ type, data: file.subarray(at + 8, end - 4), whole: file.subarray(at, end) });
    at = end;
  }
  return chunks;
}

/** How many bytes the rows of a picture are unpacked, by its header: each has one more for its filter. */
function lengthOfRows(header: Buffer): number {
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth, type, , , interlace] = [...header.subarray(8)] as [number, number, number, number, number];
  if (width < 1 || height < 1 || width > LARGEST_SIDE || height > LARGEST_SIDE)
    throw unreadable(`it is ${width} × ${height} pixels, and a side has 1 to ${LARGEST_SIDE}`);
  const form = FORMS[type];
  if (!form?.depths.includes(depth)) throw unreadable(`there is no color type ${type} with ${depth} bits`);
  if (interlace && depth < 8) throw unreadable(`it is interlaced with ${depth} bits a sample, which is not known here`);
  return (interlace ? PASSES : [[0, 0, 1, 1]]).reduce((sum, [x, y, stepX, stepY]) => {
    const [columns, rows] = [Math.ceil((width - x!) / stepX!), Math.ceil((height - y!) / stepY!)];
    return columns > 0 && rows > 0 ? sum + rows * (Math.ceil((columns * form.samples * depth) / 8) + 1) : sum;
  }, 0);
}

function requireLength(packed: Buffer, length: number): void {
  let found: number;
  try {
    found = inflateSync(packed, { maxOutputLength: length }).length;
  } catch (error) {
    throw unreadable("its pixels cannot be unpacked to the size in its header", error);
  }
  if (found !== length) throw unreadable(`it has ${found} bytes of pixels where ${length} belong`);
}

/** Brings what was decoded to 8 bits a channel; gray of fewer bits is a palette of its grays. */
function toPicture(png: DecodedPng): Picture {
  const { width, height, depth, data } = png;
  const palette = png.palette ?? (depth < 8 ? graysOf(depth) : undefined);
  if (palette) {
    const channels = palette[0]!.length as Picture["channels"];
    return { width, height, channels, data: loadFastPng().convertIndexedToRgb({ ...png, palette }) };
  }
  const bytes = depth === 16 ? Uint8Array.from(data, (sample) => Math.round(sample / 257)) : new Uint8Array(data);
  return { width, height, channels: png.channels as Picture["channels"], data: bytes };
}

function graysOf(depth: number): number[][] {
  return Array.from({ length: 2 ** depth }, (_, index) => [(index * 255) / (2 ** depth - 1)]);
}
