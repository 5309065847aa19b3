// What of a glTF description is read here, as far as it can be trusted: not at all before it was checked.

import { most, tooLargeGlb, unreadableGlb } from "./errors.ts";

export interface Gltf {
  asset?: unknown;
  scene?: number;
  scenes?: { nodes?: number[] }[];
  nodes?: GltfNode[];
  meshes?: { name?: string; primitives: GltfPrimitive[] }[];
  accessors?: GltfAccessor[];
  bufferViews?: GltfView[];
  buffers?: { byteLength: number; uri?: string; extensions?: Extensions }[];
  materials?: GltfMaterial[];
  textures?: { source?: number; sampler?: number; extensions?: Extensions }[];
  samplers?: { wrapS?: number; wrapT?: number }[];
  images?: { name?: string; uri?: string; bufferView?: number; mimeType?: string }[];
  extensionsUsed?: string[];
  extensionsRequired?: string[];
}

// biome-ignore lint/suspicious/noExplicitAny: an extension has whatever the file's writer put there.
export type Extensions = Record<string, any>;

export interface GltfNode {
  name?: string;
  mesh?: number;
  children?: number[];
  matrix?: number[];
  translation?: number[];
  rotation?: number[];
  scale?: number[];
  extensions?: Extensions;
}

export interface GltfPrimitive {
  attributes: Record<string, number>;
  indices?: number;
  mode?: number;
  material?: number;
  extensions?: Extensions;
}

export interface GltfAccessor {
  bufferView?: number;
  byteOffset?: number;
  componentType: number;
  count: number;
  type: string;
  normalized?: boolean;
  sparse?: {
    count: number;
    indices: { bufferView: number; byteOffset?: number; componentType: number };
    values: { bufferView: number; byteOffset?: number };
  };
}

export interface GltfView {
  buffer: number;
  byteOffset?: number;
  byteLength: number;
  byteStride?: number;
  extensions?: Extensions;
}

export interface GltfMaterial {
  name?: string;
  alphaMode?: string;
  doubleSided?: boolean;
  pbrMetallicRoughness?: {
    baseColorFactor?: number[];
    metallicFactor?: number;
    roughnessFactor?: number;
    baseColorTexture?: { index: number; texCoord?: number; extensions?: Extensions };
  };
}

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
