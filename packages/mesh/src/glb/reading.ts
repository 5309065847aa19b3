// The triangles of a binary glTF file, where its nodes put them. glTF has y up: (x, y, z) there is (x, -z, y) here.

import { type Accessor, Logger, type mat4, NodeIO, Primitive, type Scene, type vec3 } from "@gltf-transform/core";
import type { Mesh } from "../mesh.ts";
import { MOST_NUMBERS, requireWhole, unreadableGlb } from "./file.ts";

/** The triangles of the default scene of a binary glTF file, as one mesh. */
export async function readGlb(bytes: Uint8Array): Promise<Mesh> {
  // A copy, since the reader cannot take bytes that stand at an odd place of a larger buffer.
  const file = Uint8Array.from(bytes);
  requireWhole(file);
  const document = await new NodeIO().setLogger(new Logger(Logger.Verbosity.SILENT)).readBinary(file);
  const root = document.getRoot();
  return joinParts(partsOf(root.getDefaultScene() ?? root.listScenes()[0]));
}

/** One primitive of one node, and the matrix that puts it into the scene. */
interface Part {
  readonly primitive: Primitive;
  readonly places: Accessor;
  readonly matrix: mat4;
}

function partsOf(scene: Scene | undefined): Part[] {
  const parts: Part[] = [];
  const waiting = (scene?.listChildren() ?? []).map((node) => ({ node, matrix: node.getMatrix() }));
  for (const { node, matrix } of waiting) {
    for (const primitive of node.getMesh()?.listPrimitives() ?? []) {
      const places = primitive.getAttribute("POSITION");
      if (places?.getElementSize() === 3) parts.push({ primitive, places, matrix });
    }
    for (const child of node.listChildren()) waiting.push({ node: child, matrix: multiply(matrix, child.getMatrix()) });
  }
  return parts;
}

function joinParts(parts: readonly Part[]): Mesh {
  const vertices = parts.reduce((sum, { places }) => sum + places.getCount(), 0);
  const corners = parts.reduce((sum, { primitive, places }) => sum + cornersIn(primitive, places), 0);
  if (vertices * 3 + corners > MOST_NUMBERS) throw unreadableGlb("it has too many triangles");
  const mesh = { positions: new Float32Array(vertices * 3), triangles: new Uint32Array(corners) };
  let [vertex, corner] = [0, 0];
  for (const part of parts) {
    corner += writeTriangles(part, vertex, mesh.triangles.subarray(corner));
    vertex += writePlaces(part, mesh.positions.subarray(vertex * 3));
  }
  return mesh;
}

/** Writes a part's places; the result is how many vertices it has. */
function writePlaces({ places, matrix: m }: Part, to: Float32Array): number {
  const place: vec3 = [0, 0, 0];
  for (let vertex = 0; vertex < places.getCount(); vertex += 1) {
    const [x, y, z] = places.getElement(vertex, place);
    to[vertex * 3] = m[0] * x + m[4] * y + m[8] * z + m[12];
    to[vertex * 3 + 1] = 0 - (m[2] * x + m[6] * y + m[10] * z + m[14]);
    to[vertex * 3 + 2] = m[1] * x + m[5] * y + m[9] * z + m[13];
  }
  return places.getCount();
}

/** Writes a part's triangles, the other way round where it is mirrored; the result is how many corners they have. */
function writeTriangles({ primitive, places, matrix }: Part, base: number, to: Uint32Array): number {
  const corners = trianglesOf(primitive, places.getCount());
  const [second, third] = determinant(matrix) < 0 ? [2, 1] : [1, 2];
  for (let at = 0; at < corners.length; at += 3) {
    to[at] = base + corners[at]!;
    to[at + 1] = base + corners[at + second]!;
    to[at + 2] = base + corners[at + third]!;
  }
  return corners.length;
}

/** How many corners the triangles of a primitive have: three each. */
function cornersIn(primitive: Primitive, places: Accessor): number {
  const indices = primitive.getIndices()?.getCount() ?? places.getCount();
  const mode = primitive.getMode();
  if (mode === Primitive.Mode.TRIANGLES) return Math.floor(indices / 3) * 3;
  const hasTriangles = mode === Primitive.Mode.TRIANGLE_STRIP || mode === Primitive.Mode.TRIANGLE_FAN;
  return hasTriangles ? Math.max(0, indices - 2) * 3 : 0;
}

/** Three vertex indices a triangle, from a list, a strip or a fan; none for points and lines. */
function trianglesOf(primitive: Primitive, vertices: number): Uint32Array {
  const given = primitive.getIndices()?.getArray();
  const indices = given ? Uint32Array.from(given) : Uint32Array.from({ length: vertices }, (_, vertex) => vertex);
  if (indices.some((vertex) => vertex >= vertices)) throw unreadableGlb("a triangle names a vertex that is not there");
  const mode = primitive.getMode();
  if (mode === Primitive.Mode.TRIANGLES) return indices.subarray(0, indices.length - (indices.length % 3));
  const triangles: number[] = [];
  for (let at = 0; at + 2 < indices.length; at += 1) {
    const [a, b, c] = [indices[at]!, indices[at + 1]!, indices[at + 2]!];
    // Every second triangle of a strip runs the other way round.
    if (mode === Primitive.Mode.TRIANGLE_STRIP) triangles.push(a, ...(at % 2 === 0 ? [b, c] : [c, b]));
    else if (mode === Primitive.Mode.TRIANGLE_FAN) triangles.push(indices[0]!, b, c);
  }
  return Uint32Array.from(triangles);
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
