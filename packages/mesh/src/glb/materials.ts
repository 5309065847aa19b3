// The materials of a file, and the pictures that give their base colors. A picture that is not in the file is told, not fetched.

import type { Material, Texture } from "../mesh.ts";
import { LARGEST_SIDE } from "../picture.ts";
import { tooLargeGlb } from "./errors.ts";
import { dataUri, type GlbFile } from "./file.ts";
import { entries, type GltfMaterial } from "./gltf.ts";
import { readImageHeader } from "./images.ts";

const CLAMPED = 33_071;

/** The materials of a file. */
export function readMaterials(file: GlbFile): Material[] {
  const images = entries(file.gltf, "images").map((_, index) => readImage(file, index));
  return entries(file.gltf, "materials").map((material, index) => readMaterial(file, material, index, images));
}

type Image = Omit<Texture, "isRepeated">;

function readMaterial(file: GlbFile, material: GltfMaterial, index: number, images: readonly Image[]): Material {
  const pbr = material.pbrMetallicRoughness ?? {};
  const base = {
    name: nameOf(material.name, `material ${index}`),
    color: numbers(pbr.baseColorFactor, [1, 1, 1, 1]) as unknown as Material["color"],
    metallic: number(pbr.metallicFactor, 1),
    roughness: number(pbr.roughnessFactor, 1),
    isTransparent: material.alphaMode === "BLEND",
    isDoubleSided: material.doubleSided === true,
  };
  if (pbr.baseColorTexture === undefined) return base;
  return { ...base, texture: readTexture(file, pbr.baseColorTexture.index, images) };
}

function readTexture({ gltf }: GlbFile, index: unknown, images: readonly Image[]): Texture {
  const texture = entries(gltf, "textures")[index as number];
  const other = texture?.extensions ?? {};
  const source =
    texture?.source ??
    other.EXT_texture_webp?.source ??
    other.KHR_texture_basisu?.source ??
    other.EXT_texture_avif?.source;
  const sampler = entries(gltf, "samplers")[texture?.sampler as number];
  const isRepeated = sampler?.wrapS !== CLAMPED || sampler?.wrapT !== CLAMPED;
  const image = images[source as number];
  return image
    ? { ...image, isRepeated }
    : { ...missingImage("", `there is no picture ${String(source)}`), isRepeated };
}

function readImage({ gltf, buffers }: GlbFile, index: number): Image {
  const image = gltf.images![index]!;
  const name = nameOf(image.name, `picture ${index}`);
  let bytes: Uint8Array;
  if (image.bufferView === undefined) {
    if (typeof image.uri === "string" && !image.uri.startsWith("data:"))
      return missingImage(name, `'${name}' is outside of the file: ${image.uri.slice(0, 80)}`);
    bytes = dataUri(image.uri, `its picture ${index}`);
  } else {
    const view = entries(gltf, "bufferViews")[image.bufferView];
    if (!view) return missingImage(name, `'${name}' is at a view that is not there`);
    const start = view.byteOffset ?? 0;
    bytes = buffers[view.buffer]!.slice(start, start + view.byteLength);
  }
  const header = readImageHeader(bytes);
  if (!header) return missingImage(name, `'${name}' is no picture of a known type`);
  if (header.width > LARGEST_SIDE || header.height > LARGEST_SIDE)
    throw tooLargeGlb(
      `its picture ${index} is ${header.width} × ${header.height} pixels, and a side has at most ${LARGEST_SIDE}`,
    );
  return { name, ...header, bytes };
}

function missingImage(name: string, missing: string): Image {
  return { name, type: "", width: 0, height: 0, bytes: new Uint8Array(0), missing };
}

function nameOf(name: unknown, otherwise: string): string {
  return typeof name === "string" && name !== "" ? name.slice(0, 200) : otherwise;
}

function number(value: unknown, otherwise: number): number {
  return typeof value === "number" && Number.isFinite(value) ? value : otherwise;
}

function numbers(value: unknown, otherwise: readonly number[]): number[] {
  const list = Array.isArray(value) ? value : [];
  return otherwise.map((each, at) => number(list[at], each));
}
