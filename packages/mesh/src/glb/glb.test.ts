import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { Document, NodeIO } from "@gltf-transform/core";
import { UsageError } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { makeGlb, oneTriangle, triangleData } from "../../../../test/fakes/glb.ts";
import { ball, cube, joinMeshes, moveMesh, tetrahedron } from "../../../../test/fakes/shapes.ts";
import { checkMesh } from "../checks/check.ts";
import { boundsOf, type Mesh } from "../mesh.ts";
import { pictureToPng } from "../png.ts";
import { glbToModel } from "./model.ts";
import { glbToMesh, meshToGlb } from "./write.ts";

/** The corners of a mesh's triangles, whatever vertices they use. */
const corners = ({ positions, triangles }: Mesh) =>
  Array.from(triangles, (vertex) => [...positions.subarray(vertex * 3, vertex * 3 + 3)].map((value) => value + 0));

/** The two chunks of a binary glTF, read by the text of the format. */
function chunksOf(bytes: Uint8Array) {
  const file = Buffer.from(bytes);
  expect(file.toString("latin1", 0, 4)).toBe("glTF");
  expect(file.readUInt32LE(4)).toBe(2);
  expect(file.readUInt32LE(8)).toBe(file.length);
  const jsonLength = file.readUInt32LE(12);
  expect(jsonLength % 4).toBe(0);
  expect(file.toString("latin1", 16, 20)).toBe("JSON");
  const bin = 20 + jsonLength;
  const json = JSON.parse(file.toString("utf8", 20, bin));
  if (bin === file.length) return { json, data: Buffer.alloc(0) };
  expect(file.toString("latin1", bin + 4, bin + 8)).toBe("BIN\0");
  expect(file.readUInt32LE(bin) % 4).toBe(0);
  expect(bin + 8 + file.readUInt32LE(bin)).toBe(file.length);
  return { json, data: file.subarray(bin + 8) };
}

const shapes = { cube: cube(2), tetrahedron: tetrahedron(1, 2, 3), ball: ball(1.5, 12) };

