// Hostile assets through the real binary: each gets a clear code, soon and in bounded memory, and nothing in it is run.

import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { GateVerdict } from "../../packages/fab/src/verdict/gate-verdict.ts";
import { Folder } from "../fakes/cli.ts";
import { makeGlb, oneTriangle, triangleData } from "../fakes/glb.ts";

const SECONDS = 30;
const GIGABYTES = 2;

/** One triangle with its description changed. */
// biome-ignore lint/suspicious/noExplicitAny: it is made to be wrong.
function changed(change: (gltf: any) => void, data: Uint8Array = triangleData): Uint8Array {
  const gltf = oneTriangle();
  change(gltf);
  return makeGlb(gltf, data);
}

function manyTriangles(count: number): Uint8Array {
  const indices = new Uint16Array(count * 3).map((_, at) => at % 3);
  const data = Buffer.concat([triangleData.subarray(0, 36), Buffer.from(indices.buffer)]);
  return changed((gltf) => {
    gltf.buffers = [{ byteLength: data.length }];
    gltf.bufferViews[1] = { buffer: 0, byteOffset: 36, byteLength: indices.byteLength };
    gltf.accessors[1] = { bufferView: 1, componentType: 5123, count: count * 3, type: "SCALAR" };
  }, data);
}

/** A PNG that announces 60,000 pixels a side in a few kilobytes. */
function bombTexture(): Uint8Array {
  const header = Buffer.from("89504e470d0a1a0a0000000d494844520000ea600000ea6008060000000000000000", "hex");
  const picture = Buffer.concat([header, deflateSync(new Uint8Array(4_000_000))]);
  return changed(
    (gltf) => {
      gltf.buffers[0].byteLength += picture.length;
      gltf.bufferViews.push({ buffer: 0, byteOffset: 48, byteLength: picture.length });
      Object.assign(gltf, { images: [{ bufferView: 2 }], textures: [{ source: 0 }] });
      gltf.materials = [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }];
    },
    Buffer.concat([triangleData, picture]),
  );
}

const MARK = "loopwright-was-here";
const sound = makeGlb(oneTriangle(), triangleData);
const nowhere = new Float32Array(9).fill(Number.NaN);

const hostile: readonly [string, () => Uint8Array, code: string, says: string][] = [
  ["ten million triangles", () => manyTriangles(10_000_000), "IMPORT_TOO_LARGE", "30000000 elements"],
  ["three million triangles", () => manyTriangles(3_000_000), "IMPORT_TOO_LARGE", "3000000 triangles, and 2000000"],
  ["a zip-bomb texture", bombTexture, "IMPORT_TOO_LARGE", "60000 × 60000 pixels"],
  [
    "NaN vertices",
    () => changed(() => {}, Buffer.concat([Buffer.from(nowhere.buffer), triangleData.subarray(36)])),
    "MESH_INVALID",
    "no place",
  ],
  ["no mesh", () => changed((gltf) => delete gltf.nodes[0].mesh), "MESH_INVALID", "not one triangle"],
  [
    "an external URI",
    () => changed((gltf) => Object.assign(gltf.buffers[0], { uri: "file:///etc/passwd" })),
    "IMPORT_INVALID_GLTF",
    "nothing outside of a file is read",
  ],
  [
    "a data URI of 100 MB",
    () =>
      changed((gltf) =>
        Object.assign(gltf.buffers[0], { uri: `data:application/octet-stream;base64,${"A".repeat(100 * 2 ** 20)}` }),
      ),
    "IMPORT_TOO_LARGE",
    "description has",
  ],
  ["half of a file", () => sound.subarray(0, sound.length / 2), "IMPORT_INVALID_GLTF", "cut off"],
  [
    "a length field of 2 GB",
    () => {
      const copy = Buffer.from(sound);
      copy.writeUInt32LE(2 ** 31, 8);
      return copy;
    },
    "IMPORT_INVALID_GLTF",
    "cut off",
  ],
  [
    "nodes in a circle",
    () => changed((gltf) => Object.assign(gltf, { nodes: [{ mesh: 0, children: [1] }, { children: [0] }] })),
    "IMPORT_INVALID_GLTF",
    "the model cannot be read",
  ],
  [
    "a .blend with a script",
    () => Buffer.from(`BLENDER-v304REND\0\0\0\0import os; os.system("touch ${MARK}")\0`),
    "IMPORT_INVALID_GLTF",
    "not a binary glTF",
  ],
  [
    "glTF as text, its data beside it",
    () => Buffer.from('{ "asset": { "version": "2.0" }, "buffers": [{ "uri": "a.bin", "byteLength": 12 }] }'),
    "IMPORT_INVALID_GLTF",
    "copy asset.gltf asset.glb",
  ],
];

describe("loopwright fab judge of a hostile asset", () => {
  const at = new Folder();
  afterAll(() => at[Symbol.dispose]());
  const tellMemory =
    "data:text/javascript,process.on('exit',()=>console.error('kilobytes '+process.resourceUsage().maxRSS))";

  it.each(hostile)("%s gives a clear code in bounded time and memory", async (_, make, code, says) => {
    await writeFile(join(at.dir, "asset.glb"), make());
    const start = performance.now();
    const ended = await at.cli("fab judge asset.glb --gate car_realism_v001 --profile draft", {
      node: ["--import", tellMemory],
    });
    expect(performance.now() - start).toBeLessThan(SECONDS * 1000);
    expect(ended.code, ended.stderr).toBe(7);
    expect(Number(/^kilobytes (\d+)\n$/.exec(ended.stderr)![1])).toBeLessThan(GIGABYTES * 1e6);
    const path = `runs/${at.runs().at(-1)}/verdict/gate_verdict.json`;
    const verdict = GateVerdict.parse(JSON.parse(readFileSync(join(at.dir, path), "utf8")));
    expect(verdict).toMatchObject({ verdict: "fail", failures: { hard: [code], soft: [] } });
    expect(verdict.next_actions[0]!.instructions).toContain(says);
    expect(existsSync(join(at.dir, MARK))).toBe(false);
  });
});
