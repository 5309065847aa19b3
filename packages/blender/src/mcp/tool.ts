// A tool as data, and how its result or its failure is told to a model.

import { ExecutionError, InfrastructureError, LoopwrightError, UsageError } from "@loopwright/core";
import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { Session } from "./server.ts";

/** Marks an answer to a call that lost its Blender, for clients of ours. */
export const CALL_LOST = "loopwright/lost";

export type Content = CallToolResult["content"][number];

export interface Tool {
  name: string;
  title: string;
  description: string;
  schema: z.ZodObject;
  /** Whether it changes the scene. */
  changes: boolean;
  run(session: Session, given: never, signal: AbortSignal): Promise<Content[]>;
}

/** A tool whose arguments are typed by its schema. */
export function defineTool<Schema extends z.ZodObject>(
  tool: Omit<Tool, "schema" | "run"> & {
    schema: Schema;
    run(session: Session, given: z.output<Schema>, signal: AbortSignal): Promise<Content[]>;
  },
): Tool {
  return tool as Tool;
}

export function text(words: string): Content {
  return { type: "text", text: words };
}

/** Facts in few characters. */
export function facts(value: unknown): Content {
  return text(JSON.stringify(value));
}

export function image(png: Uint8Array): Content {
  return { type: "image", data: Buffer.from(png).toString("base64"), mimeType: "image/png" };
}

/** Makes a tool known to a server. */
export function register(server: McpServer, session: Session, tool: Tool): void {
  const { name, title, description, schema: inputSchema, changes } = tool;
  const annotations = { readOnlyHint: !changes, destructiveHint: false, openWorldHint: false };
  server.registerTool(name, { title, description, inputSchema, annotations }, async (given, context) => {
    try {
      return { content: await tool.run(session, given as never, context.mcpReq.signal) };
    } catch (error) {
      const isOfCall = error instanceof ExecutionError || error instanceof UsageError;
      const lost = isOfCall ? {} : { _meta: { [CALL_LOST]: true } };
      return { content: [text(failure(error, changes))], isError: true, ...lost };
    }
  });
}

/** A failure in words that say how the scene stands and what to do. */
function failure(error: unknown, changes: boolean): string {
  const words = error instanceof Error ? error.message : String(error);
  const stands = changes ? "\nThe scene is as it was before this call." : "";
  if (error instanceof InfrastructureError)
    return `${words}${stands} Another Blender has taken over: go on, with code that ends sooner or takes less.`;
  if (error instanceof ExecutionError) return `${words}${stands}`;
  return error instanceof LoopwrightError ? words : `the tool failed: ${words}`;
}