describe("a mesh as a binary glTF", () => {
  it.each(Object.entries(shapes))("comes back as the same triangles in the same order: %s", async (_, mesh) => {
    const back = await glbToMesh(await meshToGlb(mesh));
    expect(corners(back)).toEqual(corners(mesh));
    expect(checkMesh(back)).toEqual(checkMesh(mesh));
  });

  it("has y up: the bow stays at +x, up becomes +y, port becomes -z", async () => {
    const { json } = chunksOf(await meshToGlb(moveMesh(cube(2), [10, 20, 30])));
    const position = json.accessors[json.meshes[0].primitives[0].attributes.POSITION];
    expect(position).toMatchObject({ min: [9, 29, -21], max: [11, 31, -19] });
  });

  it("has the chunks, views and accessors that the format asks for", async () => {
    const mesh = ball(1.5, 12);
    const { json, data } = chunksOf(await meshToGlb(mesh, { name: "hull", extras: { score: 0.5, note: "why" } }));
    expect(json.asset).toEqual({ version: "2.0", generator: "Loopwright" });
    expect(json.scenes[json.scene].nodes).toEqual([0]);
    expect(json.nodes).toEqual([{ name: "hull", mesh: 0, extras: { score: 0.5, note: "why" } }]);
    expect(json.buffers).toEqual([{ byteLength: data.length }]);
    expect(json.materials).toHaveLength(1);
    expect(json.materials[0].pbrMetallicRoughness).toMatchObject({ metallicFactor: 0 });
    const [primitive] = json.meshes[0].primitives;
    expect(primitive).toMatchObject({ mode: 4, material: 0 });
    expect(Object.keys(primitive.attributes).sort()).toEqual(["NORMAL", "POSITION"]);
    expect(json.accessors[primitive.indices].count).toBe(mesh.triangles.length);
    for (const view of json.bufferViews) {
      expect(view.byteOffset % 4).toBe(0);
      expect(view.byteOffset + view.byteLength).toBeLessThanOrEqual(data.length);
    }
  });

  it("announces the least and largest position that its data really has", async () => {
    const { json, data } = chunksOf(await meshToGlb(ball(1.5, 12)));
    const { attributes } = json.meshes[0].primitives[0];
    const read = (accessor: { bufferView: number; byteOffset: number; count: number }) => {
      const view = json.bufferViews[accessor.bufferView];
      return Array.from({ length: accessor.count }, (_, at) =>
        [0, 4, 8].map((axis) => data.readFloatLE(view.byteOffset + accessor.byteOffset + at * view.byteStride + axis)),
      );
    };
    const position = json.accessors[attributes.POSITION];
    const places = read(position);
    expect(position.min).toEqual([0, 1, 2].map((axis) => Math.min(...places.map((place) => place[axis]!))));
    expect(position.max).toEqual([0, 1, 2].map((axis) => Math.max(...places.map((place) => place[axis]!))));
    const normals = read(json.accessors[attributes.NORMAL]);
    expect(normals).toHaveLength(places.length);
    for (const [at, normal] of normals.entries()) {
      expect(Math.hypot(...normal)).toBeCloseTo(1, 5);
      // On a ball around the origin a normal points where its vertex is.
      expect(normal.reduce((sum, value, axis) => sum + value * places[at]![axis]!, 0)).toBeGreaterThan(1.45);
    }
  });

  it("shares vertices where the surface is smooth and splits them at creases", async () => {
    const countOf = async (mesh: Mesh) => chunksOf(await meshToGlb(mesh)).json.accessors[0].count;
    expect(await countOf(cube())).toBe(24);
    const smooth = ball(1, 24);
    expect(await countOf(smooth)).toBe(smooth.positions.length / 3);
  });

  it("counts in 32 bits where there are too many vertices for 16", async () => {
    const large = ball(1, 130);
    expect(large.positions.length / 3).toBeLessThan(0xffff);
    const twice = joinMeshes(large, moveMesh(large, [3, 0, 0]), moveMesh(large, [6, 0, 0]));
    expect(chunksOf(await meshToGlb(large)).json.accessors[2].componentType).toBe(5123);
    const bytes = await meshToGlb(twice);
    expect(chunksOf(bytes).json.accessors[2].componentType).toBe(5125);
    expect((await glbToMesh(bytes)).triangles.length).toBe(twice.triangles.length);
  });

  it("has the same bytes every time, and in another process", async () => {
    const mesh = ball(1.25, 20);
    const options = { name: "hull", extras: { b: 1, a: [2, 3] } };
    const bytes = await meshToGlb(mesh, options);
    expect(await meshToGlb(mesh, options)).toEqual(bytes);
    const script = `
      import { createHash } from "node:crypto";
      const { meshToGlb } = await import(${JSON.stringify(new URL("./write.ts", import.meta.url).href)});
      const { ball } = await import(${JSON.stringify(new URL("../../../../test/fakes/shapes.ts", import.meta.url).href)});
      const bytes = await meshToGlb(ball(1.25, 20), ${JSON.stringify(options)});
      console.log(createHash("sha256").update(bytes).digest("hex"));`;
    const other = execFileSync(process.execPath, [
      "--input-type=module",
      "--conditions=loopwright-source",
      "-e",
      script,
    ]);
    expect(other.toString().trim()).toBe(createHash("sha256").update(bytes).digest("hex"));
  });

  it("of nothing is a scene without a mesh", async () => {
    const nothing = { positions: new Float32Array(0), triangles: new Uint32Array(0) };
    const bytes = await meshToGlb(nothing);
    expect(chunksOf(bytes).json.meshes).toBeUndefined();
    expect(await glbToMesh(bytes)).toEqual(nothing);
  });

  it("is not made of a mesh that is not sound", async () => {
    const broken = { ...cube(), positions: cube().positions.with(4, Number.NaN) };
    await expect(meshToGlb(broken)).rejects.toMatchObject({ code: "MESH_INVALID" });
    await expect(meshToGlb(broken)).rejects.toThrow("vertex 1 is no place: it has NaN");
    const astray = { ...cube(), triangles: Uint32Array.of(0, 1, 8) };
    await expect(meshToGlb(astray)).rejects.toThrow("not among the mesh's 8");
    const truncated = { ...cube(), triangles: Uint32Array.of(0, 1) };
    await expect(meshToGlb(truncated)).rejects.toMatchObject({ code: "MESH_INVALID" });
  });
});

