// Meshes as binary glTF files. glTF has y up: (x, y, z) here is (x, z, -y) there.

import { Document, Logger, NodeIO } from "@gltf-transform/core";
import { UsageError } from "@loopwright/core";
import type { Mesh } from "../mesh.ts";
import { glbToModel } from "./model.ts";
import { writeParts } from "./write.ts";

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
