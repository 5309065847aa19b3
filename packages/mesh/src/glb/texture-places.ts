// The texture places of a part: those that its material's base color is taken from, moved as the material says.

import type { Primitive } from "@gltf-transform/core";
import type { GltfMaterial } from "./gltf.ts";

export interface TexturePlaces {
  /** Writes two numbers for each vertex. */
  write(to: Float32Array): void;
}

/** The texture places of a part; undefined where it has none. */
export function readTexturePlaces(primitive: Primitive, material: GltfMaterial | undefined): TexturePlaces | undefined {
  const info = material?.pbrMetallicRoughness?.baseColorTexture;
  const move = info?.extensions?.KHR_texture_transform ?? {};
  const accessor = primitive.getAttribute(`TEXCOORD_${Number(move.texCoord ?? info?.texCoord ?? 0)}`);
  if (accessor?.getElementSize() !== 2) return undefined;
  const [offsetU, offsetV] = pair(move.offset, 0);
  const [scaleU, scaleV] = pair(move.scale, 1);
  const angle = typeof move.rotation === "number" ? move.rotation : 0;
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  return {
    write(to) {
      const place = [0, 0];
      for (let vertex = 0; vertex < accessor.getCount() && vertex * 2 < to.length; vertex += 1) {
        accessor.getElement(vertex, place);
        const [u, v] = [place[0]! * scaleU, place[1]! * scaleV];
        to[vertex * 2] = u * cosine + v * sine + offsetU;
        to[vertex * 2 + 1] = v * cosine - u * sine + offsetV;
      }
    },
  };
}

function pair(value: unknown, otherwise: number): [number, number] {
  const [u, v] = Array.isArray(value) ? value : [];
  return [typeof u === "number" ? u : otherwise, typeof v === "number" ? v : otherwise];
}
