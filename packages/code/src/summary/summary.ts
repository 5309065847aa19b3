// The map of a workspace: its file tree with line counts, then imports and signatures, file by file. It is bounded: what does not
// fit is left out and counted, the outlines of files that the task is least about before the tree. What git ignores is not in it.

import type { FileBlock } from "@loopwright/workspace";
import { BUDGETS } from "../rank/budget.ts";
import { shownSources } from "../rank/context.ts";
import { ignoredBy } from "../rank/ignored.ts";
import { rankFiles } from "../rank/rank.ts";
import { outlineFile } from "./outline.ts";
import { countLines, treeOf } from "./tree.ts";

export const EMPTY_WORKSPACE = "(empty workspace)";
const CHARACTERS_PER_TOKEN = 4;
/** In a workspace of so many sources all are parsed; of more, those that the task is about, until there is no room. */
const FEW = 60;
/** So many outlines in a row that do not fit, and no more are tried. */
const MOST_MISSES = 12;

/** What a workspace holds. A file that is too large or no text has a path and no content. */
export async function summarizeWorkspace(
  paths: readonly string[],
  files: readonly FileBlock[],
  task = "",
  budget: number = BUDGETS.map,
): Promise<string> {
  if (paths.length === 0) return EMPTY_WORKSPACE;
  const isOut = ignoredBy(files);
  const shown = paths.filter((path) => !isOut(path)).sort();
  const sources = shownSources(files);
  const isLarge = sources.length > FEW;
  const about = isLarge ? rankFiles({ task, files: sources }).map(({ path }) => path) : [];
  const tree = treeOf(shown, new Map(files.map(({ path, content }) => [path, countLines(content)])), about);
  const room = budget * CHARACTERS_PER_TOKEN - tree.length;
  const { outlines, leftOut } = isLarge
    ? await someOutlines(sources, about, room)
    : await allOutlines(sources, task, room);
  const ignored = paths.length - shown.length;
  const rest = [
    ...(leftOut > 0 ? [`… the outlines of ${leftOut} more files are left out`] : []),
    ...(ignored > 0
      ? [`… ${ignored} ${ignored === 1 ? "file" : "files"} that git ignores ${ignored === 1 ? "is" : "are"} not listed`]
      : []),
  ];
  return [`Files:\n${tree}`, ...outlines, ...rest].join("\n\n");
}

interface Outlines {
  /** In the order of their paths. */
  outlines: string[];
  leftOut: number;
}

/** Every outline where there is room; else those of files that the task is about first. */
async function allOutlines(sources: readonly FileBlock[], task: string, room: number): Promise<Outlines> {
  const texts = new Map<string, string>();
  for (const { path, content } of byPath(sources)) {
    const text = await outlineText(path, content);
    if (text !== undefined) texts.set(path, text);
  }
  const isAllThere = [...texts.values()].reduce((sum, text) => sum + text.length + 2, 0) <= room;
  const about = isAllThere ? [] : rankFiles({ task, files: sources }).map(({ path }) => path);
  const chosen = new Set<string>();
  let left = room;
  for (const path of new Set([...about, ...texts.keys()])) {
    const text = texts.get(path);
    if (text === undefined || text.length > left) continue;
    chosen.add(path);
    left -= text.length + 2;
  }
  const outlines = [...texts].filter(([path]) => chosen.has(path)).map(([, text]) => text);
  return { outlines, leftOut: texts.size - outlines.length };
}

/** The outlines of files that the task is about, then of others, until there is no room. */
async function someOutlines(sources: readonly FileBlock[], about: readonly string[], room: number): Promise<Outlines> {
  const contents = new Map(byPath(sources).map(({ path, content }) => [path, content]));
  const chosen: { path: string; text: string }[] = [];
  let [left, misses] = [room, 0];
  for (const path of new Set([...about, ...contents.keys()])) {
    if (misses >= MOST_MISSES) break;
    const text = await outlineText(path, contents.get(path)!);
    if (text === undefined) continue;
    misses = text.length > left ? misses + 1 : 0;
    if (text.length > left) continue;
    chosen.push({ path, text });
    left -= text.length + 2;
  }
  const nonempty = sources.filter(({ content }) => content.trim() !== "").length;
  return { outlines: byPath(chosen).map(({ text }) => text), leftOut: nonempty - chosen.length };
}

function byPath<File extends { path: string }>(files: readonly File[]): File[] {
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

async function outlineText(path: string, content: string): Promise<string | undefined> {
  const outline = await outlineFile(path, content);
  if (!outline) return undefined;
  const { imports, signatures, brokenAt } = outline;
  const notes = brokenAt === undefined ? [] : [`  (does not parse: line ${brokenAt}; what follows may be incomplete)`];
  const lines = [...notes, ...imports.map((line) => `  ${line}`), ...signatures.map((line) => `  ${line}`)];
  return lines.length === 0 ? undefined : `${path}:\n${lines.join("\n")}`;
}
