import { execFileSync } from "node:child_process";
import { deflateSync } from "node:zlib";
import { randomStream, UsageError } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { makeGlb, oneTriangle, triangleData } from "../../../../test/fakes/glb.ts";
import { compressed, hostileGlbs } from "../../../../test/fakes/hostile-glbs.ts";
import { checkMesh } from "../checks/check.ts";
import { pictureToPng, pngToPicture } from "../png.ts";
import { glbToModel } from "./model.ts";

const SECONDS = 20;

/** The error that a file is refused with. */
async function refusal(bytes: Uint8Array, options = {}): Promise<UsageError> {
  const error = await glbToModel(bytes, options).then(
    () => new Error("it was read"),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(UsageError);
  return error as UsageError;
}

describe("a hostile file", () => {
  it.each(Object.entries(hostileGlbs))("is refused in plain words, soon: %s", async (_, { file, says }) => {
    const bytes = await file();
    const start = performance.now();
    const error = await refusal(bytes);
    expect(error.code).toMatch(/^GLB_(UNREADABLE|TOO_LARGE)$/);
    expect(error.message).toContain(says);
    expect(error.message).toMatch(/^the model (cannot be read|is too large): .*(Export it again|Simplify it)/);
    expect(error.message.length).toBeLessThan(400);
    expect(performance.now() - start).toBeLessThan(SECONDS * 1000);
  });

  it("is one of many kinds, and all of them together take little memory", () => {
    expect(Object.keys(hostileGlbs).length).toBeGreaterThanOrEqual(20);
    const module = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
    const script = `
      const { hostileGlbs } = await import(${module("../../../../test/fakes/hostile-glbs.ts")});
      const { glbToModel } = await import(${module("./model.ts")});
      let refused = 0;
      for (const { file } of Object.values(hostileGlbs)) await glbToModel(await file()).catch(() => { refused += 1; });
      console.log(refused, process.resourceUsage().maxRSS);`;
    const flags = ["--input-type=module", "--conditions=loopwright-source", "-e", script];
    const [refused, kilobytes] = execFileSync(process.execPath, flags).toString().trim().split(" ").map(Number);
    expect(refused).toBe(Object.keys(hostileGlbs).length);
    expect(kilobytes).toBeLessThan(1.5e6);
  });

  it("of NaN everywhere is read, and found out by its check", async () => {
    const data = Buffer.concat([Buffer.from(new Float32Array(9).fill(Number.NaN).buffer), triangleData.subarray(36)]);
    const model = await glbToModel(makeGlb(oneTriangle(), data), { forward: "found" });
    expect(checkMesh(model).findings).toMatchObject([{ code: "MESH_INVALID", severity: "hard" }]);
  });

  it("of 100,000 nodes, one in another, all of them in the scene, is read like any other", async () => {
    const length = 100_000;
    const nodes = Array.from({ length }, (_, at) => (at < length - 1 ? { children: [at + 1] } : { mesh: 0 }));
    const gltf = { ...oneTriangle(), nodes, scenes: [{ nodes: nodes.map((_, at) => length - 1 - at) }] };
    const start = performance.now();
    expect((await glbToModel(makeGlb(gltf, triangleData))).triangles).toHaveLength(3);
    expect(performance.now() - start).toBeLessThan(SECONDS * 1000);
  });

  it("with a sparse index past its places changes nothing else", async () => {
    const gltf = oneTriangle();
    Object.assign(gltf.accessors[0]!, {
      sparse: { count: 1, indices: { bufferView: 2, componentType: 5125 }, values: { bufferView: 0 } },
    });
    gltf.bufferViews.push({ buffer: 0, byteOffset: 48, byteLength: 4 });
    gltf.buffers[0]!.byteLength = 52;
    const file = makeGlb(gltf, Buffer.concat([triangleData, Buffer.from(Uint32Array.of(2 ** 31).buffer)]));
    expect([...(await glbToModel(file)).positions]).toEqual([0, 0, 0, 1, 0, 0, 0, 0, 1]);
  });

  it("that takes too long to decompress is given up", async () => {
    const error = await refusal(await compressed("draco"), { seconds: 0.001 });
    expect(error).toMatchObject({
      code: "GLB_TOO_LARGE",
      message: expect.stringContaining("more than 0.001 s to decompress"),
    });
  });

  it.each(["draco", "meshopt"] as const)(
    "of %s with any byte changed is read or refused, and the next one is read",
    async (kind) => {
      const whole = await compressed(kind);
      const random = randomStream(kind, 7);
      const start = Buffer.from(whole).readUInt32LE(12) + 28;
      for (let round = 0; round < 12; round += 1) {
        const file = Uint8Array.from(whole);
        for (let change = 0; change < 3; change += 1)
          file[start + Math.floor(random() * (file.length - start))] = Math.floor(random() * 256);
        const read = await glbToModel(file, { seconds: SECONDS }).catch((thrown: unknown) => thrown as UsageError);
        if (read instanceof Error) expect(read.code).toMatch(/^GLB_/);
        else expect(read.triangles.every((vertex) => vertex < read.positions.length / 3)).toBe(true);
      }
      expect((await glbToModel(whole)).triangles.length).toBe(6 * 24 * 46);
    },
  );

  it("with a picture that unpacks to more than its header says costs no more than its header says", async () => {
    const small = Buffer.from(pictureToPng({ width: 4, height: 4, channels: 3, data: new Uint8Array(48) }));
    const bomb = deflateSync(new Uint8Array(50_000_000));
    const at = small.indexOf("IDAT") - 4;
    const chunk = Buffer.alloc(bomb.length + 12);
    chunk.writeUInt32BE(bomb.length, 0);
    chunk.write("IDAT", 4);
    chunk.set(bomb, 8);
    const { crc32 } = await import("node:zlib");
    chunk.writeUInt32BE(crc32(chunk.subarray(4, bomb.length + 8)), bomb.length + 8);
    const file = Buffer.concat([small.subarray(0, at), chunk, small.subarray(at + 12 + small.readUInt32BE(at))]);
    expect(() => pngToPicture(file)).toThrow("cannot be unpacked to the size in its header");
  });
});
