// The server's flags, for `loopwright mcp blender` and for the program that is nothing but the server.

import type { Flag } from "@loopwright/core";

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
