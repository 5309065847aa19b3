// The pixels of a PNG: inflated, unfiltered, put in their places, and brought to 8 bits a channel.

import { inflateSync } from "node:zlib";
import type { Picture } from "../picture.ts";
import { type Color, type Png, unreadable } from "./chunks.ts";

const SAMPLES: Readonly<Record<Color, 1 | 2 | 3 | 4>> = { gray: 1, rgb: 3, palette: 1, "gray-alpha": 2, rgba: 4 };

/** One trip over the picture: its first pixel, the steps between pixels, and how many there are. */
interface Pass {
  readonly x: number;
  readonly y: number;
  readonly stepX: number;
  readonly stepY: number;
  readonly width: number;
  readonly height: number;
}

/** The picture that a PNG holds. */
export function unpackPixels(png: Png): Picture {
  const passes = passesOf(png);
  const samples = SAMPLES[png.color];
  const rowBytes = ({ width }: Pass) => Math.ceil((width * samples * png.depth) / 8);
  const rows = inflate(
    png,
    passes.reduce((sum, pass) => sum + pass.height * (rowBytes(pass) + 1), 0),
  );
  const channels = channelsOf(png);
  const data = new Uint8Array(png.width * png.height * channels);
  const isPlain = png.depth === 8 && png.color !== "palette" && !png.transparency && !png.isInterlaced;
  const write = pixelWriter(png, data);
  const found = new Uint16Array(samples);
  let at = 0;
  for (const pass of passes) {
    const length = rowBytes(pass);
    for (let row = 0; row < pass.height; row += 1, at += length + 1) {
      unfilter(rows, at, length, row > 0, Math.max(1, (samples * png.depth) / 8));
      const line = rows.subarray(at + 1, at + 1 + length);
      // A row that is already as it shall be needs no look at its pixels.
      if (isPlain) data.set(line, row * length);
      else
        for (let column = 0; column < pass.width; column += 1) {
          for (let sample = 0; sample < samples; sample += 1)
            found[sample] = sampleAt(line, column * samples + sample, png.depth);
          write((pass.y + row * pass.stepY) * png.width + pass.x + column * pass.stepX, found);
        }
    }
  }
  return { width: png.width, height: png.height, channels, data };
}

/** The whole picture at once, or the seven passes of Adam7 that have pixels. */
function passesOf({ width, height, isInterlaced }: Png): Pass[] {
  if (!isInterlaced) return [{ x: 0, y: 0, stepX: 1, stepY: 1, width, height }];
  return [
    { x: 0, y: 0, stepX: 8, stepY: 8 },
    { x: 4, y: 0, stepX: 8, stepY: 8 },
    { x: 0, y: 4, stepX: 4, stepY: 8 },
    { x: 2, y: 0, stepX: 4, stepY: 4 },
    { x: 0, y: 2, stepX: 2, stepY: 4 },
    { x: 1, y: 0, stepX: 2, stepY: 2 },
    { x: 0, y: 1, stepX: 1, stepY: 2 },
  ]
    .map((pass) => ({
      ...pass,
      width: Math.ceil((width - pass.x) / pass.stepX),
      height: Math.ceil((height - pass.y) / pass.stepY),
    }))
    .filter((pass) => pass.width > 0 && pass.height > 0);
}

/** Inflates to exactly the length that the header announces, and stops a file that would become longer. */
function inflate({ packed }: Png, length: number): Uint8Array {
  let rows: Uint8Array;
  try {
    rows = inflateSync(packed, { maxOutputLength: length });
  } catch (error) {
    throw unreadable("its pixels cannot be unpacked to the size in its header", error);
  }
  if (rows.length !== length) throw unreadable(`it has ${rows.length} bytes of pixels where ${length} belong`);
  return rows;
}

/** Undoes the filter of the row that begins at `at`, in place; the row above stands right before it. */
function unfilter(rows: Uint8Array, at: number, length: number, hasAbove: boolean, pixel: number): void {
  const filter = rows[at]!;
  if (filter === 0) return;
  if (filter > 4) throw unreadable(`there is no filter ${filter}`);
  const above = at - length - 1;
  for (let byte = 1; byte <= length; byte += 1) {
    const left = byte > pixel ? rows[at + byte - pixel]! : 0;
    const up = hasAbove ? rows[above + byte]! : 0;
    const corner = hasAbove && byte > pixel ? rows[above + byte - pixel]! : 0;
    const guess =
      filter === 1 ? left : filter === 2 ? up : filter === 3 ? (left + up) >> 1 : nearestOf(left, up, corner);
    rows[at + byte]! += guess;
  }
}

/** Paeth's guess: of three neighbors the one nearest to left + up - corner. */
function nearestOf(left: number, up: number, corner: number): number {
  const [toLeft, toUp, toCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

function sampleAt(line: Uint8Array, index: number, depth: number): number {
  if (depth === 8) return line[index]!;
  if (depth === 16) return line[index * 2]! * 256 + line[index * 2 + 1]!;
  const bit = index * depth;
  return (line[bit >> 3]! >> (8 - depth - (bit & 7))) & ((1 << depth) - 1);
}

function channelsOf({ color, transparency }: Png): Picture["channels"] {
  const plain = color === "palette" ? 3 : SAMPLES[color];
  return transparency ? ((plain + 1) as 2 | 4) : plain;
}

/** What puts the samples of one pixel into the picture, by the PNG's form. */
function pixelWriter(png: Png, data: Uint8Array): (pixel: number, samples: Uint16Array) => void {
  const { palette, transparency } = png;
  const channels = channelsOf(png);
  if (png.color === "palette") {
    return (pixel, [index]) => {
      if (index! * 3 >= palette.length) throw unreadable(`it has no color ${index} in its palette`);
      for (let channel = 0; channel < 3; channel += 1)
        data[pixel * channels + channel] = palette[index! * 3 + channel]!;
      if (transparency) data[pixel * channels + 3] = transparency[index!] ?? 255;
    };
  }
  const scale = 255 / (2 ** png.depth - 1);
  return (pixel, samples) => {
    const at = pixel * channels;
    for (let channel = 0; channel < samples.length; channel += 1)
      data[at + channel] = Math.round(samples[channel]! * scale);
    if (transparency) data[at + channels - 1] = isSameColor(samples, transparency) ? 0 : 255;
  };
}

function isSameColor(samples: Uint16Array, transparency: Uint8Array): boolean {
  return samples.every((sample, at) => sample === transparency[at * 2]! * 256 + transparency[at * 2 + 1]!);
}
