// The summary of a workspace: its file tree with line counts, then imports and signatures, file by file. It is bounded:
// what does not fit is left out and counted, the outlines of files that the task is least about before the tree.

import type { FileBlock } from "@loopwright/workspace";
import { relevantFiles } from "../asking/relevant.ts";
import { outlineFile } from "./outline.ts";

export const EMPTY_WORKSPACE = "(empty workspace)";
const MOST_FILES = 400;
const MOST_CHARACTERS = 24_000;
/** Files that are parsed; there is room for the outlines of far fewer. */
const MOST_PARSED = 4_000;

/** What a workspace holds. A file that is too large or no text has a path and no content. */
export async function summariseWorkspace(
  paths: readonly string[],
  files: readonly FileBlock[],
  task = "",
): Promise<string> {
  if (paths.length === 0) return EMPTY_WORKSPACE;
  const contents = new Map(files.map(({ path, content }) => [path, content]));
  const sorted = [...paths].sort();
  const tree = sorted.slice(0, MOST_FILES).map((path) => treeLine(path, contents.get(path)));
  if (sorted.length > MOST_FILES) tree.push(`… and ${sorted.length - MOST_FILES} more files`);
  const known = sorted.filter((path) => contents.has(path));
  const outlines = new Map<string, string>();
  for (const path of known.slice(0, MOST_PARSED)) {
    const text = await outlineText(path, contents.get(path)!);
    if (text !== undefined) outlines.set(path, text);
  }
  const chosen = choose(outlines, files, task, MOST_CHARACTERS - tree.join("\n").length);
  const leftOut = outlines.size - chosen.length + Math.max(0, known.length - MOST_PARSED);
  const rest = leftOut > 0 ? [`… the outlines of ${leftOut} more files are left out`] : [];
  return [`Files:\n${tree.join("\n")}`, ...chosen, ...rest].join("\n\n");
}

/** The outlines that there is room for: those of files that the task is about first, all in the order of their paths. */
function choose(
  outlines: ReadonlyMap<string, string>,
  files: readonly FileBlock[],
  task: string,
  room: number,
): string[] {
  const isAllThere = [...outlines.values()].reduce((sum, text) => sum + text.length + 2, 0) <= room;
  const about = isAllThere ? [] : relevantFiles(task, "", files, outlines.size).map(({ path }) => path);
  const chosen = new Set<string>();
  let left = room;
  for (const path of new Set([...about, ...outlines.keys()])) {
    const text = outlines.get(path);
    if (text === undefined || text.length > left) continue;
    chosen.add(path);
    left -= text.length + 2;
  }
  return [...outlines].filter(([path]) => chosen.has(path)).map(([, text]) => text);
}

function treeLine(path: string, content: string | undefined): string {
  return content === undefined ? `${path} (not shown)` : `${path} (${countLines(content)} lines)`;
}

async function outlineText(path: string, content: string): Promise<string | undefined> {
  const outline = await outlineFile(path, content);
  if (!outline) return undefined;
  const { imports, signatures, brokenAt } = outline;
  const notes = brokenAt === undefined ? [] : [`  (does not parse: line ${brokenAt}; what follows may be incomplete)`];
  const lines = [...notes, ...imports.map((line) => `  ${line}`), ...signatures.map((line) => `  ${line}`)];
  return lines.length === 0 ? undefined : `${path}:\n${lines.join("\n")}`;
}

function countLines(content: string): number {
  if (content === "") return 0;
  return content.split("\n").length - (content.endsWith("\n") ? 1 : 0);
}
