// The requests as tools, for models that have them. They do what the lines do, and are answered in the next question.

import type { Json, ModelTool } from "@loopwright/core";

export const lookTools: readonly ModelTool[] = [
  tool("read", "Shows a text file of the workspace, or lines of it.", {
    path: text("from the workspace's folder; path:name shows one function or class"),
    from: { type: "integer", description: "the first line, from 1; left out, the file's first" },
    to: { type: "integer", description: "the last line; left out, as far as there is room" },
  }),
  tool("grep", "Shows where a text stands in the workspace.", {
    pattern: text("a text, or a regular expression, looked for line by line"),
  }),
  tool("list", "Lists what a folder of the workspace holds.", {
    folder: text("from the workspace's folder; . for all"),
  }),
  tool("run", "Runs tests on the program as it is now, and shows what they say.", {
    test: text("a test file, or a test by its name"),
  }),
];

function text(description: string): Json {
  return { type: "string", description };
}

/** The first argument is wanted, the others may be left out. */
function tool(name: string, description: string, properties: Record<string, Json>): ModelTool {
  const required = Object.keys(properties).slice(0, 1);
  return { name, description, parameters: { type: "object", properties, required, additionalProperties: false } };
}
