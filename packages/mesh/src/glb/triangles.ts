// The triangles of a checked file, where its nodes put them. glTF has y up: (x, y, z) there is (x, -z, y) here.

import {
  type Accessor,
  type Extension,
  type GLTF,
  type JSONDocument,
  Logger,
  NodeIO,
  Primitive,
  type Root,
} from "@gltf-transform/core";
import type { Mesh, Part } from "../mesh.ts";
import { extensionOf, type GlbFile, type Gltf, most, tooLargeGlb, unreadableGlb } from "./gltf.ts";
import { determinant, type Matrix, placeMeshes } from "./scene.ts";

/** The triangles of a file's default scene, as one mesh. */
export type Triangles = Mesh & { uvs?: Float32Array; parts: Part[] };

/** Reads the triangles of a file that was checked; with decoders where the file is compressed. */
export async function readTriangles(file: GlbFile): Promise<Triangles> {
  const io = new NodeIO().setLogger(new Logger(Logger.Verbosity.SILENT));
  const names = compressionsIn(file.gltf);
  if (names.length > 0) {
    const { extensions, dependencies } = await decoders(names);
    io.registerExtensions(extensions).registerDependencies(dependencies);
  }
  const document = await io.readJSON(geometryOnly(file, names));
  return join(placeParts(file.gltf, document.getRoot()));
}

/** A file's description without all that has nothing to do with where its triangles are. */
function geometryOnly({ gltf, buffers }: GlbFile, compressions: string[]): JSONDocument {
  const isPlace = (name: string) => name === "POSITION" || name.startsWith("TEXCOORD_");
  const only = (attributes: Record<string, number>) =>
    Object.fromEntries(Object.entries(attributes).filter(([name]) => isPlace(name)));
  const json = {
    asset: { version: "2.0" },
    extensionsUsed: compressions,
    extensionsRequired: compressions,
    buffers: (gltf.buffers ?? []).map((buffer, index) => ({ ...buffer, uri: `buffer-${index}` })),
    bufferViews: gltf.bufferViews ?? [],
    accessors: gltf.accessors ?? [],
    meshes: (gltf.meshes ?? []).map(({ primitives }) => ({
      primitives: primitives.map(({ attributes, indices, mode, extensions }) => {
        const draco = extensions?.KHR_draco_mesh_compression as { attributes: Record<string, number> } | undefined;
        const packed = draco && { KHR_draco_mesh_compression: { ...draco, attributes: only(draco.attributes) } };
        return {
          attributes: only(attributes),
          ...(indices === undefined ? {} : { indices }),
          ...(mode === undefined ? {} : { mode }),
          ...(packed && { extensions: packed }),
        };
      }),
    })),
  };
  // Copies, since the reader cannot take bytes that stand at an odd place of a larger buffer.
  const resources = Object.fromEntries(buffers.map((bytes, index) => [`buffer-${index}`, Uint8Array.from(bytes)]));
  return { json, resources } as unknown as JSONDocument;
}

/** One part in one place. */
interface PlacedPart {
  readonly name: string;
  readonly material: number | undefined;
  readonly primitive: Primitive;
  readonly places: Accessor;
  readonly matrix: Matrix;
  readonly uvs: TexturePlaces | undefined;
}

function placeParts(gltf: Gltf, root: Root): PlacedPart[] {
  const meshes = root.listMeshes();
  const parts: PlacedPart[] = [];
  for (const { mesh, name, matrix } of placeMeshes(gltf)) {
    for (const [at, primitive] of meshes[mesh]!.listPrimitives().entries()) {
      const places = primitive.getAttribute("POSITION");
      if (places?.getElementSize() !== 3) continue;
      const { material } = gltf.meshes![mesh]!.primitives[at]!;
      const uvs = readTexturePlaces(primitive, gltf.materials?.[material as number]);
      parts.push({ name, material, primitive, places, matrix, uvs });
      if (parts.length > most.entries) throw tooLargeGlb(`it has more than ${most.entries} parts in its scene`);
    }
  }
  return parts;
}

