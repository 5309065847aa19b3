// Binary glTF files made by hand, to be read and to be broken.

/** A binary glTF of any description. */
export function makeGlb(json: object | string, data: Uint8Array = new Uint8Array(0)): Uint8Array {
  const text = Buffer.from(typeof json === "string" ? json : JSON.stringify(json));
  const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, " ")]);
  const words = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer);
  const bin = data.length > 0 ? [words(data.length, 0x004e4942), data] : [];
  const body = Buffer.concat([words(padded.length, 0x4e4f534a), padded, ...bin]);
  return Buffer.concat([words(0x46546c67, 2, body.length + 12), body]);
}

/** What a description of one triangle needs, to be changed for the worse. */
export const oneTriangle = () => ({
  asset: { version: "2.0" },
  scene: 0,
  scenes: [{ nodes: [0] }],
  nodes: [{ mesh: 0 }] as { mesh?: number; children?: number[] }[],
  meshes: [{ primitives: [{ attributes: { POSITION: 0 } as Record<string, number>, indices: 1 }] }],
  buffers: [{ byteLength: 48 }] as { byteLength: number; uri?: string }[],
  bufferViews: [
    { buffer: 0, byteLength: 36 },
    { buffer: 0, byteOffset: 36, byteLength: 12 },
  ],
  accessors: [
    { bufferView: 0, componentType: 5126, count: 3, type: "VEC3" },
    { bufferView: 1, componentType: 5125, count: 3, type: "SCALAR" },
  ] as { bufferView?: number; componentType: number; count: number; type: string }[],
});
export const triangleData = Buffer.concat([
  Buffer.from(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0).buffer),
  Buffer.from(Uint32Array.of(0, 1, 2).buffer),
]);
