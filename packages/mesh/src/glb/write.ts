// The parts of a mesh, their materials and pictures, as glTF has them: y up, (x, y, z) here is (x, z, -y) there.

import { Document, type Material as GltfMaterial, Logger, type Node, NodeIO } from "@gltf-transform/core";
import { UsageError } from "@loopwright/core";
import type { Mesh, Part } from "../mesh.ts";
import { cornerNormals } from "../normals.ts";
import { glbToModel } from "./model.ts";

/** Puts the parts of a mesh under a node: a mesh without materials gets a plain one. */
function writeParts(document: Document, node: Node, mesh: Mesh, parts: readonly Part[]): void {
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

/** What a GLB says of itself. */
export interface GlbOptions {
  /** What the object is called in a viewer. */
  name?: string;
  /** Facts that travel with the object. */
  extras?: Record<string, unknown>;
}

/** A mesh as the bytes of a binary glTF file; the same mesh gives the same bytes. */
export async function meshToGlb(mesh: Mesh, { name = "mesh", extras = {} }: GlbOptions = {}): Promise<Uint8Array> {
  requireSound(mesh);
  const document = new Document();
  const root = document.getRoot();
  root.getAsset().generator = "Loopwright";
  const node = document.createNode(name).setExtras(extras);
  const scene = document.createScene().addChild(node);
  root.setDefaultScene(scene);
  const parts = mesh.parts ?? [{ name, material: undefined, first: 0, count: mesh.triangles.length / 3 }];
  if (mesh.triangles.length > 0) writeParts(document, node, mesh, parts);
  return new NodeIO().setLogger(new Logger(Logger.Verbosity.SILENT)).writeBinary(document);
}

/** The triangles of a binary glTF file's default scene, as one mesh. */
export async function glbToMesh(bytes: Uint8Array): Promise<Mesh> {
  const { positions, triangles } = await glbToModel(bytes);
  return { positions, triangles };
}

function requireSound({ positions, triangles }: Mesh): void {
  const vertices = positions.length / 3;
  if (!Number.isInteger(vertices) || triangles.length % 3 !== 0)
    throw new UsageError("MESH_INVALID", "a mesh has three numbers a vertex and three vertices a triangle");
  if (triangles.some((vertex) => vertex >= vertices))
    throw new UsageError("MESH_INVALID", `a triangle names a vertex which is not among the mesh's ${vertices}`);
  const broken = positions.findIndex((value) => !Number.isFinite(value));
  if (broken >= 0)
    throw new UsageError("MESH_INVALID", `vertex ${Math.floor(broken / 3)} is no place: it has ${positions[broken]}`);
}