function join(parts: readonly PlacedPart[]): Triangles {
  const vertices = parts.reduce((sum, { places }) => sum + places.getCount(), 0);
  const corners = parts.reduce((sum, { primitive, places }) => sum + cornersIn(primitive, places), 0);
  if (vertices * 5 + corners > most.numbers)
    throw tooLargeGlb(
      `it has ${Math.floor(corners / 3)} triangles and ${vertices} vertices when every part stands in its place`,
    );
  const mesh: Triangles = { positions: new Float32Array(vertices * 3), triangles: new Uint32Array(corners), parts: [] };
  if (parts.some(({ uvs }) => uvs)) mesh.uvs = new Float32Array(vertices * 2).fill(Number.NaN);
  let [vertex, corner] = [0, 0];
  for (const part of parts) {
    const count = writeTriangles(part, vertex, mesh.triangles.subarray(corner));
    if (mesh.uvs) part.uvs?.(mesh.uvs.subarray(vertex * 2));
    writePlaces(part, mesh.positions.subarray(vertex * 3));
    mesh.parts.push({ name: part.name, material: part.material, first: corner / 3, count: count / 3 });
    vertex += part.places.getCount();
    corner += count;
  }
  return mesh;
}

function writePlaces({ places, matrix }: PlacedPart, to: Float32Array): void {
  const m = (index: number) => matrix[index]!;
  const place = [0, 0, 0];
  for (let vertex = 0; vertex < places.getCount(); vertex += 1) {
    const [x, y, z] = places.getElement(vertex, place) as [number, number, number];
    to[vertex * 3] = m(0) * x + m(4) * y + m(8) * z + m(12);
    to[vertex * 3 + 1] = 0 - (m(2) * x + m(6) * y + m(10) * z + m(14));
    to[vertex * 3 + 2] = m(1) * x + m(5) * y + m(9) * z + m(13);
  }
}

/** Writes a part's triangles, the other way round where it is mirrored; the result is how many corners they have. */
function writeTriangles({ primitive, places, matrix }: PlacedPart, base: number, to: Uint32Array): number {
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

/** Writes two numbers for each vertex. */
type TexturePlaces = (to: Float32Array) => void;

/** The texture places of a part; undefined where it has none. */
function readTexturePlaces(primitive: Primitive, material: GLTF.IMaterial | undefined): TexturePlaces | undefined {
  const info = material?.pbrMetallicRoughness?.baseColorTexture;
  const move = extensionOf(info ?? {}, "KHR_texture_transform") ?? {};
  const accessor = primitive.getAttribute(`TEXCOORD_${Number(move.texCoord ?? info?.texCoord ?? 0)}`);
  if (accessor?.getElementSize() !== 2) return undefined;
  const [offsetU, offsetV] = pair(move.offset, 0);
  const [scaleU, scaleV] = pair(move.scale, 1);
  const angle = typeof move.rotation === "number" ? move.rotation : 0;
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  return (to) => {
    const place = [0, 0];
    for (let vertex = 0; vertex < accessor.getCount() && vertex * 2 < to.length; vertex += 1) {
      accessor.getElement(vertex, place);
      const [u, v] = [place[0]! * scaleU, place[1]! * scaleV];
      to[vertex * 2] = u * cosine + v * sine + offsetU;
      to[vertex * 2 + 1] = v * cosine - u * sine + offsetV;
    }
  };
}

function pair(value: unknown, otherwise: number): [number, number] {
  const [u, v] = Array.isArray(value) ? value : [];
  return [typeof u === "number" ? u : otherwise, typeof v === "number" ? v : otherwise];
}

const DRACO = "KHR_draco_mesh_compression";
const MESHOPT = "EXT_meshopt_compression";

/** The compressions that a file's views and parts really use. */
export function compressionsIn({ bufferViews = [], meshes = [] }: Gltf): string[] {
  const hasDraco = meshes.some(({ primitives }) => primitives.some(({ extensions }) => extensions?.[DRACO]));
  const hasMeshopt = bufferViews.some(({ extensions }) => extensions?.[MESHOPT]);
  return [...(hasDraco ? [DRACO] : []), ...(hasMeshopt ? [MESHOPT] : [])];
}

/** The decoders for these compressions. */
async function decoders(names: readonly string[]) {
  const { EXTMeshoptCompression, KHRDracoMeshCompression } = await import("@gltf-transform/extensions");
  const extensions: (typeof Extension)[] = [];
  const dependencies: Record<string, unknown> = {};
  if (names.includes(DRACO)) {
    extensions.push(KHRDracoMeshCompression);
    const { default: draco } = await import("draco3dgltf");
    dependencies["draco3d.decoder"] = await draco.createDecoderModule();
  }
  if (names.includes(MESHOPT)) {
    extensions.push(EXTMeshoptCompression);
    const { MeshoptDecoder } = await import("meshoptimizer/decoder");
    await MeshoptDecoder.ready;
    dependencies["meshopt.decoder"] = MeshoptDecoder;
  }
  return { extensions, dependencies };
}
