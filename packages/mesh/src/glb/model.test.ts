import { Document, type Extension, Logger, NodeIO } from "@gltf-transform/core";
import { EXTMeshoptCompression, KHRDracoMeshCompression, KHRMeshQuantization } from "@gltf-transform/extensions";
import draco from "draco3dgltf";
import { MeshoptEncoder } from "meshoptimizer/encoder";
import { describe, expect, it } from "vitest";
import { car, WHEELS } from "../../../../test/fakes/car.ts";
import { makeGlb, oneTriangle, triangleData } from "../../../../test/fakes/glb.ts";
import { checkMesh } from "../checks/check.ts";
import { boundsOf, type Mesh } from "../mesh.ts";
import { pictureToPng } from "../png.ts";
import { glbToModel } from "./model.ts";
import { meshToGlb } from "./write.ts";

const picture = pictureToPng({ width: 5, height: 3, channels: 3, data: new Uint8Array(45).fill(200) });
const good = car(1);

/** The car as another program would write it: a mesh and a node for each part, two materials, one of them with a texture. */
function carDocument({
  places = (array: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> | Int16Array<ArrayBuffer> => array,
} = {}): Document {
  const document = new Document();
  const buffer = document.createBuffer();
  const texture = document.createTexture("skin").setImage(picture).setMimeType("image/png");
  const materials = good.materials!.map(({ name, color, metallic, roughness }) =>
    document
      .createMaterial(name)
      .setBaseColorFactor([...color])
      .setMetallicFactor(metallic)
      .setRoughnessFactor(roughness),
  );
  materials[0]!.setBaseColorTexture(texture);
  const scene = document.createScene();
  for (const { name, material, first, count } of good.parts!) {
    const corners = good.triangles.subarray(first * 3, (first + count) * 3);
    const least = Math.min(...corners);
    const vertices = Math.max(...corners) - least + 1;
    const positions = Float32Array.from({ length: vertices * 3 }, (_, at) => {
      const from = (least + Math.floor(at / 3)) * 3;
      // glTF has y up.
      return [good.positions[from]!, good.positions[from + 2]!, -good.positions[from + 1]!][at % 3]!;
    });
    const packed = places(positions);
    const primitive = document
      .createPrimitive()
      .setMaterial(materials[material!]!)
      .setAttribute(
        "POSITION",
        document
          .createAccessor()
          .setType("VEC3")
          .setArray(packed)
          .setNormalized(packed instanceof Int16Array)
          .setBuffer(buffer),
      )
      .setAttribute(
        "TEXCOORD_0",
        document
          .createAccessor()
          .setType("VEC2")
          .setArray(good.uvs!.slice(least * 2, (least + vertices) * 2))
          .setBuffer(buffer),
      )
      // What artists export has normals too.
      .setAttribute(
        "NORMAL",
        document
          .createAccessor()
          .setType("VEC3")
          .setArray(Float32Array.from({ length: vertices * 3 }, (_, at) => (at % 3 === 1 ? 1 : 0)))
          .setBuffer(buffer),
      )
      .setIndices(
        document
          .createAccessor()
          .setType("SCALAR")
          .setArray(Uint16Array.from(corners, (vertex) => vertex - least))
          .setBuffer(buffer),
      );
    const node = document.createNode(name).setMesh(document.createMesh(name).addPrimitive(primitive));
    if (packed instanceof Int16Array) node.setScale([4, 4, 4]);
    scene.addChild(node);
  }
  document.getRoot().setDefaultScene(scene);
  return document;
}

async function write(document: Document, ...extensions: (typeof Extension)[]): Promise<Uint8Array> {
  for (const extension of extensions)
    document.createExtension(extension as unknown as new (doc: Document) => Extension).setRequired(true);
  const io = new NodeIO()
    .setLogger(new Logger(Logger.Verbosity.SILENT))
    .registerExtensions(extensions)
    .registerDependencies({ "draco3d.encoder": await draco.createEncoderModule(), "meshopt.encoder": MeshoptEncoder });
  await MeshoptEncoder.ready;
  return io.writeBinary(document);
}

const quantize = (array: Float32Array) => Int16Array.from(array, (value) => Math.round((value / 4) * 32_767));

const encodings: Record<string, () => Promise<Uint8Array>> = {
  "plain numbers": () => write(carDocument()),
  Draco: () => write(carDocument(), KHRDracoMeshCompression),
  meshopt: () => write(carDocument(), EXTMeshoptCompression),
  "quantized numbers": () => write(carDocument({ places: quantize }), KHRMeshQuantization),
  "quantized numbers with meshopt": () =>
    write(carDocument({ places: quantize }), KHRMeshQuantization, EXTMeshoptCompression),
};

const closeTo = (mesh: Mesh, other: Mesh, tolerance: number) => {
  const [a, b] = [boundsOf(mesh), boundsOf(other)];
  for (const axis of [0, 1, 2]) {
    expect(Math.abs(a.min[axis]! - b.min[axis]!)).toBeLessThan(tolerance);
    expect(Math.abs(a.max[axis]! - b.max[axis]!)).toBeLessThan(tolerance);
  }
};

describe("a model", () => {
  it.each(Object.entries(encodings))(
    "is read from %s: the same car, its parts, texture places and materials",
    async (_, encode) => {
      const model = await glbToModel(await encode());
      closeTo(model, good, 2e-3);
      expect(model.triangles.length).toBe(good.triangles.length);
      expect(model.parts.map(({ name }) => name)).toEqual(["body", ...WHEELS]);
      expect(model.parts.map(({ count }) => count)).toEqual(good.parts!.map(({ count }) => count));
      expect(model.materials).toMatchObject([
        {
          name: "paint",
          metallic: 0.2,
          roughness: 0.4,
          texture: { name: "skin", type: "image/png", width: 5, height: 3 },
        },
        { name: "rubber", metallic: 0, roughness: 0.9, isTransparent: false },
      ]);
      expect(model.materials[0]!.color[0]).toBeCloseTo(0.55, 5);
      expect(model.materials[0]!.texture!.bytes).toEqual(picture);
      expect(model.parts.map(({ material }) => material)).toEqual([0, 1, 1, 1, 1]);
      const { volume, parts, uvOverlap } = checkMesh(model);
      expect(volume).toBeCloseTo(checkMesh(good).volume, 1);
      expect(parts).toBe(5);
      expect(uvOverlap).toBeLessThan(0.05);
      expect(model.uvs!.length).toBe((model.positions.length / 3) * 2);
    },
  );

  it("in compressed form is really compressed, and the same every time", async () => {
    const [plain, packed] = [await encodings["plain numbers"]!(), await encodings.Draco!()];
    expect(packed.length).toBeLessThan(plain.length / 4);
    const [one, other] = [await glbToModel(packed), await glbToModel(packed)];
    expect(one).toEqual(other);
    expect(checkMesh(one).findings).toEqual([]);
  });

  it("has the findings that its defect has, through every encoding", async () => {
    const lifted = carDocument();
    for (const node of lifted.getRoot().listNodes()) node.setTranslation([0, 0.4, 0]);
    const model = await glbToModel(await write(lifted, KHRDracoMeshCompression));
    expect(checkMesh(model).findings.map(({ code }) => code)).toEqual(["GEO_FLOATING"]);
  });

  it("is moved in its texture as its material says", async () => {
    const gltf = { ...oneTriangle() } as ReturnType<typeof oneTriangle> & Record<string, unknown>;
    gltf.meshes[0]!.primitives[0]!.attributes.TEXCOORD_1 = 2;
    gltf.accessors.push({ bufferView: 2, componentType: 5126, count: 3, type: "VEC2" });
    gltf.bufferViews.push({ buffer: 0, byteOffset: 48, byteLength: 24 });
    gltf.buffers[0]!.byteLength = 72;
    Object.assign(gltf.meshes[0]!.primitives[0]!, { material: 0 });
    gltf.materials = [
      {
        pbrMetallicRoughness: {
          baseColorTexture: {
            index: 0,
            extensions: {
              KHR_texture_transform: { offset: [0.5, 0.25], rotation: Math.PI / 2, scale: [2, 4], texCoord: 1 },
            },
          },
        },
      },
    ];
    gltf.extensionsRequired = ["KHR_texture_transform"];
    const data = Buffer.concat([triangleData, Buffer.from(Float32Array.of(0, 0, 0.1, 0, 0, 0.1).buffer)]);
    const { uvs, materials } = await glbToModel(makeGlb(gltf, data));
    const expected = [0.5, 0.25, 0.5, 0.25 - 0.2, 0.5 + 0.4, 0.25];
    for (const [at, value] of expected.entries()) expect(uvs![at]).toBeCloseTo(value, 5);
    expect(materials[0]!.texture).toMatchObject({ missing: "there is no picture undefined", isRepeated: true });
  });

  it("has the places that a sparse accessor changes", async () => {
    const gltf = oneTriangle();
    gltf.accessors[0] = {
      ...gltf.accessors[0]!,
      sparse: { count: 1, indices: { bufferView: 2, componentType: 5123 }, values: { bufferView: 3 } },
    } as never;
    gltf.bufferViews.push({ buffer: 0, byteOffset: 48, byteLength: 2 }, { buffer: 0, byteOffset: 52, byteLength: 12 });
    gltf.buffers[0]!.byteLength = 64;
    const data = Buffer.concat([
      triangleData,
      Buffer.from(Uint16Array.of(2, 0).buffer),
      Buffer.from(Float32Array.of(7, 8, 9).buffer),
    ]);
    const { positions } = await glbToModel(makeGlb(gltf, data));
    expect([...positions]).toEqual([0, 0, 0, 1, 0, 0, 7, -9, 8]);
  });

  it("stands wherever its nodes do, and is sheared by a matrix that shears", async () => {
    const twice = oneTriangle();
    twice.nodes = [
      { children: [1, 2] },
      { mesh: 0 },
      { mesh: 0, matrix: [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 10, 0, 1] } as never,
    ];
    const sheared = await glbToModel(makeGlb(twice, triangleData));
    expect([...sheared.positions.subarray(9)]).toEqual([0, 0, 10, 1, 0, 10, 0.5, 0, 11]);
    expect(sheared.parts).toHaveLength(2);
  });

  it("is turned to +x from whichever way it faces, given or found", async () => {
    // A car that faces along glTF's +z, as the format has it: its length is along -y here.
    const turned = {
      ...good,
      positions: good.positions.map(
        (_, at) => [good.positions[at + 1]!, -good.positions[at - 1]!, good.positions[at]!][at % 3]!,
      ),
    };
    const facesZ = await meshToGlb(turned);
    expect(checkMesh(await glbToModel(facesZ)).mirror).toBe("x");
    for (const forward of ["+z", "found"] as const) {
      const model = await glbToModel(facesZ, { forward });
      closeTo(model, good, 1e-6);
      expect(checkMesh(model, { checks: ["size", "symmetry", "ground"] })).toMatchObject({ mirror: "y", findings: [] });
    }
    const facesX = await meshToGlb(good);
    closeTo(await glbToModel(facesX, { forward: "found" }), good, 1e-6);
    closeTo(await glbToModel(facesX, { forward: "+x" }), good, 1e-6);
    const nose = (mesh: Mesh) => boundsOf(mesh).max[0];
    const ahead = { ...good, positions: good.positions.map((value, at) => (at % 3 === 0 ? value + 1 : value)) };
    const bytes = await meshToGlb(ahead);
    expect(nose(await glbToModel(bytes, { forward: "-x" }))).toBeCloseTo(nose(good) - 1, 5);
    expect(boundsOf(await glbToModel(bytes, { forward: "-z" })).max[1]).toBeCloseTo(-1 + nose(good), 5);
  });

  it("has a texture that is outside of its file told as missing, and never reads it", async () => {
    const gltf = {
      ...oneTriangle(),
      images: [{ uri: "/etc/hostname", name: "host" }],
      textures: [{ source: 0 }],
    } as Record<string, unknown>;
    gltf.materials = [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }];
    const model = await glbToModel(makeGlb(gltf, triangleData));
    expect(model.materials[0]!.texture).toMatchObject({ missing: "'host' is outside of the file: /etc/hostname" });
    expect(model.materials[0]!.texture!.bytes).toHaveLength(0);
    expect(checkMesh(model, { checks: ["textures"] }).findings).toMatchObject([
      {
        code: "MAT_MISSING_TEXTURES",
        severity: "hard",
        message: "1 texture missing: 'host' is outside of the file: /etc/hostname",
      },
    ]);
  });
});
