// The server as clients have it: a program on stdio, and HTTP with a token.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sha256 } from "@loopwright/core";
import { pngToPicture } from "@loopwright/mesh";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBlender } from "../../../../test/fakes/blender.ts";
import { BIN } from "../../../../test/fakes/cli.ts";
import { connectClient, type McpClient } from "../../../../test/fakes/mcp.ts";
import { type HttpServer, serveHttp } from "./http.ts";
import { Session, tools } from "./server.ts";

const ALONE = join(import.meta.dirname, "../../bin/loopwright-blender.js");
const folder = mkdtempSync(join(tmpdir(), "loopwright-mcp-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A server that a client has started, as it is told to by its configuration. */
async function start(command: readonly string[]): Promise<McpClient & { pid: number; words(): string }> {
  const env = { PATH: process.env.PATH!, HOME: folder, TMPDIR: folder };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...command],
    cwd: folder,
    env,
    stderr: "pipe",
  });
  let words = "";
  transport.stderr?.on("data", (chunk) => {
    words += chunk;
  });
  const mcp = await connectClient(transport);
  return Object.assign(mcp, { pid: transport.pid!, words: () => words });
}

/** Every process below one, itself too. */
function processesOf(pid: number): number[] {
  const children = () => readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
  return existsSync(`/proc/${pid}`) ? [pid, ...children().flatMap((child) => processesOf(Number(child)))] : [];
}
/** What a server holds when its Blender and the one that waits are both there: open files, megabytes, processes. */
async function measure({ pid, call }: McpClient & { pid: number }) {
  await call("get_scene_info");
  await wait(4_000);
  const memory = Number(readFileSync(`/proc/${pid}/status`, "utf8").match(/VmRSS:\s+(\d+)/)![1]) / 1024;
  return { files: readdirSync(`/proc/${pid}/fd`).length, memory, processes: processesOf(pid).length };
}

describe.skipIf(!hasBlender)("A session on stdio", () => {
  it("of 120 mixed calls, wrong ones and lost Blenders among them, ends without a leak or a hang", async () => {
    const mcp = await start([ALONE, "--out", join(folder, "out")]);
    const round = [
      ["execute_code", { code: "bpy.ops.mesh.primitive_uv_sphere_add(segments=32, ring_count=16)" }],
      ["get_scene_info", {}],
      ["get_diagnostic_renders", { size: 128 }],
      ["mesh_report", {}],
      ["set_camera_pose", { azimuth: 30, elevation: 20, lens: 35 }],
      ["get_viewport_screenshot", { size: 128, style: "normals" }],
      ["execute_code", { code: "raise ValueError('no')" }],
      ["execute_code", {}],
      ["geonode_create_group", { name: "g" }],
      ["geonode_add_node", { group: "g", type: "Cylinder", name: "c", inputs: { Vertices: 24 } }],
      [
        "geonode_connect",
        { group: "g", from_node: "c", from_socket: "Mesh", to_node: "Group Output", to_socket: "Geometry" },
      ],
      ["geonode_set_param", { group: "g", node: "c", param: "Vertices", value: 2 }],
      ["geonode_set_param", { group: "g", node: "c", param: "Vertices", value: 12 }],
      ["undo_last_step", {}],
      ["export_glb", { filename: "a.glb" }],
      ["export_fbx", { filename: "a.fbx" }],
      ["export_blend", { filename: "a.blend" }],
      ["export_glb", { filename: "../a.glb" }],
      ["no_such_tool", {}],
      ["reset_to_baseline", {}],
    ] as const;
    const wrong = new Set([6, 7, 11, 17, 18]);
    let calls = 0;
    const begun = performance.now();
    let settled = { files: 0, memory: 0, processes: 0 };
    for (let turn = 0; calls < 120; turn++) {
      for (const [at, [name, given]] of round.entries()) {
        const answer = await mcp.call(name, given).catch((error) => ({ isError: true, text: String(error) }));
        expect(answer.isError, `${name}: ${answer.text}`).toBe(wrong.has(at));
        calls++;
      }
      if (turn % 2 === 1) {
        const hang = await mcp.call("execute_code", { code: "while True: pass", timeout_seconds: 1 });
        expect(hang.text).toMatch(/was stopped.*as it was before this call.*Another Blender has taken over/s);
        calls++;
      }
      if (turn === 1) settled = await measure(mcp);
    }
    const end = await measure(mcp);
    expect(end).toMatchObject({ files: settled.files, processes: settled.processes });
    expect(end.memory).toBeLessThan(settled.memory + 100);
    expect(performance.now() - begun).toBeLessThan(100_000);
    const all = processesOf(mcp.pid);
    expect(all.length).toBeGreaterThan(2);
    await mcp.close();
    await expect.poll(() => all.filter((pid) => existsSync(`/proc/${pid}`)), { timeout: 10_000 }).toEqual([]);
    expect(readdirSync(folder).filter((name) => name.startsWith("loopwright-blender-"))).toEqual([]);
    expect(readdirSync(join(folder, "out")).sort()).toEqual(["a.blend", "a.fbx", "a.glb"]);
  });

  it("is started by `loopwright mcp blender` too, with the same model and pixels; a lost client leaves no Blender behind", async () => {
    const mcp = await start([BIN, "mcp", "blender"]);
    const { tools: listed } = await mcp.client.listTools();
    expect(listed.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    expect((await mcp.call("get_scene_info")).text).toContain('"blender":"3.4.1"');
    const [one, other] = [await makeMonkey(mcp, "blender-output"), await makeMonkey(inThisProcess, "more")];
    expect(one.glb.length).toBeGreaterThan(20_000);
    expect(one.glb.equals(other.glb)).toBe(true);
    expect(one.pixels).toEqual(other.pixels);
    const all = processesOf(mcp.pid);
    process.kill(mcp.pid, "SIGKILL");
    await expect.poll(() => all.filter((pid) => existsSync(`/proc/${pid}`)), { timeout: 10_000 }).toEqual([]);
  });
});

/** The same model wherever it is made: its file, and a hash of each picture's pixels. */
async function makeMonkey({ call }: McpClient, out: string) {
  await call("reset_to_baseline");
  await call("execute_code", { code: "bpy.ops.mesh.primitive_monkey_add(); bpy.ops.object.shade_smooth()" });
  await call("export_glb", { filename: "monkey.glb" });
  const { images } = await call("get_diagnostic_renders", { size: 256 });
  const pixels = images.map((png) => sha256(pngToPicture(png).data));
  return { glb: readFileSync(join(folder, out, "monkey.glb")), pixels };
}

const session = new Session({ out: join(folder, "more") });
let server: HttpServer;
let inThisProcess: McpClient;
beforeAll(async () => {
  if (!hasBlender) return;
  server = await serveHttp(session, 0);
  const headers = { authorization: `Bearer ${server.token}` };
  const transport = new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } });
  inThisProcess = await connectClient(transport);
});
afterAll(async () => {
  await inThisProcess?.close();
  await server?.close();
  await session.close();
});

