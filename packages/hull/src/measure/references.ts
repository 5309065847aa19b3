// The references as masks, at the size that they are compared at.

import { type Mask, pictureToMask, pngToPicture, resizeMask } from "@loopwright/mesh";
import type { HullTask } from "../task.ts";
import type { Masks } from "./score.ts";

/** A run's input never changes, so its pictures are read once in a process. */
const known = new WeakMap<HullTask["references"], Map<number, Masks>>();

/** A task's references at a size. */
export function referenceMasks({ references }: Pick<HullTask, "references">, size: number): Masks {
  const sizes = known.get(references) ?? new Map<number, Masks>();
  known.set(references, sizes);
  const masks = sizes.get(size) ?? readMasks(references, size);
  sizes.set(size, masks);
  return masks;
}

function readMasks(references: HullTask["references"], size: number): Masks {
  const read = (text: string) => toSize(pngToMask(Buffer.from(text, "base64")), size);
  return { front: read(references.front), side: read(references.side), top: read(references.top) };
}

/** What a picture's object covers. */
export function pngToMask(bytes: Uint8Array): Mask {
  return pictureToMask(pngToPicture(bytes));
}

function toSize(mask: Mask, size: number): Mask {
  return mask.width === size && mask.height === size ? mask : resizeMask(mask, size);
}
