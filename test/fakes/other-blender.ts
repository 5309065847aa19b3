// Another Blender MCP server, as one finds them: three tools, names of its own, no sandbox. Run by its path, on stdio.

import { Blender } from "@loopwright/blender";
import { openSandbox } from "@loopwright/sandbox";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const blender = await Blender.start({ sandbox: await openSandbox("none"), hasSpare: false });
const text = (words: string) => ({ content: [{ type: "text" as const, text: words }] });

function makeServer(): McpServer {
  const server = new McpServer({ name: "other-blender", version: "1.0.0" });
  server.registerTool("run_python", { inputSchema: z.object({ code: z.string() }) }, async ({ code }) => {
    try {
      return text(`Code executed successfully: ${(await blender.execute(code)).output}`);
    } catch (error) {
      return text(`Error executing code: ${(error as Error).message}`);
    }
  });
  server.registerTool("get_scene_info", { inputSchema: z.object({}) }, async () =>
    text(JSON.stringify(await blender.scene())),
  );
  server.registerTool("get_viewport_screenshot", { inputSchema: z.object({}) }, async () => text("no window"));
  return server;
}

serveStdio(makeServer);
process.stdin.once("close", () => void blender.stop().finally(() => process.exit(0)));
