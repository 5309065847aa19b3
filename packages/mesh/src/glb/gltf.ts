// What of a glTF description is read here, as far as it can be trusted: not at all before it was checked.

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
