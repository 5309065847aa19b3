// The MCP server: its tools, and the two ways to reach it.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { McpServer } from "@modelcontextprotocol/server";
import { Session } from "./session.ts";
import { register, type Tool } from "./tool.ts";
import { fileTools } from "./tools/files.ts";
import { nodeTools } from "./tools/nodes.ts";
import { sceneTools } from "./tools/scene.ts";
import { viewTools } from "./tools/views.ts";

export const tools: readonly Tool[] = [...sceneTools, ...viewTools, ...nodeTools, ...fileTools];

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8")) as {
  version: string;
};

const INSTRUCTIONS =
  "A headless Blender with one scene. Build it with execute_code or the geonode tools, look with get_diagnostic_renders, measure with " +
  "mesh_report, hand it on with export_glb. A call that fails leaves the scene as it was; undo_last_step takes back one that went well.";

/** A server on a session; several may share one. */
export function makeServer(session: Session): McpServer {
  const server = new McpServer(
    { name: "loopwright-blender", title: "Blender", version },
    { instructions: INSTRUCTIONS },
  );
  for (const tool of tools) register(server, session, tool);
  return server;
}

export { Session };
