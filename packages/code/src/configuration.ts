// The block `code` of loopwright.yaml. What is given as a flag holds over it.

import { z } from "zod";

/** Rounds of looking: where nothing is said, and at most. */
export const DEFAULT_LOOKS = 4;
export const MOST_LOOKS = 20;

export const CodeConfiguration = z
  .strictObject({
    task: z.string().describe("the task's file (task.md)"),
    philosophy: z.string().describe("what stands before every prompt (philosophy.md)"),
    workspace: z.string().describe("where the program is written (workspace)"),
    minIterations: z
      .int()
      .positive()
      .describe("the least number of iterations before it may be done (2; 1 where tests are given or held out)"),
    looks: z
      .int()
      .min(0)
      .max(MOST_LOOKS)
      .describe(
        "how often the planner, and in each iteration the implementer, may ask to see more first (4; 0: never)",
      ),
    tests: z.array(z.string()).describe("given tests; no model writes any"),
    heldOut: z.array(z.string()).describe("tests that no model sees, and that decide"),
    test: z
      .string()
      .describe("what runs the tests: pytest, unittest, node, vitest, jest, or a command (found by what is there)"),
    junit: z.string().describe("where that command writes JUnit XML; without, it is one test, by its exit code"),
    allowFailing: z.boolean().describe("go on without tests that the sandbox keeps from passing (no)"),
    allowUnseen: z.boolean().describe("let changed lines pass that no test of the repository executes (no)"),
    dependencies: z
      .array(z.string())
      .describe("folders of installed packages beside .venv and node_modules: seen read-only, never copied"),
    sandbox: z.enum(["bwrap", "none"]).describe("none: programs run with your rights (bwrap)"),
  })
  .partial();
export type CodeConfiguration = z.output<typeof CodeConfiguration>;
