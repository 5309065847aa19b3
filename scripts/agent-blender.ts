// A real agent builds something with the Blender server: opencode, whose model is a script of five answers. It needs the npm registry
// or npm's cache of it, and a built clone; CI does not run it.

import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { glbToMesh } from "../packages/mesh/src/index.ts";

const AGENT = "opencode-ai@1.18.33";
const bin = join(import.meta.dirname, "../packages/blender/bin/loopwright-blender.js");
const folder = mkdtempSync(join(tmpdir(), "loopwright-agent-"));

const TABLE = `def box(name, size, place):
    bpy.ops.mesh.primitive_cube_add(size=1, location=place)
    bpy.context.object.name = name
    bpy.context.object.scale = size
box("top", (1.6, 0.9, 0.05), (0, 0, 0.725))
for x in (-0.7, 0.7):
    for y in (-0.35, 0.35):
        box("leg", (0.06, 0.06, 0.7), (x, y, 0.35))`;
const steps = [
  { name: "blender_execute_code", given: { code: TABLE } },
  { name: "blender_get_diagnostic_renders", given: { size: 128 } },
  { name: "blender_mesh_report", given: {} },
  { name: "blender_export_glb", given: { filename: "table.glb" } },
];

interface Asked {
  tools?: { function: { name: string } }[];
  messages: { role: string; content?: unknown }[];
}

const heard: Asked[] = [];
const endpoint = createServer(async (request, response) => {
  const asked = JSON.parse((await text(request)) || "{}") as Asked;
  if (asked.tools?.length) heard.push(asked);
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const delta of [answerTo(asked), {}]) {
    const isLast = Object.keys(delta).length === 0;
    const reason = isLast ? ("tool_calls" in answerTo(asked) ? "tool_calls" : "stop") : null;
    const choices = [{ index: 0, delta, finish_reason: reason }];
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    response.write(
      `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", model: "script", choices, usage })}\n\n`,
    );
  }
  response.end("data: [DONE]\n\n");
});

/** What the script says after so many results of tools. */
function answerTo({ tools, messages }: Asked): object {
  const done = messages.filter(({ role }) => role === "tool").length;
  const step = tools?.length ? steps[done] : undefined;
  if (!step) return { role: "assistant", content: "A table with four legs is in table.glb." };
  const call = { name: step.name, arguments: JSON.stringify(step.given) };
  return { role: "assistant", tool_calls: [{ index: 0, id: `call-${done}`, type: "function", function: call }] };
}

try {
  endpoint.listen(0, "127.0.0.1");
  await once(endpoint, "listening");
  const baseURL = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/v1`;
  const provider = {
    npm: "@ai-sdk/openai-compatible",
    options: { baseURL, apiKey: "none" },
    models: { script: { name: "script" } },
  };
  const blender = { type: "local", command: [process.execPath, bin, "--out", folder], enabled: true };
  const configuration = {
    provider: { desk: provider },
    model: "desk/script",
    mcp: { blender },
    share: "disabled",
    autoupdate: false,
  };
  writeFileSync(join(folder, "opencode.json"), JSON.stringify(configuration));
  const words = [
    "-y",
    AGENT,
    "run",
    "--format",
    "json",
    "--pure",
    "--auto",
    "Build a table with four legs in Blender.",
  ];
  const env = {
    ...process.env,
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    npm_config_cache: join(process.env.HOME!, ".npm"),
  };
  const running = promisify(execFile)("npx", words, { cwd: folder, env, timeout: 300_000 });
  running.child.stdin?.end();
  await running;
  const used = heard.at(-1)!.messages.filter(({ role }) => role === "tool").length;
  const mesh = await glbToMesh(readFileSync(join(folder, "table.glb")));
  console.log(`${AGENT} called ${used} tools, and made a table of ${mesh.triangles.length / 3} triangles`);
} finally {
  endpoint.closeAllConnections();
  endpoint.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
