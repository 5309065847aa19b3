// The materials of a file, and the pictures that give their base colors. A picture that is not in the file is told, not fetched.

import { type GLTF, ImageUtils } from "@gltf-transform/core";
import type { Material, Texture } from "../mesh.ts";
import { LARGEST_SIDE } from "../picture.ts";
import { dataUri, entries, extensionOf, type GlbFile, tooLargeGlb } from "./gltf.ts";

const CLAMPED = 33_071;

/** The materials of a file. */
export function readMaterials(file: GlbFile): Material[] {
  const images = entries(file.gltf, "images").map((_, index) => readImage(file, index));
  return entries(file.gltf, "materials").map((material, index) => readMaterial(file, material, index, images));
}

type Image = Omit<Texture, "isRepeated">;

function readMaterial(file: GlbFile, material: GLTF.IMaterial, index: number, images: readonly Image[]): Material {
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
  const other = ["EXT_texture_webp", "KHR_texture_basisu", "EXT_texture_avif"];
  const source =
    texture?.source ?? other.map((name) => extensionOf(texture ?? {}, name)?.source).find(Number.isInteger);
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

/** The first bytes of kinds that the library does not know of itself. */
const OTHER_KINDS = { "image/webp": /^RIFF.{4}WEBP/s, "image/ktx2": /^.KTX 20/s };

/** The type of a picture, and its size from its header: 0 where that does not say. Nothing is unpacked. */
function readImageHeader(bytes: Uint8Array): Pick<Texture, "type" | "width" | "height"> | undefined {
  const known = ImageUtils.getMimeType(bytes);
  if (known === null) {
    const head = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
    const other = Object.entries(OTHER_KINDS).find(([, mark]) => mark.test(head));
    return other && { type: other[0], width: 0, height: 0 };
  }
  try {
    const [width, height] = ImageUtils.getSize(bytes, known) ?? [0, 0];
    return { type: known, width, height };
  } catch {
    return { type: known, width: 0, height: 0 };
  }
}
