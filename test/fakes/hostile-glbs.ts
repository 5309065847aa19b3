// Files that lie, leak or explode: each is one sound file with one thing changed for the worse.

import { Document, Logger, NodeIO } from "@gltf-transform/core";
import { EXTMeshoptCompression, KHRDracoMeshCompression } from "@gltf-transform/extensions";
import draco from "draco3dgltf";
import { MeshoptEncoder } from "meshoptimizer/encoder";
import { makeGlb, oneTriangle, triangleData } from "./glb.ts";
import { ball } from "./shapes.ts";

/** A description that may be changed in any way. */
// biome-ignore lint/suspicious/noExplicitAny: it is made to be wrong.
type Anything = any;

/** One triangle with its description changed. */
function broken(change: (gltf: Anything) => void, data: Uint8Array = triangleData): Uint8Array {
  const gltf: Anything = oneTriangle();
  change(gltf);
  return makeGlb(gltf, data);
}

/** A ball, compressed. */
export async function compressed(kind: "draco" | "meshopt"): Promise<Uint8Array> {
  const document = new Document();
  const buffer = document.createBuffer();
  const { positions, triangles } = ball(1, 24);
  const primitive = document
    .createPrimitive()
    .setAttribute(
      "POSITION",
      document.createAccessor().setType("VEC3").setArray(Float32Array.from(positions)).setBuffer(buffer),
    )
    .setIndices(document.createAccessor().setType("SCALAR").setArray(Uint16Array.from(triangles)).setBuffer(buffer));
  const node = document.createNode("ball").setMesh(document.createMesh().addPrimitive(primitive));
  document.getRoot().setDefaultScene(document.createScene().addChild(node));
  if (kind === "draco") document.createExtension(KHRDracoMeshCompression).setRequired(true);
  else document.createExtension(EXTMeshoptCompression).setRequired(true);
  await MeshoptEncoder.ready;
  return new NodeIO()
    .setLogger(new Logger(Logger.Verbosity.SILENT))
    .registerExtensions([KHRDracoMeshCompression, EXTMeshoptCompression])
    .registerDependencies({ "draco3d.encoder": await draco.createEncoderModule(), "meshopt.encoder": MeshoptEncoder })
    .writeBinary(document);
}

/** A compressed ball with its description and its data changed. */
async function tampered(
  kind: "draco" | "meshopt",
  change: (gltf: Anything, data: Buffer) => void,
): Promise<Uint8Array> {
  const file = Buffer.from(await compressed(kind));
  const length = file.readUInt32LE(12);
  const gltf: Anything = JSON.parse(file.toString("utf8", 20, 20 + length));
  const data = file.subarray(28 + length);
  change(gltf, data);
  return makeGlb(gltf, data);
}

/** Draco data that says how many triangles it has, and holds none of them. */
function emptyDraco(faces: number, vertices: number): Uint8Array {
  const varint = (value: number): number[] =>
    value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))];
  const bytes = [
    ...Buffer.from("DRACO"),
    2,
    2,
    1,
    0,
    0,
    0,
    ...varint(faces),
    ...varint(vertices),
    1,
    ...new Array(64).fill(0),
  ];
  return Uint8Array.from([...bytes, ...new Array((4 - (bytes.length % 4)) % 4).fill(0)]);
}

function dracoBomb(faces: number, announced = faces * 3, vertices = faces): Uint8Array {
  const data = emptyDraco(faces, vertices);
  return broken((gltf) => {
    gltf.buffers = [{ byteLength: data.length }];
    gltf.bufferViews = [{ buffer: 0, byteLength: data.length }];
    gltf.accessors = [
      { componentType: 5126, count: 3, type: "VEC3" },
      { componentType: 5125, count: announced, type: "SCALAR" },
    ];
    gltf.meshes[0].primitives[0].extensions = {
      KHR_draco_mesh_compression: { bufferView: 0, attributes: { POSITION: 0 } },
    };
  }, data);
}

function picture(bytes: Uint8Array): Uint8Array {
  return broken(
    (gltf) => {
      gltf.buffers[0].byteLength += bytes.length;
      gltf.bufferViews.push({ buffer: 0, byteOffset: 48, byteLength: bytes.length });
      gltf.images = [{ bufferView: 2 }];
      gltf.textures = [{ source: 0 }];
      gltf.materials = [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }];
    },
    Buffer.concat([triangleData, bytes]),
  );
}

function words(file: Uint8Array, change: (file: Buffer) => void): Uint8Array {
  const copy = Buffer.from(file);
  change(copy);
  return copy;
}

const sound = makeGlb(oneTriangle(), triangleData);
const pngHeader = Buffer.concat([
  Buffer.from([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13]),
  Buffer.from("IHDR"),
  Buffer.from([0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60, 8, 6, 0, 0, 0, 0, 0, 0]),
]);
const jpegHeader = Buffer.from([
  0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc0, 0, 17, 8, 0xff, 0xff, 0xff, 0xff, 3, 0, 0,
]);

