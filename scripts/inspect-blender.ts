// The official MCP inspector against the Blender server: it lists the tools, with a strict look at their schemas, and calls each,
// one process a call. It needs the npm registry or npm's cache of it, and a built clone; CI does not run it.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const INSPECTOR = "@modelcontextprotocol/inspector@2.12.0";
const TOKEN = "inspector";
const bin = join(import.meta.dirname, "../packages/blender/bin/loopwright-blender.js");
const folder = mkdtempSync(join(tmpdir(), "loopwright-inspector-"));

const group = "G";
const calls: readonly (readonly [string, Record<string, unknown>])[] = [
  ["geonode_create_group", { name: group }],
  ["geonode_add_node", { group, type: "Cylinder", name: "Tube" }],
  [
    "geonode_connect",
    { group, from_node: "Tube", from_socket: "Mesh", to_node: "Group Output", to_socket: "Geometry" },
  ],
  ["geonode_set_param", { group, node: "Tube", param: "Vertices", value: 12 }],
  ["execute_code", { code: "print(6 * 7)" }],
  ["undo_last_step", {}],
  ["get_scene_info", {}],
  ["mesh_report", {}],
  ["set_camera_pose", { azimuth: 45, elevation: 10 }],
  ["get_viewport_screenshot", { size: 128 }],
  ["get_diagnostic_renders", { size: 64 }],
  ["export_glb", { filename: "model.glb" }],
  ["export_fbx", { filename: "model.fbx" }],
  ["export_blend", { filename: "model.blend" }],
  ["reset_to_baseline", {}],
];

const stdio = [process.execPath, bin, "--out", folder];
const { tools } = inspect([...stdio, "--strict", "--method", "tools/list"]) as { tools: { name: string }[] };
const names = tools.map(({ name }) => name).sort();
console.log(`stdio: ${names.length} tools are listed, and their schemas are portable`);
console.log(`stdio: get_scene_info: ${call(stdio, "get_scene_info", {})}`);
const wanted = calls.map(([name]) => name).sort();
if (names.join() !== wanted.join()) throw new Error(`the inspector lists ${names.join(", ")}`);

const server = spawn(process.execPath, [bin, "--out", folder, "--http", "0"], {
  env: { ...process.env, LOOPWRIGHT_MCP_TOKEN: TOKEN },
  stdio: ["ignore", "ignore", "pipe"],
});
try {
  const target = [await urlOf(), "--transport", "http", "--header", `Authorization: Bearer ${TOKEN}`];
  for (const [name, given] of calls) console.log(`http: ${name}: ${call(target, name, given)}`);
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}

async function urlOf(): Promise<string> {
  for await (const line of createInterface(server.stderr)) {
    const url = line.match(/http:\S+/)?.[0];
    if (url) return url;
  }
  throw new Error("the server did not start");
}

/** Calls a tool; throws where it answers with an error. */
function call(target: readonly string[], name: string, given: Record<string, unknown>): string {
  const words = ["--method", "tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(given)];
  const answer = inspect([...target, ...words]) as { content: { type: string; text?: string }[]; isError?: boolean };
  const text = answer.content.map((each) => each.text ?? `<${each.type}>`).join(" ");
  if (answer.isError) throw new Error(`${name}: ${text}`);
  return text.replaceAll("\n", " ").slice(0, 100);
}

function inspect(words: readonly string[]): unknown {
  const output = execFileSync("npx", ["-y", INSPECTOR, "--cli", ...words], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    timeout: 300_000,
  });
  return JSON.parse(output.slice(output.indexOf("{")));
}
