// Pictures as PNG files, and as masks.

import { crc32, deflateSync } from "node:zlib";
import type { Mask, Picture } from "../picture.ts";
import { readPng, SIGNATURE } from "./chunks.ts";
import { unpackPixels } from "./pixels.ts";

const COLOR_TYPES = { 1: 0, 2: 4, 3: 2, 4: 6 } as const;

/** A picture as the bytes of a PNG. */
export function pictureToPng({ width, height, channels, data }: Picture): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, COLOR_TYPES[channels], 0, 0, 0], 8);
  // Rows go unfiltered: for shaded pictures that was both faster and smaller than a difference to the left or above.
  const row = width * channels;
  const rows = new Uint8Array(height * (row + 1));
  for (let y = 0; y < height; y += 1) rows.set(data.subarray(y * row, (y + 1) * row), y * (row + 1) + 1);
  const packed = deflateSync(rows, { level: 3 });
  return new Uint8Array(
    Buffer.concat([SIGNATURE, chunk("IHDR", header), chunk("IDAT", packed), chunk("IEND", new Uint8Array(0))]),
  );
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(data.length + 12);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, "latin1");
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, data.length + 8)), data.length + 8);
  return bytes;
}

/** The picture in a PNG of any form, at 8 bits a channel. */
export function pngToPicture(bytes: Uint8Array): Picture {
  return unpackPixels(readPng(bytes));
}

/** The object of a picture: what is opaque where some of it is not, else what is dark. */
export function pictureToMask(picture: Picture): Mask {
  const { width, height, channels, data } = picture;
  const mask = new Uint8Array(width * height);
  const isCutOut = hasAlpha(picture);
  for (let pixel = 0, at = 0; pixel < mask.length; pixel += 1, at += channels) {
    const isObject = isCutOut ? data[at + channels - 1]! > 127 : luminance(data, at, channels) < 128;
    if (isObject) mask[pixel] = 1;
  }
  return { width, height, data: mask };
}

/** A mask as a picture: gray and alpha, the object black, else transparent. */
export function maskToPicture({ width, height, data }: Mask): Picture {
  const pixels = new Uint8Array(width * height * 2);
  for (let pixel = 0; pixel < data.length; pixel += 1) pixels[pixel * 2 + 1] = data[pixel] ? 255 : 0;
  return { width, height, channels: 2, data: pixels };
}

/** Whether some of a picture is not opaque. */
export function hasAlpha({ channels, data }: Picture): boolean {
  if (channels === 1 || channels === 3) return false;
  for (let at = channels - 1; at < data.length; at += channels) if (data[at] !== 255) return true;
  return false;
}

function luminance(data: Uint8Array, at: number, channels: number): number {
  if (channels < 3) return data[at]!;
  return (data[at]! * 2126 + data[at + 1]! * 7152 + data[at + 2]! * 722) / 10_000;
}