describe.skipIf(!hasBlender)("The tools", () => {
  const mcp = {
    call: (...given: Parameters<McpClient["call"]>) => inThisProcess.call(...given),
    get client() {
      return inThisProcess.client;
    },
  };

  it("are the seed's eleven and four more, each with words for whoever has never seen it", async () => {
    const { tools: listed } = await mcp.client.listTools();
    expect(listed.length).toBe(15);
    for (const { name, description, inputSchema } of listed) {
      expect(description!.length, name).toBeGreaterThan(60);
      expect(inputSchema.type).toBe("object");
    }
    expect(JSON.stringify(listed).length).toBeLessThan(16_000);
  });

  it("show what is there, from where the camera stands, and nothing where nothing is", async () => {
    await mcp.call("reset_to_baseline");
    expect((await mcp.call("get_viewport_screenshot")).text).toContain("nothing to see");
    await mcp.call("execute_code", {
      code: "bpy.ops.mesh.primitive_cube_add(size=2, location=(0, 0, 0)); bpy.context.object.scale = (3, 1, 1)",
    });
    const { images, text } = await mcp.call("get_diagnostic_renders", { size: 200, style: "silhouette" });
    expect(text.split("\n")).toEqual(["front:", "right:", "top:", "iso:"]);
    const widths = images.map((png) => widthOf(png));
    expect(widths[0]! / widths[1]!).toBeCloseTo(3, 0);
    await mcp.call("set_camera_pose", { azimuth: 90, elevation: 0 });
    const end = await mcp.call("get_viewport_screenshot", { size: 200, style: "silhouette" });
    expect(widthOf(end.images[0]!)).toBeGreaterThan(150);
    const again = await mcp.call("get_diagnostic_renders", { size: 200, style: "silhouette" });
    expect(again.images.map((png) => png.toString("base64"))).toEqual(images.map((png) => png.toString("base64")));
  });

  it("tell what is wrong with a model, and what to do", async () => {
    await mcp.call("reset_to_baseline");
    const code = `bpy.ops.mesh.primitive_cube_add()
mesh = bpy.context.object.data
b = bmesh.new(); b.from_mesh(mesh); b.faces.ensure_lookup_table(); b.faces.remove(b.faces[0]); b.to_mesh(mesh)`;
    await mcp.call("execute_code", { code: "bpy.ops.mesh.primitive_cube_add()" });
    expect(JSON.parse((await mcp.call("mesh_report")).text)).toMatchObject({
      volume: 8,
      boundaryEdges: 0,
      defects: [],
    });
    await mcp.call("reset_to_baseline");
    await mcp.call("execute_code", { code });
    const { defects } = JSON.parse((await mcp.call("mesh_report")).text);
    expect(defects).toEqual(["GEO_HOLES: 4 edges at the rim of a hole; fill the holes"]);
    const { defects: more } = JSON.parse((await mcp.call("mesh_report", { checks: ["ground"] })).text);
    expect(more).toEqual([expect.stringMatching(/ground/i)]);
  });

  it("take turns where they are called at once, and let go of what the client gave up", async () => {
    await mcp.call("reset_to_baseline");
    const cubes = Array.from({ length: 6 }, (_, x) => ({
      code: `bpy.ops.mesh.primitive_cube_add(location=(${3 * x}, 0, 0))`,
    }));
    const answers = await Promise.all(cubes.map((given) => mcp.call("execute_code", given)));
    expect(answers.every(({ isError }) => !isError)).toBe(true);
    expect(JSON.parse((await mcp.call("mesh_report")).text)).toMatchObject({ parts: 6, triangles: 72 });
    const begun = performance.now();
    const given = { name: "execute_code", arguments: { code: "while True: pass" } };
    await expect(mcp.client.callTool(given, { signal: AbortSignal.timeout(500) })).rejects.toThrow();
    expect(JSON.parse((await mcp.call("get_scene_info")).text)).toMatchObject({ object_count: 6 });
    expect(performance.now() - begun).toBeLessThan(30_000);
  });

  it("render for people in a Blender that has run no code", async () => {
    await mcp.call("reset_to_baseline");
    const color =
      "m = bpy.data.materials.new('m'); m.diffuse_color = (1, 0, 0, 1); bpy.context.object.data.materials.append(m)";
    await mcp.call("execute_code", { code: `bpy.ops.mesh.primitive_cube_add(); ${color}` });
    await mcp.call("set_camera_pose", { azimuth: 30, elevation: 20 });
    const fast = pngToPicture((await mcp.call("get_viewport_screenshot", { size: 64 })).images[0]!);
    expect(fast.data[(32 * 64 + 32) * fast.channels]!).toBeGreaterThan(
      2 * fast.data[(32 * 64 + 32) * fast.channels + 1]!,
    );
    const workbench = await mcp.call("get_viewport_screenshot", { size: 64, renderer: "workbench" });
    const { data, channels } = pngToPicture(workbench.images[0]!);
    const middle = (32 * 64 + 32) * channels;
    expect(data[middle]!).toBeGreaterThan(2 * data[middle + 1]!);
    const cycles = await mcp.call("get_viewport_screenshot", { size: 64, renderer: "cycles", samples: 1 });
    expect(pngToPicture(cycles.images[0]!)).toMatchObject({ width: 64, height: 64 });
  });

  it("are for whoever has the token, on this machine, and for no web page", async () => {
    const ask = (headers: Record<string, string>, path = "/mcp") =>
      fetch(new URL(path, server.url), { method: "POST", headers, body: "{}" }).then(({ status }) => status);
    const authorization = `Bearer ${server.token}`;
    expect(await ask({})).toBe(401);
    expect(await ask({ authorization: `Bearer ${"0".repeat(48)}` })).toBe(401);
    expect(await ask({ authorization, origin: "https://example.com" })).toBe(403);
    expect(await ask({ authorization }, "/other")).toBe(404);
    expect(await rawStatus({ authorization, host: "evil.example" })).toBe(403);
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  });

  /** With a Host of one's own, which fetch does not let one have. */
  async function rawStatus(headers: Record<string, string>): Promise<number> {
    const { request } = await import("node:http");
    return new Promise((resolve) => {
      request(server.url, { method: "POST", headers }, ({ statusCode }) => resolve(statusCode!)).end("{}");
    });
  }
});

/** How many columns of a picture have something dark. */
function widthOf(png: Buffer): number {
  const { width, height, channels, data } = pngToPicture(png);
  const isDark = (x: number) =>
    Array.from({ length: height }, (_, y) => data[(y * width + x) * channels]!).some((value) => value < 100);
  return Array.from({ length: width }, (_, x) => isDark(x)).filter(Boolean).length;
}
