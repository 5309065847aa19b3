// What Blender brings along: its server as a command, and what it needs of the machine.

import { defineLoopPackage } from "@loopwright/core";
import { flags } from "./commands/flags.ts";

export default defineLoopPackage({
  commands: [
    {
      name: "mcp",
      summary: "serve a sandboxed, headless Blender to any MCP client",
      details:
        "The server speaks MCP on stdin and stdout, which is how clients start it; with --http on this machine's own address, for\n" +
        "whoever has the token. docs/blender-mcp.md has the snippets for Claude Code, Codex, Cursor and VS Code.",
      arguments: [{ name: "server", help: "the one to serve", offers: ["blender"] }],
      flags,
      examples: ["loopwright mcp blender", "loopwright mcp blender --http 8765 --out models"],
      run: async (context) => (await import("./commands/main.ts")).runMcp(context),
    },
  ],
  doctor: async () => (await import("./program.ts")).examine(),
});
