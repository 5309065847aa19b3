// The triangles of a binary glTF file, where its nodes put them. glTF has y up: (x, y, z) there is (x, -z, y) here.

import { type Accessor, Logger, type mat4, NodeIO, Primitive, type vec3 } from "@gltf-transform/core";
import { MOST_NUMBERS, requireWhole, unreadableGlb } from "./glb-file.ts";
import type { Mesh } from "./mesh.ts";

/** The triangles of the default scene of a binary glTF file, as one mesh. */
export async function readGlb(bytes: Uint8Array): Promise<Mesh> {
  // A copy, since the reader cannot take bytes that stand at an odd place of a larger buffer.
  const file = Uint8Array.from(bytes);
  requireWhole(file);
  const document = await new NodeIO().setLogger(new Logger(Logger.Verbosity.SILENT)).readBinary(file);
  const root = document.getRoot();
  const scene = root.getDefaultScene() ?? root.listScenes()[0];
  const growing: Growing = { positions: [], triangles: [] };
  const waiting = (scene?.listChildren() ?? []).map((node) => ({ node, matrix: node.getMatrix() }));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, matrix } = next;
    for (const primitive of node.getMesh()?.listPrimitives() ?? []) addPrimitive(growing, primitive, matrix);
    const children = node.listChildren().map((child) => ({ node: child, matrix: multiply(matrix, child.getMatrix()) }));
    waiting.push(...children.reverse());
  }
  return { positions: Float32Array.from(growing.positions), triangles: Uint32Array.from(growing.triangles) };
}

interface Growing {
  readonly positions: number[];
  readonly triangles: number[];
}

function addPrimitive({ positions, triangles }: Growing, primitive: Primitive, matrix: mat4): void {
  const places = primitive.getAttribute("POSITION");
  if (places?.getElementSize() !== 3) return;
  const base = positions.length / 3;
  const corners = trianglesOf(primitive, places.getCount());
  if (positions.length + triangles.length + places.getCount() * 3 + corners.length > MOST_NUMBERS)
    throw unreadableGlb("it has too many triangles");
  addPlaces(positions, places, matrix);
  const isMirrored = determinant(matrix) < 0;
  for (let at = 0; at + 2 < corners.length; at += 3) {
    const [a, b, c] = [corners[at]!, corners[at + 1]!, corners[at + 2]!];
    if (Math.max(a, b, c) >= places.getCount()) throw unreadableGlb("a triangle names a vertex that is not there");
    triangles.push(base + a, base + (isMirrored ? c : b), base + (isMirrored ? b : c));
  }
}

function addPlaces(positions: number[], places: Accessor, m: mat4): void {
  const place: vec3 = [0, 0, 0];
  for (let vertex = 0; vertex < places.getCount(); vertex += 1) {
    const [x, y, z] = places.getElement(vertex, place);
    positions.push(
      m[0] * x + m[4] * y + m[8] * z + m[12],
      0 - (m[2] * x + m[6] * y + m[10] * z + m[14]),
      m[1] * x + m[5] * y + m[9] * z + m[13],
    );
  }
}

/** Three vertex indices a triangle, from a list, a strip or a fan; none for points and lines. */
function trianglesOf(primitive: Primitive, vertices: number): number[] {
  const indices = primitive.getIndices()?.getArray() ?? Uint32Array.from({ length: vertices }, (_, vertex) => vertex);
  const mode = primitive.getMode();
  if (mode === Primitive.Mode.TRIANGLES) return [...indices];
  const triangles: number[] = [];
  for (let at = 0; at + 2 < indices.length; at += 1) {
    const [a, b, c] = [indices[at]!, indices[at + 1]!, indices[at + 2]!];
    // Every second triangle of a strip runs the other way round.
    if (mode === Primitive.Mode.TRIANGLE_STRIP) triangles.push(a, ...(at % 2 === 0 ? [b, c] : [c, b]));
    else if (mode === Primitive.Mode.TRIANGLE_FAN) triangles.push(indices[0]!, b, c);
  }
  return triangles;
}

function multiply(a: mat4, b: mat4): mat4 {
  return Array.from({ length: 16 }, (_, at) => {
    const [row, column] = [at % 4, Math.floor(at / 4) * 4];
    return (
      a[row]! * b[column]! + a[row + 4]! * b[column + 1]! + a[row + 8]! * b[column + 2]! + a[row + 12]! * b[column + 3]!
    );
  }) as mat4;
}

/** Of a matrix's upper left three rows and columns. */
function determinant(m: mat4): number {
  return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[4] * (m[1] * m[10] - m[2] * m[9]) + m[8] * (m[1] * m[6] - m[2] * m[5]);
}
