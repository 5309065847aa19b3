// Pictures as a cassette names them: by what they show. Two PNG files with the same pixels are the same picture, however they were
// packed.

import { sha256 } from "@loopwright/core";
import type { Picture } from "@loopwright/mesh";
import { pngToPicture } from "@loopwright/mesh/png";

/** A picture by what it shows; one that cannot be decoded here, by its bytes. */
export type PictureName = { width: number; height: number; pixels: string } | { size: number; bytes: string };

/** The name of a picture that only what it shows can change. */
export function namePicture(bytes: Uint8Array): PictureName {
  try {
    const picture = pngToPicture(bytes);
    return { width: picture.width, height: picture.height, pixels: sha256(toRgba(picture)) };
  } catch {
    // Another format, or a truncated file, which a server may still make something of.
    return { size: bytes.length, bytes: sha256(bytes) };
  }
}

/** The pixels in one form; what is wholly transparent has no color. */
function toRgba({ width, height, channels, data }: Picture): Uint8Array {
  const rgba = new Uint8Array(width * height * 4);
  const isGray = channels < 3;
  const hasAlpha = channels === 2 || channels === 4;
  for (let from = 0, to = 0; to < rgba.length; from += channels, to += 4) {
    const alpha = hasAlpha ? data[from + channels - 1]! : 255;
    if (alpha === 0) continue;
    rgba[to] = data[from]!;
    rgba[to + 1] = data[isGray ? from : from + 1]!;
    rgba[to + 2] = data[isGray ? from : from + 2]!;
    rgba[to + 3] = alpha;
  }
  return rgba;
}