describe("a binary glTF of another program", () => {
  /** A document with one part of the given mode, in glTF's own axes. */
  function part(document: Document, positions: number[], indices?: number[], mode = 4) {
    const buffer = document.getRoot().listBuffers()[0] ?? document.createBuffer();
    const places = document.createAccessor().setType("VEC3").setArray(Float32Array.from(positions)).setBuffer(buffer);
    const primitive = document
      .createPrimitive()
      .setMode(mode as 4)
      .setAttribute("POSITION", places);
    if (indices) {
      const list = document.createAccessor().setType("SCALAR").setArray(Uint16Array.from(indices)).setBuffer(buffer);
      primitive.setIndices(list);
    }
    return document.createMesh().addPrimitive(primitive);
  }
  const square = [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0];

  it("is read where its nodes put it, with what is scaled, turned and moved by parents", async () => {
    const document = new Document();
    const box = await new NodeIO().readBinary(await meshToGlb(cube(1)));
    const accessor = box.getRoot().listMeshes()[0]!.listPrimitives()[0]!;
    const mesh = part(
      document,
      [...accessor.getAttribute("POSITION")!.getArray()!],
      [...accessor.getIndices()!.getArray()!],
    );
    const child = document.createNode().setMesh(mesh).setTranslation([5, 0, 0]);
    // A quarter turn about glTF's y: its +x goes to -z, which is port.
    const turned = Math.SQRT1_2;
    const parent = document.createNode().setScale([2, 2, 2]).setRotation([0, turned, 0, turned]).addChild(child);
    document.getRoot().setDefaultScene(document.createScene().addChild(parent));
    const back = await glbToMesh(await new NodeIO().writeBinary(document));
    const { min, max } = boundsOf(back);
    for (const [axis, [least, most]] of [
      [-1, 1],
      [9, 11],
      [-1, 1],
    ].entries()) {
      expect(min[axis]).toBeCloseTo(least!, 5);
      expect(max[axis]).toBeCloseTo(most!, 5);
    }
    expect(checkMesh(back).volume).toBeCloseTo(8, 5);
  });

  it("keeps its outside outside when a node mirrors it", async () => {
    const document = await new NodeIO().readBinary(await meshToGlb(tetrahedron(1, 2, 3)));
    document.getRoot().listNodes()[0]!.setScale([-1, 1, 1]);
    const back = await glbToMesh(await new NodeIO().writeBinary(document));
    expect(checkMesh(back)).toMatchObject({ volume: 1, flippedEdges: 0, boundaryEdges: 0 });
    expect(boundsOf(back).min[0]).toBe(-1);
  });

  it("is read whole: every part of every node of the default scene, and no other scene", async () => {
    const document = new Document();
    const mesh = part(document, square, [0, 1, 2]).addPrimitive(part(document, square, [1, 3, 2]).listPrimitives()[0]!);
    const scene = document.createScene().addChild(document.createNode().setMesh(mesh));
    scene.addChild(document.createNode().setMesh(mesh).setTranslation([0, 0, -4]));
    document.createScene().addChild(document.createNode().setMesh(part(document, square)));
    document.getRoot().setDefaultScene(scene);
    const back = await glbToMesh(await new NodeIO().writeBinary(document));
    expect(back.triangles.length).toBe(4 * 3);
    expect(boundsOf(back)).toEqual({ min: [0, 0, 0], max: [1, 4, 1] });
  });

  it("may list triangles without indices, as a strip or as a fan, and have points and lines beside them", async () => {
    const up = 1 / 2;
    for (const { mode, positions, indices, area } of [
      { mode: 4, positions: square.slice(0, 9), indices: undefined, area: up },
      { mode: 5, positions: square, indices: undefined, area: 2 * up },
      { mode: 6, positions: square, indices: [0, 1, 3, 2], area: 2 * up },
      { mode: 0, positions: square, indices: undefined, area: 0 },
      { mode: 1, positions: square, indices: undefined, area: 0 },
    ]) {
      const document = new Document();
      const node = document.createNode().setMesh(part(document, positions, indices, mode));
      document.getRoot().setDefaultScene(document.createScene().addChild(node));
      const back = await glbToMesh(await new NodeIO().writeBinary(document));
      // The square lies in glTF's xy plane and faces +z, which is starboard: -y here.
      const facing = corners(back).reduce((sum, _, at, all) => {
        if (at % 3 !== 0) return sum;
        const [a, b, c] = all.slice(at, at + 3) as [number[], number[], number[]];
        return sum + ((b[2]! - a[2]!) * (c[0]! - a[0]!) - (b[0]! - a[0]!) * (c[2]! - a[2]!)) / 2;
      }, 0);
      expect(-facing).toBeCloseTo(area, 6);
    }
  });

  it("may stand at an odd place of a larger buffer", async () => {
    const bytes = await meshToGlb(cube());
    const larger = new Uint8Array(bytes.length + 9);
    larger.set(bytes, 5);
    expect(corners(await glbToMesh(larger.subarray(5, 5 + bytes.length)))).toEqual(corners(cube()));
  });

  it("is read from a plain description of one triangle", async () => {
    const { positions, triangles } = await glbToMesh(makeGlb(oneTriangle(), triangleData));
    expect([...positions]).toEqual([0, 0, 0, 1, 0, 0, 0, 0, 1]);
    expect([...triangles]).toEqual([0, 1, 2]);
  });
});

