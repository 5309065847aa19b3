// Where the nodes of a file put its meshes.

import { type GLTF, MathUtils, type mat4, type vec3, type vec4 } from "@gltf-transform/core";
import { entries, entry, type Gltf, most, tooLargeGlb, unreadableGlb } from "./gltf.ts";

/** Sixteen numbers, column after column. */
export type Matrix = readonly number[];

/** A mesh, and where it stands. */
export interface Placed {
  readonly mesh: number;
  readonly name: string;
  readonly matrix: Matrix;
}

/** The meshes of the default scene, in the order of its nodes. */
export function placeMeshes(gltf: Gltf): Placed[] {
  const nodes = entries(gltf, "nodes");
  const meshes = entries(gltf, "meshes");
  const parents = parentsOf(nodes);
  const scenes = entries(gltf, "scenes");
  const roots = (scenes.length > 0 ? entry(scenes, gltf.scene ?? 0, "scene").nodes : undefined) ?? [];
  const from = [...new Set(list(roots, "a scene's nodes"))];
  for (const index of from) entry(nodes, index, "node");
  requireEnds(parents, from);
  // What stands in another node is reached from there.
  const waiting = from
    .filter((index) => parents[index] === -1)
    .map((index) => ({ index, matrix: matrixOf(nodes[index]!, index) }));
  const placed: Placed[] = [];
  for (const { index, matrix } of waiting) {
    const node = nodes[index]!;
    if (node.mesh !== undefined) {
      const { name = "" } = entry(meshes, node.mesh, "mesh");
      placed.push({ mesh: node.mesh, name: String(node.name || name || `node ${index}`).slice(0, 200), matrix });
    }
    for (const child of node.children ?? [])
      waiting.push({ index: child, matrix: multiply(matrix, matrixOf(nodes[child]!, child)) });
  }
  return placed;
}

/** The node that each node stands in, -1 for none; throws when one stands in two. */
function parentsOf(nodes: readonly GLTF.INode[]): Int32Array {
  const parents = new Int32Array(nodes.length).fill(-1);
  for (const [index, { children }] of nodes.entries())
    for (const child of list(children ?? [], `the children of node ${index}`)) {
      entry(nodes, child, "node");
      if (parents[child] !== -1)
        throw unreadableGlb(`its node ${child} stands in two others, ${parents[child]} and ${index}`);
      parents[child] = index;
    }
  return parents;
}

/** Throws when the way up from one of these nodes goes round; no node is walked over twice. */
function requireEnds(parents: Int32Array, from: readonly number[]): void {
  const walks = new Int32Array(parents.length).fill(-1);
  for (const [walk, start] of from.entries())
    for (let node = start; node !== -1 && walks[node] === -1; node = parents[node]!) {
      walks[node] = walk;
      if (walks[parents[node]!] === walk) throw unreadableGlb(`its nodes go round in a circle at node ${node}`);
    }
}

function list(value: unknown, what: string): number[] {
  if (!Array.isArray(value)) throw unreadableGlb(`its description is not sound (${what} are no list)`);
  if (value.length > most.entries) throw tooLargeGlb(`${what} are ${value.length}, and ${most.entries} is the most`);
  return value as number[];
}

function matrixOf(node: GLTF.INode, index: number): Matrix {
  if (node.matrix !== undefined) return numbers(node.matrix, 16, index);
  return MathUtils.compose(
    numbers(node.translation ?? [0, 0, 0], 3, index) as vec3,
    numbers(node.rotation ?? [0, 0, 0, 1], 4, index) as vec4,
    numbers(node.scale ?? [1, 1, 1], 3, index) as vec3,
    new Array(16).fill(0) as mat4,
  );
}

function numbers(value: unknown, length: number, node: number): number[] {
  if (!Array.isArray(value) || value.length !== length || !value.every((each) => typeof each === "number"))
    throw unreadableGlb(`its node ${node} has a place that is not ${length} numbers`);
  return value as number[];
}

function multiply(a: Matrix, b: Matrix): Matrix {
  return Array.from({ length: 16 }, (_, at) => {
    const [row, column] = [at % 4, Math.floor(at / 4) * 4];
    return (
      a[row]! * b[column]! + a[row + 4]! * b[column + 1]! + a[row + 8]! * b[column + 2]! + a[row + 12]! * b[column + 3]!
    );
  });
}

/** Of a matrix's upper left three rows and columns. */
export function determinant(m: Matrix): number {
  const minor = (a: number, b: number, c: number, d: number) => m[a]! * m[b]! - m[c]! * m[d]!;
  return m[0]! * minor(5, 10, 6, 9) - m[4]! * minor(1, 10, 2, 9) + m[8]! * minor(1, 6, 2, 5);
}
