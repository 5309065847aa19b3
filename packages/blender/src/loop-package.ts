// What Blender brings along: its server as a command, and what it needs of the machine.

import { defineLoopPackage, type Flag } from "@loopwright/core";

export const flags: readonly Flag[] = [
  {
    name: "http",
    value: "PORT",
    kind: "whole",
    help: "serve on 127.0.0.1:PORT in place of stdio; 0 takes any that is free",
  },
  { name: "out", value: "DIR", help: "where exported files are written (blender-output)" },
  { name: "baseline", value: "FILE", help: "a .blend that the scene begins with (empty)" },
  { name: "files", value: "DIR", help: "a folder that code in Blender may read, at /files" },
  {
    name: "sandbox",
    value: "KIND",
    kind: ["bwrap", "none"],
    help: "bwrap, or none: code that a model wrote then runs with your rights",
  },
];

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
