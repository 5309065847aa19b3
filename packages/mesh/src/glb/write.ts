// The parts of a mesh, their materials and pictures, as glTF has them: y up, (x, y, z) here is (x, z, -y) there.

import type { Document, Material as GltfMaterial, Node } from "@gltf-transform/core";
import type { Mesh, Part } from "../mesh.ts";
import { cornerNormals } from "../normals.ts";

/** Puts the parts of a mesh under a node: a mesh without materials gets a plain one. */
export function writeParts(document: Document, node: Node, mesh: Mesh, parts: readonly Part[]): void {
  const buffer = document.createBuffer();
  const accessor = (type: "VEC2" | "VEC3" | "SCALAR", values: Float32Array | Uint16Array | Uint32Array) =>
    document
      .createAccessor()
      .setType(type)
      .setArray(values as Float32Array<ArrayBuffer>)
      .setBuffer(buffer);
  const materials = mesh.parts ? writeMaterials(document, mesh) : [plainMaterial(document)];
  const corners = cornerNormals(mesh);
  for (const { name, material = mesh.parts ? -1 : 0, first, count } of parts.filter((part) => part.count > 0)) {
    const { positions, normals, uvs, indices } = splitAtCreases(mesh, corners, first, count);
    const primitive = document
      .createPrimitive()
      .setMaterial(materials[material] ?? null)
      .setAttribute("POSITION", accessor("VEC3", positions))
      .setAttribute("NORMAL", accessor("VEC3", normals))
      .setIndices(accessor("SCALAR", indices));
    if (uvs) primitive.setAttribute("TEXCOORD_0", accessor("VEC2", uvs));
    const written = document.createMesh(name).addPrimitive(primitive);
    if (mesh.parts) node.addChild(document.createNode(name).setMesh(written));
    else node.setMesh(written);
  }
}

function plainMaterial(document: Document): GltfMaterial {
  return document
    .createMaterial("surface")
    .setBaseColorFactor([0.62, 0.67, 0.72, 1])
    .setMetallicFactor(0)
    .setRoughnessFactor(0.6);
}

function writeMaterials(document: Document, { materials = [] }: Mesh): GltfMaterial[] {
  return materials.map(({ name, color, metallic, roughness, isTransparent, isDoubleSided, texture }) => {
    const material = document
      .createMaterial(name)
      .setBaseColorFactor([...color])
      .setMetallicFactor(metallic)
      .setRoughnessFactor(roughness)
      .setAlphaMode(isTransparent ? "BLEND" : "OPAQUE")
      .setDoubleSided(isDoubleSided);
    if (!texture || texture.missing !== undefined) return material;
    const picture = document.createTexture(texture.name).setImage(Uint8Array.from(texture.bytes));
    return material.setBaseColorTexture(picture.setMimeType(texture.type));
  });
}

/** One vertex for each pair of vertex and normal; vertices that no triangle uses are left out. */
function splitAtCreases(mesh: Mesh, corners: Float32Array, first: number, count: number) {
  const positions: number[] = [];
  const normals: number[] = [];
  const places: number[] = [];
  const indices = new Uint32Array(count * 3);
  const known = new Map<number, { x: number; y: number; z: number; index: number }[]>();
  for (let at = 0; at < indices.length; at += 1) {
    const corner = first * 3 + at;
    const vertex = mesh.triangles[corner]!;
    const [x, y, z] = [corners[corner * 3]!, corners[corner * 3 + 1]!, corners[corner * 3 + 2]!];
    const here = known.get(vertex) ?? [];
    known.set(vertex, here);
    let split = here.find((other) => other.x === x && other.y === y && other.z === z);
    if (!split) {
      split = { x, y, z, index: positions.length / 3 };
      here.push(split);
      const from = vertex * 3;
      positions.push(mesh.positions[from]!, mesh.positions[from + 2]!, 0 - mesh.positions[from + 1]!);
      normals.push(x, z, 0 - y);
      if (mesh.uvs) places.push(mesh.uvs[vertex * 2]!, mesh.uvs[vertex * 2 + 1]!);
    }
    indices[at] = split.index;
  }
  const isSmall = positions.length / 3 < 0xffff;
  return {
    positions: Float32Array.from(positions),
    normals: Float32Array.from(normals),
    uvs: places.length > 0 && places.every(Number.isFinite) ? Float32Array.from(places) : undefined,
    indices: isSmall ? Uint16Array.from(indices) : indices,
  };
}
