// The references: what each shows, from where, and as masks at the size that they are compared at.

import {
  type Angles,
  cutOut,
  extentOf,
  hasAlpha,
  type Mask,
  type Mesh,
  pictureToMask,
  pngToPicture,
  resizeMask,
  silhouette,
} from "@loopwright/mesh";
import type { HullTask, Reference } from "../task/task.ts";
import { moveOnto } from "./orientation.ts";
import { type Masks, type ReferenceView, referenceViews } from "./score.ts";

/** The picture itself, as base64. */
export function pictureOf(reference: Reference): string {
  return typeof reference === "string" ? reference : reference.picture;
}

/** Where a reference is seen from; undefined where that is not known. */
export function viewOf(name: string, reference: Reference): ReferenceView | Angles | undefined {
  const known = referenceViews.find((view) => view === name);
  return known ?? (typeof reference === "string" ? undefined : reference.camera);
}

/** The names of the references that can be measured. */
export function measuredNames({ references }: Pick<HullTask, "references">): string[] {
  return Object.entries(references).flatMap(([name, reference]) => (viewOf(name, reference) ? [name] : []));
}

/** A run's input never changes, so its pictures are read once in a process. */
const known = new WeakMap<HullTask["references"], Map<number, Readonly<Record<string, Mask>>>>();

/** The masks of the references whose view is known, at a size. */
export function referenceMasks(task: Pick<HullTask, "references">, size: number): Readonly<Record<string, Mask>> {
  const sizes = known.get(task.references) ?? new Map<number, Readonly<Record<string, Mask>>>();
  known.set(task.references, sizes);
  const masks = sizes.get(size) ?? readMasks(task, size);
  sizes.set(size, masks);
  return masks;
}

/** The masks of the three views that a search needs; a task that is searched has them. */
export function threeMasks(task: Pick<HullTask, "references">, size: number): Masks {
  return referenceMasks(task, size) as Readonly<Record<string, Mask>> & Masks;
}

function readMasks(task: Pick<HullTask, "references">, size: number): Readonly<Record<string, Mask>> {
  const read = (reference: Reference) => {
    const png = typeof reference === "string" ? reference : (reference.mask ?? reference.picture);
    return resizeMask(pngToMask(Buffer.from(png, "base64")), size);
  };
  return Object.fromEntries(measuredNames(task).map((name) => [name, read(task.references[name]!)]));
}

/** The masks of those references that do not show their object by being transparent elsewhere. */
export function cutOutMasks(task: HullTask): Record<string, Mask> {
  const masks = Object.entries(referenceMasks(task, task.render_size));
  return Object.fromEntries(
    masks.filter(([name]) => !hasAlpha(pngToPicture(Buffer.from(pictureOf(task.references[name]!), "base64")))),
  );
}

/** What a mesh shows where a reference was taken; where that does not say its place, in the reference's. */
export function seenAs(mesh: Mesh, name: string, task: HullTask, size: number): Mask {
  const reference = task.references[name]!;
  const seen = silhouette(mesh, viewOf(name, reference)!, task.frame, size);
  const isPlaced = typeof reference === "string" || reference.isPlaced !== false;
  return isPlaced ? seen : moveOnto(seen, extentOf(referenceMasks(task, size)[name]!));
}

/** What a picture's object covers: what is opaque, or else what differs from the background. */
export function pngToMask(bytes: Uint8Array): Mask {
  const picture = pngToPicture(bytes);
  return hasAlpha(picture) ? pictureToMask(picture) : cutOut(picture);
}
