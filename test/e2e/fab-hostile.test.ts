// Hostile assets through the real binary: each gets a clear code, soon and in bounded memory, and nothing in it is run.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { GateVerdict } from "../../packages/fab/src/verdict/gate-verdict.ts";
import { Folder } from "../fakes/cli.ts";
import { startFaultServer } from "../fakes/fault-server.ts";
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

/** A gate of a folder that nobody trusts, which would have others called, fetched and run. */
const gate = (id: string) => `gate_config_id: ${id}
kind: crate
pass: 0.9
critics: { geometry: { weight: 1 } }
geometry: { length: [1, 2], width: [1, 2], height: [1, 2], triangles: [2, 20], trivial: 2, symmetry: 0, non_manifold: 1, normals: 0 }
iteration:
  escalation: { notify_webhook: "http://127.0.0.1:PORT/hook" }
  template_fallback: { suggest_after_iterations: 0, templates: { crate: "../templates/crate.py\\e]0;owned\\a; $(touch ${MARK})" } }
`;

describe("loopwright fab judge in a folder that nobody trusts", () => {
  const at = new Folder();
  afterAll(() => at[Symbol.dispose]());
  const judge = (id: string) => at.cli(`fab judge asset.glb --gate ${id}`, { isTrusted: false });

  it("runs no template and calls no address that a gate names", async () => {
    await using server = await startFaultServer();
    await writeFile(join(at.dir, "asset.glb"), sound);
    await at.write("gates/theirs.yaml", gate("theirs").replace("http://127.0.0.1:PORT", new URL(server.url).origin));
    await at.write("templates/crate.py", `import os\nos.system("touch ${MARK}")\n`);
    const ended = await judge("theirs");
    expect(ended, ended.stderr).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toContain("there is no template '../templates/crate.py");
    expect(ended.stderr).not.toContain("\u001b");
    expect(server.requests).toEqual([]);
    expect(existsSync(join(at.dir, MARK))).toBe(false);
  });

  it.each([
    ["a pipe", "pipe", (path: string) => execFileSync("mkfifo", [path]), "no plain file"],
    ["a link out of the folder", "link", (path: string) => symlinkSync("/etc/passwd", path), "link.yaml:1: "],
    ["no data", "code", (path: string) => writeFile(path, "!!js/function 'function () {}'"), "code.yaml:1: "],
  ])("refuses a gate that is %s, at once", async (_, id, make, says) => {
    await writeFile(join(at.dir, "asset.glb"), sound);
    await at.write("gates/plain.yaml", gate("plain"));
    await make(join(at.dir, `gates/${id}.yaml`));
    const ended = await judge(id);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toContain(says);
    expect(ended.stderr).not.toContain("root:");
  });
});

describe("an issue that came from elsewhere", () => {
  it("has its words shown without what would steer the terminal", async () => {
    using at = new Folder();
    const words = [
      "--gate",
      "car_realism_v001",
      "--kind",
      "car",
      "--title",
      "a car\u001b]0;owned\u0007",
      "--tag",
      "@escalate:\u001b[8m",
      "--status",
      "escalated",
    ];
    const { stdout } = await at.cli(["issue", "create", ...words]);
    const shown = await Promise.all([at.cli(`fab lineage ${stdout.trim()}`), at.cli("fab review")]);
    for (const { stdout, stderr, code } of shown) {
      expect(code, stderr).toBe(0);
      expect(stdout).toContain("a car");
      for (const sign of ["\u001b", "\u0007"]) expect(stdout).not.toContain(sign);
    }
  });
});