describe("a binary glTF that cannot be trusted", () => {
  const refuse = async (bytes: Uint8Array) => {
    const start = performance.now();
    const error = await glbToMesh(bytes).then(
      () => new Error("it was read"),
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(UsageError);
    expect((error as UsageError).code).toMatch(/^GLB_(UNREADABLE|TOO_LARGE)$/);
    expect(performance.now() - start).toBeLessThan(2_000);
    return (error as UsageError).message;
  };

  it("is refused wherever it is truncated", async () => {
    const whole = await meshToGlb(cube());
    for (let length = 0; length < whole.length; length += 7)
      expect(await refuse(whole.subarray(0, length))).toMatch(/^the model cannot be read: it is (cut|not a binary)/);
  });

  it("is refused when it is something else, or of another version", async () => {
    expect(await refuse(Buffer.from("solid hull, but in STL's own words"))).toMatch("not a binary glTF");
    expect(await refuse(Buffer.from('\n { "asset": { "version": "2.0" } }'))).toMatch(
      /glTF as text .* as a binary glTF/,
    );
    const old = Buffer.from(await meshToGlb(cube()));
    old.writeUInt32LE(1, 4);
    expect(await refuse(old)).toMatch("glTF version 1");
    expect(await refuse(makeGlb({ asset: { version: "3.0" } }))).toMatch("3.0");
  });

  it("is refused when its description is no JSON or makes no sense", async () => {
    expect(await refuse(makeGlb("{ not json"))).toMatch("its description is not JSON");
    expect(await refuse(makeGlb("null"))).toMatch("its description is not sound");
    expect(await refuse(makeGlb({ ...oneTriangle(), scenes: [{ nodes: [77] }] }, triangleData))).toMatch("not sound");
    const needy = { ...oneTriangle(), extensionsRequired: ["ACME_cubes"] };
    expect(await refuse(makeGlb(needy, triangleData))).toMatch("it needs ACME_cubes, which is not known here");
    const elsewhere = oneTriangle();
    elsewhere.buffers[0]!.uri = "/etc/hostname";
    expect(await refuse(makeGlb(elsewhere, triangleData))).toMatch("external");
  });

  it("is refused when anything reaches past its data", async () => {
    const short = triangleData.subarray(0, 40);
    expect(await refuse(makeGlb(oneTriangle(), short))).toMatch("shorter than it announces");
    const view = oneTriangle();
    view.bufferViews[1]!.byteLength = 16;
    expect(await refuse(makeGlb(view, triangleData))).toMatch("view 1 reaches past");
    const accessor = oneTriangle();
    accessor.accessors[0]!.count = 4;
    expect(await refuse(makeGlb(accessor, triangleData))).toMatch("accessor 0 reaches past");
  });

  it("is refused when a triangle names a vertex that is not there", async () => {
    const data = Buffer.from(triangleData);
    data.writeUInt32LE(3, 40);
    expect(await refuse(makeGlb(oneTriangle(), data))).toMatch("a triangle names a vertex that is not there");
  });

  it("is refused when it announces more than can be held", async () => {
    for (const count of [1e9, 2 ** 52, -1, 1.5]) {
      const bomb = oneTriangle();
      bomb.accessors[0] = { componentType: 5126, count, type: "VEC3" };
      expect(await refuse(makeGlb(bomb, triangleData))).toMatch("too many");
    }
  });
});

it("keeps the parts of a model, their materials and where they are in a picture", async () => {
  const picture = pictureToPng({ width: 2, height: 1, channels: 3, data: Uint8Array.of(255, 0, 0, 0, 0, 255) });
  const paint = { metallic: 0.5, roughness: 0.25, isTransparent: false, isDoubleSided: true };
  const texture = { name: "grain", type: "image/png", width: 2, height: 1, bytes: picture, isRepeated: true };
  const { positions, triangles } = cube(2);
  const model = {
    positions,
    triangles,
    uvs: new Float32Array((positions.length / 3) * 2).fill(0.5),
    parts: [
      { name: "lid", material: 1, first: 0, count: 2 },
      { name: "box", material: 0, first: 2, count: 10 },
    ],
    materials: [
      { ...paint, name: "red", color: [0.5, 0, 0, 1] as const },
      { ...paint, name: "wood", color: [1, 1, 1, 1] as const, texture },
    ],
  };
  const back = await glbToModel(await meshToGlb(model));
  expect(corners(back)).toEqual(corners(model));
  expect(back.parts).toEqual(model.parts);
  expect(back.materials).toMatchObject([
    { name: "red", color: [0.5, 0, 0, 1], metallic: 0.5, roughness: 0.25, isDoubleSided: true },
    { name: "wood", texture: { width: 2, height: 1, type: "image/png" } },
  ]);
  expect(back.uvs?.every((place) => place === 0.5)).toBe(true);
});
