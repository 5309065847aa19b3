// The materials of a file, and the pictures that give their base colors. A picture that is not in the file is told, not fetched.

import type { GLTF } from "@gltf-transform/core";
import type { Material, Texture } from "../mesh.ts";
import { LARGEST_SIDE } from "../picture.ts";
import { dataUri, type GlbFile } from "./file.ts";
import { entries, extensionOf, tooLargeGlb } from "./gltf.ts";

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

interface ImageHeader {
  readonly type: string;
  /** 0 where the header does not say. */
  readonly width: number;
  readonly height: number;
}

/** The type and size of a picture's file; undefined for a file of no known type. */
function readImageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = (from: number, to: number) => file.toString("latin1", from, to);
  if (text(1, 4) === "PNG" && file.length >= 24)
    return { type: "image/png", width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
  if (file.length >= 4 && file.readUInt16BE(0) === 0xffd8) return { type: "image/jpeg", ...jpegSize(file) };
  if (text(0, 4) === "RIFF" && text(8, 12) === "WEBP" && file.length >= 30)
    return { type: "image/webp", ...webpSize(file) };
  if (text(1, 7) === "KTX 20" && file.length >= 28)
    return { type: "image/ktx2", width: file.readUInt32LE(20), height: file.readUInt32LE(24) };
  return undefined;
}

/** From the segment that begins the picture, the way there going from segment to segment. */
function jpegSize(file: Buffer): { width: number; height: number } {
  for (let at = 2; at + 9 < file.length && file[at] === 0xff; ) {
    const marker = file[at + 1]!;
    const isStart = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isStart) return { width: file.readUInt16BE(at + 7), height: file.readUInt16BE(at + 5) };
    at += 2 + Math.max(2, file.readUInt16BE(at + 2));
  }
  return { width: 0, height: 0 };
}

function webpSize(file: Buffer): { width: number; height: number } {
  const kind = file.toString("latin1", 12, 16);
  if (kind === "VP8X") return { width: file.readUIntLE(24, 3) + 1, height: file.readUIntLE(27, 3) + 1 };
  if (kind === "VP8 ") return { width: file.readUInt16LE(26) & 0x3fff, height: file.readUInt16LE(28) & 0x3fff };
  if (kind !== "VP8L") return { width: 0, height: 0 };
  const bits = file.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}
