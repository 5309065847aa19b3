// A reference as a task file names it: a picture, where it was taken from, how large what it shows is, and where the object is in it.

import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { UsageError } from "@loopwright/core";
import {
  type Angles,
  cameras,
  cutOut,
  type Extent,
  extentOf,
  type Frame,
  hasAlpha,
  type Mask,
  maskToPicture,
  pictureToMask,
  pictureToPng,
  pngToPicture,
} from "@loopwright/mesh";
import { z } from "zod";
import { type ReferenceView, referenceViews } from "../measure/score.ts";
import type { Reference } from "./task.ts";

/** The views that have a name; side and right are the same. */
const namedViews: Readonly<Record<string, ReferenceView | Angles>> = {
  front: "front",
  side: "side",
  right: "side",
  top: "top",
  back: { azimuth: 180, elevation: 0 },
  left: { azimuth: 90, elevation: 0 },
  bottom: { azimuth: 270, elevation: -90 },
  iso: { azimuth: cameras.iso.azimuth, elevation: cameras.iso.elevation },
};

const meters = z.number().positive();
const view = z.union(
  [
    z.enum(Object.keys(namedViews) as [string, ...string[]]),
    z.strictObject({ azimuth: z.number(), elevation: z.number().min(-90).max(90) }),
  ],
  { error: `use one of ${Object.keys(namedViews).join(", ")}, or { azimuth: DEGREES, elevation: DEGREES }` },
);

/** What may be said of a reference. */
export const ReferenceFile = z.strictObject({
  file: z.string().min(1),
  view: view.optional(),
  scale: z
    .union(
      [
        z.strictObject({ meters_per_pixel: meters }),
        z.strictObject({ width: meters }),
        z.strictObject({ height: meters }),
      ],
      { error: "use one of { meters_per_pixel: M }, { width: M } or { height: M }, the object's own in meters" },
    )
    .optional(),
  center: z.tuple([z.number(), z.number()]).optional(),
  mask: z.string().min(1).optional(),
});
export type ReferenceFile = z.infer<typeof ReferenceFile>;

type Refuse = (key: string, why: string, cause?: unknown) => UsageError;
const MOST_BYTES = 8 * 1024 * 1024;

/** Reads a reference, relative to its task. */
export async function readReference(task: string, given: string, said: ReferenceFile, refuse: Refuse) {
  const read = (key: string, path: string) =>
    readPicture(resolve(dirname(task), path), (why, e) => refuse(key, why, e));
  const picture = await read("file", said.file);
  const known = said.view ?? (given in namedViews ? given : undefined);
  const from = typeof known === "string" ? namedViews[known] : known;
  const name = typeof from === "string" ? from : given;
  if (typeof from !== "string" && referenceViews.some((each) => each === given))
    throw refuse("view", `it is called ${given}, and shows another view: give it another name`);
  const { scale, center } = said;
  if (!from && (scale || center || said.mask))
    throw refuse(
      "view",
      "its view is not known, so it cannot be measured: say its view, or leave scale, center and mask out",
    );
  if (center && !scale) throw refuse("center", "it needs a scale too: scale: { meters_per_pixel: M }");
  const mask = from && (await maskOf(picture, said, read, refuse));
  const extent = mask && extentOf(mask);
  if (mask && !extent)
    throw refuse(
      "file",
      `${said.file} shows nothing: draw the object opaque on transparent, or before a plain background`,
    );
  return {
    /** What it is called in the run: its view, where that is one of the three. */
    name,
    view: from,
    picture: picture.bytes,
    mask,
    /** Whether the mask was given, and is not that of the picture itself. */
    hasOwnMask: said.mask !== undefined && said.mask !== "alpha",
    metersPerPixel: extent && scale && perPixel(scale, extent),
    center,
  };
}

/** A reference that was read, before it is known what the task's pictures show. */
export type ReadReference = Awaited<ReturnType<typeof readReference>>;

interface ReadPicture {
  bytes: Uint8Array;
  pixels: ReturnType<typeof pngToPicture>;
}

