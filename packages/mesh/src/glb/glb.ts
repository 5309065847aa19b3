// Meshes as binary glTF files. glTF has y up: (x, y, z) here is (x, z, -y) there.

import { Document, Logger, NodeIO } from "@gltf-transform/core";
import { UsageError } from "@loopwright/core";
import type { Mesh } from "../mesh.ts";
import { cornerNormals } from "../normals.ts";
import { glbToModel } from "./model.ts";

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
  if (mesh.triangles.length > 0) {
    const buffer = document.createBuffer();
    const { positions, normals, indices } = splitAtCreases(mesh);
    const material = document
      .createMaterial("surface")
      .setBaseColorFactor([0.62, 0.67, 0.72, 1])
      .setMetallicFactor(0)
      .setRoughnessFactor(0.6);
    const primitive = document
      .createPrimitive()
      .setMaterial(material)
      .setAttribute("POSITION", document.createAccessor().setType("VEC3").setArray(positions).setBuffer(buffer))
      .setAttribute("NORMAL", document.createAccessor().setType("VEC3").setArray(normals).setBuffer(buffer))
      .setIndices(document.createAccessor().setType("SCALAR").setArray(indices).setBuffer(buffer));
    node.setMesh(document.createMesh(name).addPrimitive(primitive));
  }
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

/** One vertex for each pair of vertex and normal, in glTF's axes; vertices that no triangle uses are left out. */
function splitAtCreases(mesh: Mesh) {
  const corners = cornerNormals(mesh);
  const positions: number[] = [];
  const normals: number[] = [];
  const indices = new Uint32Array(mesh.triangles.length);
  const known = new Map<number, { x: number; y: number; z: number; index: number }[]>();
  for (const [corner, vertex] of mesh.triangles.entries()) {
    const [x, y, z] = [corners[corner * 3]!, corners[corner * 3 + 1]!, corners[corner * 3 + 2]!];
    const here = known.get(vertex) ?? [];
    known.set(vertex, here);
    let split = here.find((other) => other.x === x && other.y === y && other.z === z);
    if (!split) {
      split = { x, y, z, index: positions.length / 3 };
      here.push(split);
      const at = vertex * 3;
      positions.push(mesh.positions[at]!, mesh.positions[at + 2]!, 0 - mesh.positions[at + 1]!);
      normals.push(x, z, 0 - y);
    }
    indices[corner] = split.index;
  }
  const isSmall = positions.length / 3 < 0xffff;
  return {
    positions: Float32Array.from(positions),
    normals: Float32Array.from(normals),
    indices: isSmall ? Uint16Array.from(indices) : indices,
  };
}
