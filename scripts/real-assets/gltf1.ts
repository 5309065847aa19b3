// glTF 1.0, as much of it as a truck of 2015 needs: nodes with matrices, meshes, and nothing else.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Material, Model } from "@loopwright/mesh";

interface Old {
  scene: string;
  scenes: Record<string, { nodes: string[] }>;
  nodes: Record<string, { matrix?: number[]; meshes?: string[]; children?: string[]; translation?: number[] }>;
  meshes: Record<
    string,
    { name: string; primitives: { attributes: { POSITION: string }; indices: string; material: string }[] }
  >;
  accessors: Record<string, { bufferView: string; byteOffset: number; byteStride: number; count: number }>;
  bufferViews: Record<string, { buffer: string; byteOffset: number }>;
  buffers: Record<string, { uri: string }>;
  materials: Record<string, { name: string; values?: { diffuse?: number[] | string } }>;
}

/** Reads the triangles of a glTF 1.0 file, each mesh a part. */
export function readGltf1(path: string): Model {
  const old = JSON.parse(readFileSync(path, "utf8")) as Old;
  const files = new Map(
    Object.entries(old.buffers).map(([id, { uri }]) => [id, readFileSync(join(dirname(path), uri))]),
  );
  const names = Object.keys(old.materials);
  const [positions, triangles]: [number[], number[]] = [[], []];
  const parts: Model["parts"][number][] = [];
  const bytesOf = (id: string) => {
    const { bufferView, byteOffset, byteStride, count } = old.accessors[id]!;
    const view = old.bufferViews[bufferView]!;
    return { bytes: files.get(view.buffer)!.subarray(view.byteOffset + byteOffset), stride: byteStride, count };
  };
  const visit = (id: string, outer: readonly number[]) => {
    const { matrix = identity, meshes = [], children = [] } = old.nodes[id]!;
    const own = multiply(outer, matrix);
    for (const { name, primitives } of meshes.map((mesh) => old.meshes[mesh]!))
      for (const { attributes, indices, material } of primitives) {
        const [places, corners] = [bytesOf(attributes.POSITION), bytesOf(indices)];
        const [base, first] = [positions.length / 3, triangles.length / 3];
        for (let at = 0; at < places.count; at += 1) {
          const [x, y, z] = [0, 4, 8].map((byte) => places.bytes.readFloatLE(at * (places.stride || 12) + byte)) as [
            number,
            number,
            number,
          ];
          const row = (from: number) => own[from]! * x + own[from + 4]! * y + own[from + 8]! * z + own[from + 12]!;
          positions.push(row(0), -row(2), row(1));
        }
        for (let at = 0; at < corners.count; at += 1) triangles.push(base + corners.bytes.readUInt16LE(at * 2));
        parts.push({ name, material: names.indexOf(material), first, count: corners.count / 3 });
      }
    for (const child of children) visit(child, own);
  };
  for (const node of old.scenes[old.scene]!.nodes) visit(node, identity);
  const materials = Object.values(old.materials).map(materialOf);
  return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles), parts, materials };
}

const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** Both by columns, as glTF has them. */
function multiply(a: readonly number[], b: readonly number[]): number[] {
  return identity.map((_, at) => {
    const [row, column] = [at % 4, at - (at % 4)];
    return [0, 1, 2, 3].reduce((sum, each) => sum + a[row + each * 4]! * b[column + each]!, 0);
  });
}

function materialOf({ name, values }: Old["materials"][string]): Material {
  const [r = 0.6, g = 0.6, b = 0.6] = Array.isArray(values?.diffuse) ? values.diffuse : [];
  return { name, color: [r, g, b, 1], metallic: 0, roughness: 0.6, isTransparent: false, isDoubleSided: false };
}