async function readPicture(file: string, refuse: (why: string, cause?: unknown) => UsageError): Promise<ReadPicture> {
  const bytes = await readFile(file).catch((cause: Error) => {
    throw refuse(`the picture ${file} cannot be read: ${cause.message}`, cause);
  });
  if (bytes.length > MOST_BYTES)
    throw refuse(`${file} has more than 8 MB: make it smaller; 1,000 pixels a side are plenty`);
  if (bytes.length === 0) throw refuse(`${file} is empty: save the picture again, as a PNG`);
  if (bytes[0] !== 0x89)
    throw refuse(
      `${file} is no PNG, and only PNG is read: convert it, for example with magick ${quoted(file)} ${quoted(file.replace(/\.\w+$/, ""))}.png`,
    );
  try {
    return { bytes, pixels: pngToPicture(bytes) };
  } catch (cause) {
    throw refuse(`${file}: ${(cause as Error).message}`, cause);
  }
}

const quoted = (file: string) => (/[^\w./-]/.test(file) ? `'${file}'` : file);

async function maskOf(
  { pixels }: ReadPicture,
  { file, mask }: ReferenceFile,
  read: (key: string, path: string) => Promise<ReadPicture>,
  refuse: Refuse,
): Promise<Mask> {
  if (mask === undefined || mask === "alpha" || mask === "background") {
    if (mask === "alpha" && !hasAlpha(pixels))
      throw refuse("mask", `${file} has no transparency: use mask: background, or a mask of its own (mask: FILE.png)`);
    try {
      return mask !== "background" && hasAlpha(pixels) ? pictureToMask(pixels) : cutOut(pixels);
    } catch (cause) {
      throw refuse("file", `${file}: ${(cause as Error).message}`, cause);
    }
  }
  const { pixels: given } = await read("mask", mask);
  if (given.width !== pixels.width || given.height !== pixels.height)
    throw refuse(
      "mask",
      `${mask} has ${given.width} × ${given.height} pixels, and ${file} ${pixels.width} × ${pixels.height}: they must be alike`,
    );
  return pictureToMask(given);
}

function perPixel(scale: NonNullable<ReferenceFile["scale"]>, { width, height }: Extent): number {
  if ("meters_per_pixel" in scale) return scale.meters_per_pixel;
  return "width" in scale ? scale.width / width : scale.height / height;
}

/** What every picture shows, where only the scales of the references say it; undefined where one has none. */
export function frameAround(references: readonly ReadReference[]): Frame | undefined {
  const sizes = references.flatMap(({ mask, metersPerPixel }) => {
    const extent = mask && extentOf(mask);
    return extent ? [Math.max(extent.width, extent.height) * (metersPerPixel ?? Number.NaN)] : [];
  });
  const most = Math.max(...sizes);
  return most > 0 ? { center: [0, 0, 0], meters: Number((most * 1.3).toPrecision(3)) } : undefined;
}

/** A reference as a run is given it: its mask in the task's own frame. */
export function toReference(read: ReadReference, frame: Frame, size: number): Reference {
  const { view: from, mask, metersPerPixel, center, hasOwnMask } = read;
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
  const picture = base64(read.picture);
  if (!from || !mask) return { picture };
  const isNamed = typeof from === "string";
  const camera = isNamed ? {} : { camera: from };
  const png = (shown: Mask) => base64(pictureToPng(maskToPicture(shown)));
  if (metersPerPixel === undefined) {
    if (isNamed && !hasOwnMask) return picture;
    return { picture, ...camera, ...(hasOwnMask && { mask: png(mask) }) };
  }
  const { left, right, top, bottom } = extentOf(mask)!;
  const middle = center ?? [(left + right + 1) / 2, (top + bottom + 1) / 2];
  const placed = inFrame(mask, middle, frame.meters / metersPerPixel, size);
  return { picture, ...camera, mask: png(placed), ...(!isNamed && !center && { isPlaced: false }) };
}

/** A mask in a square picture that has a place of it in its middle and shows so many of its pixels. */
function inFrame({ width, height, data }: Mask, [x, y]: readonly number[], across: number, size: number): Mask {
  const framed = new Uint8Array(size * size);
  const pixel = (at: number, middle: number) => Math.floor(middle + ((at + 0.5) / size - 0.5) * across);
  for (let row = 0; row < size; row++) {
    const from = pixel(row, y!);
    if (from < 0 || from >= height) continue;
    for (let column = 0; column < size; column++) {
      const at = pixel(column, x!);
      if (at >= 0 && at < width) framed[row * size + column] = data[from * width + at]!;
    }
  }
  return { width: size, height: size, data: framed };
}
