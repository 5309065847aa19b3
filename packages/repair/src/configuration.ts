// The block `repair` of loopwright.yaml.

import { z } from "zod";

export const RepairConfiguration = z
  .strictObject({
    workspace: z.string().describe("the program's folder (the project's own)"),
    tests: z.array(z.string()).describe("the tests; else those that the runner finds"),
    heldOut: z.array(z.string()).describe("tests that decide, and that the search does not see"),
    test: z
      .string()
      .describe("what runs the tests: pytest, unittest, node, vitest, jest, or a command (found by what is there)"),
    junit: z.string().describe("where that command writes JUnit XML; without, it is one test, by its exit code"),
    dependencies: z
      .array(z.string())
      .describe("folders of installed packages beside .venv and node_modules: seen read-only, never copied"),
    sandbox: z.enum(["bwrap", "none"]).describe("none: programs run with your rights (bwrap)"),
  })
  .partial();
