// Blocks as the text that they are read from.

import type { Blocks } from "./blocks.ts";
import { editToText } from "./edits.ts";

/** Files, edits and commands in the form that an answer has them in. */
export function blocksToText({ files, edits, commands }: Pick<Blocks, "files" | "edits" | "commands">): string {
  const written = files.map(({ path, content }) => `===FILE: ${path}===\n${content.trimEnd()}\n===END FILE===\n`);
  const edited = edits.map(
    ({ path, edits: each }) => `===EDIT: ${path}===\n${each.map(editToText).join("")}===END EDIT===\n`,
  );
  const ran = commands.map((command) => `===CMD===\n${command}\n===END CMD===\n`);
  return [...written, ...edited, ...ran].join("\n");
}