/** Each hostile file, and the words that it is refused with. */
export const hostileGlbs: Record<string, { file: () => Uint8Array | Promise<Uint8Array>; says: string }> = {
  "half of a header": { file: () => sound.subarray(0, 15), says: "not a binary glTF" },
  "half of a file": { file: () => sound.subarray(0, sound.length / 2), says: "cut off" },
  "a length of 2 GB": { file: () => words(sound, (file) => file.writeUInt32LE(2 ** 31, 8)), says: "cut off" },
  "a description of 2 GB": {
    file: () => words(sound, (file) => file.writeUInt32LE(2 ** 31, 12)),
    says: "missing or cut off",
  },
  "data of 4 GB": {
    file: () => words(sound, (file) => file.writeUInt32LE(2 ** 32 - 1, 20 + file.readUInt32LE(12))),
    says: "data is cut off",
  },
  "a description that is a list": { file: () => makeGlb("[]"), says: "no object" },
  "lists in lists in lists": {
    file: () => makeGlb(`{"asset":${"[".repeat(200_000)}${"]".repeat(200_000)}}`),
    says: "glTF version",
  },
  "a count that lies": {
    file: () =>
      broken((gltf) => {
        gltf.accessors[0].count = 4;
      }),
    says: "accessor 0 reaches past its view",
  },
  "2^31 vertices": {
    file: () =>
      broken((gltf) => {
        gltf.accessors[0].count = 2 ** 31;
      }),
    says: "2147483648 elements in accessor 0, which is too many",
  },
  "2^31 vertices of nothing": {
    file: () =>
      broken((gltf) => {
        gltf.accessors[0] = { componentType: 5126, count: 2 ** 31, type: "VEC3" };
      }),
    says: "too many",
  },
  "2^53 vertices": {
    file: () =>
      broken((gltf) => {
        gltf.accessors[0].count = 2 ** 53;
      }),
    says: "too many",
  },
  "10 million triangles": {
    file: () =>
      broken((gltf) => {
        gltf.accessors[1] = { componentType: 5125, count: 30_000_000, type: "SCALAR" };
      }),
    says: "too many",
  },
  "-1 vertices": {
    file: () =>
      broken((gltf) => {
        gltf.accessors[0].count = -1;
      }),
    says: "-1 elements",
  },
  "many accessors of much": {
    file: () =>
      broken((gltf) => {
        for (let at = 0; at < 99; at += 1) gltf.accessors.push({ componentType: 5126, count: 500_000, type: "VEC3" });
      }),
    says: "too many",
  },
  "an accessor of no type": {
    file: () =>
      broken((gltf) => {
        gltf.accessors[0].componentType = 1;
      }),
    says: "no known type",
  },
  "data shorter than announced": {
    file: () =>
      broken((gltf) => {
        gltf.buffers[0].byteLength = 1e9;
      }),
    says: "shorter than it announces",
  },
  "a view past its data": {
    file: () =>
      broken((gltf) => {
        gltf.bufferViews[0].byteLength = 1e6;
      }),
    says: "view 0 reaches past",
  },
  "a view before its data": {
    file: () =>
      broken((gltf) => {
        gltf.bufferViews[0].byteOffset = -8;
      }),
    says: "an offset is -8",
  },
  "a view of no buffer": {
    file: () =>
      broken((gltf) => {
        gltf.bufferViews[0].buffer = 7;
      }),
    says: "no buffer 7",
  },
  "a stride of -4": {
    file: () =>
      broken((gltf) => {
        gltf.bufferViews[0].byteStride = -4;
      }),
    says: "a stride is -4",
  },
  "a corner that is not there": {
    file: () => broken(() => {}, Buffer.concat([triangleData.subarray(0, 44), Buffer.from([9, 0, 0, 0])])),
    says: "names a vertex that is not there",
  },
  "nodes in a circle": {
    file: () =>
      broken((gltf) => {
        gltf.nodes = [{ mesh: 0, children: [1] }, { children: [0] }];
      }),
    says: "round in a circle at node",
  },
  "a node in itself": {
    file: () =>
      broken((gltf) => {
        gltf.nodes = [{ mesh: 0, children: [0] }];
      }),
    says: "round in a circle at node 0",
  },
  "nodes that double thirty times": {
    file: () =>
      broken((gltf) => {
        gltf.nodes = Array.from({ length: 31 }, (_, at) => (at < 30 ? { children: [at + 1, at + 1] } : { mesh: 0 }));
      }),
    says: "stands in two others",
  },
  "200,000 nodes": {
    file: () =>
      broken((gltf) => {
        gltf.nodes = Array.from({ length: 200_000 }, () => ({ mesh: 0 }));
      }),
    says: "200000 entries in 'nodes'",
  },
  "one part of a million vertices, forty times": {
    file: () =>
      broken((gltf) => {
        gltf.accessors[0] = { componentType: 5126, count: 1_000_000, type: "VEC3" };
        gltf.nodes = [
          { children: Array.from({ length: 40 }, (_, at) => at + 1) },
          ...Array.from({ length: 40 }, () => ({ mesh: 0 })),
        ];
      }),
    says: "40000000 vertices",
  },
  "a million instances": {
    file: () =>
      broken((gltf) => {
        gltf.extensionsRequired = ["EXT_mesh_gpu_instancing"];
        gltf.accessors.push({ componentType: 5126, count: 1_000_000, type: "VEC3" });
        gltf.nodes[0].extensions = { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 2 } } };
      }),
    says: "it needs EXT_mesh_gpu_instancing, which is not known here",
  },
  "a place of words": {
    file: () =>
      broken((gltf) => {
        gltf.nodes[0].translation = ["a", "b", "c"];
      }),
    says: "not 3 numbers",
  },
  "a part without attributes": {
    file: () =>
      broken((gltf) => {
        gltf.meshes[0].primitives[0].attributes = null;
      }),
    says: "no attributes",
  },
  "an attribute that is not there": {
    file: () =>
      broken((gltf) => {
        gltf.meshes[0].primitives[0].attributes.POSITION = 55;
      }),
    says: "no accessor 55",
  },
  "a file elsewhere": {
    file: () =>
      broken((gltf) => {
        gltf.buffers[0].uri = "../../../../etc/passwd";
      }),
    says: "external",
  },
  "an address on the network": {
    file: () =>
      broken((gltf) => {
        gltf.buffers[0].uri = "http://127.0.0.1:9/mesh.bin";
      }),
    says: "external",
  },
  "text for data that is too short": {
    file: () =>
      broken((gltf) => {
        gltf.buffers[0].uri = "data:application/octet-stream;base64,AAAA";
      }),
    says: "shorter than it announces",
  },
  "100 MB of data as text": {
    file: () =>
      broken((gltf) => {
        gltf.buffers[0].uri = `data:application/octet-stream;base64,${"A".repeat(100_000_000)}`;
      }),
    says: "its description has",
  },
  "more sparse changes than places": {
    file: () =>
      broken((gltf) => {
        gltf.accessors[0].sparse = {
          count: 99,
          indices: { bufferView: 1, componentType: 5125 },
          values: { bufferView: 0 },
        };
      }),
    says: "changes 99 of 3",
  },
  "sparse changes past their view": {
    file: () =>
      broken((gltf) => {
        gltf.accessors[0].sparse = {
          count: 3,
          indices: { bufferView: 1, componentType: 5125 },
          values: { bufferView: 1 },
        };
      }),
    says: "sparse accessor 0 reaches past",
  },
  "an extension that nobody knows": {
    file: () =>
      broken((gltf) => {
        gltf.extensionsRequired = ["ACME_cubes"];
      }),
    says: "needs ACME_cubes",
  },
  "Draco cut off": {
    file: () =>
      tampered("draco", (gltf) => {
        gltf.bufferViews[0].byteLength = 40;
      }),
    says: "decoded",
  },
  "Draco of nothing": {
    file: () =>
      tampered("draco", (_, data) => {
        data.fill(0, 0, 5);
      }),
    says: "Draco data is cut off or none",
  },
  "Draco of noise": {
    file: () =>
      tampered("draco", (_, data) => {
        data.fill(0xa5, 24);
      }),
    says: "cannot be decoded",
  },
  "Draco of two billion triangles": { file: () => dracoBomb(2 ** 31, 3), says: "announces 2147483648 triangles" },
  "Draco of two billion vertices": {
    file: () => dracoBomb(1, 3, 2 ** 31),
    says: "1 triangles and 2147483648 vertices",
  },
  "Draco of more than it announces": {
    file: () => dracoBomb(5_000_000, 30),
    says: "has 5000000 triangles where 10 are announced",
  },
  "Draco of nine million triangles in a hundred bytes": { file: () => dracoBomb(9_000_000), says: "cannot be decoded" },
  "meshopt of 2^31 vertices": {
    file: () =>
      tampered("meshopt", (gltf) => {
        gltf.bufferViews[0].extensions.EXT_meshopt_compression.count = 2 ** 31;
      }),
    says: "when decompressed",
  },
  "meshopt of more than it announces": {
    file: () =>
      tampered("meshopt", (gltf) => {
        gltf.bufferViews[0].extensions.EXT_meshopt_compression.count += 1;
      }),
    says: "decompresses to",
  },
  "meshopt of noise": {
    file: () =>
      tampered("meshopt", (_, data) => {
        data.fill(0xa5);
      }),
    says: "cannot be decoded",
  },
  "meshopt past its data": {
    file: () =>
      tampered("meshopt", (gltf) => {
        gltf.bufferViews[0].extensions.EXT_meshopt_compression.byteLength = 1e9;
      }),
    says: "reaches past its data",
  },
  "a picture of 60,000 × 60,000": { file: () => picture(pngHeader), says: "60000 × 60000 pixels" },
  "a photograph of 65,535 × 65,535": { file: () => picture(jpegHeader), says: "65535 × 65535 pixels" },
};
