// The block `hull` of loopwright.yaml. What is given as a flag, or by the task, holds over it.

import { MaxRetries } from "@loopwright/core";
import { z } from "zod";

export const HullConfiguration = z
  .strictObject({
    max_retries: MaxRetries,
    workcell: z
      .strictObject({
        mcp: z
          .strictObject({
            command: z.array(z.string()).min(1).describe("the program that serves MCP on stdio, and its arguments"),
            url: z.url().describe("or where it serves MCP by HTTP"),
            tools: z.record(z.string(), z.string()).describe("what it calls execute_code and get_scene_info"),
          })
          .partial()
          .describe("another Blender MCP server in place of ours; it has no sandbox, so it needs --sandbox none"),
      })
      .partial()
      .describe("where the model is built"),
  })
  .partial();
export type HullConfiguration = z.output<typeof HullConfiguration>;
