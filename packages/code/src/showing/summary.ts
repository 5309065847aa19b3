// The map of a workspace: its file tree with line counts, then imports and signatures, file by file. It is bounded: what does not
// fit is left out and counted, the outlines of files that the task is least about before the tree. What git ignores is not in it.

import type { FileBlock } from "@loopwright/workspace";
import { BUDGETS } from "../rank/budget.ts";
import { ignoredBy, shownSources } from "../rank/ignored.ts";
import { countLines, lineCount } from "./excerpts.ts";
import { outlineFile } from "./outline.ts";

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
  const isOut = await ignoredBy(files);
  const shown = paths.filter((path) => !isOut(path)).sort();
  const sources = await shownSources(files);
  const isLarge = sources.length > FEW;
  const ranked = async () => {
    const { rankFiles } = await import("../rank/rank.ts");
    return rankFiles({ task, files: sources }).map(({ path }) => path);
  };
  const about = isLarge ? await ranked() : [];
  const tree = treeOf(shown, new Map(files.map(({ path, content }) => [path, countLines(content)])), about);
  const room = budget * CHARACTERS_PER_TOKEN - tree.length;
  let { outlines, missed } = await outlinesWithin(sources, about, room, isLarge ? MOST_MISSES : Infinity);
  if (!isLarge && missed > 0) ({ outlines, missed } = await outlinesWithin(sources, await ranked(), room, Infinity));
  const leftOut = isLarge ? sources.filter(({ content }) => content.trim() !== "").length - outlines.length : missed;
  const ignored = paths.length - shown.length;
  const rest = [
    ...(leftOut > 0 ? [`… the outlines of ${leftOut} more files are left out`] : []),
    ...(ignored > 0
      ? [`… ${ignored} ${ignored === 1 ? "file" : "files"} that git ignores ${ignored === 1 ? "is" : "are"} not listed`]
      : []),
  ];
  return [`Files:\n${tree}`, ...outlines, ...rest].join("\n\n");
}

/** The outlines of files that the task is about, then of others, as far as there is room; in the order of their paths. */
async function outlinesWithin(
  sources: readonly FileBlock[],
  about: readonly string[],
  room: number,
  mostMisses: number,
): Promise<{ outlines: string[]; missed: number }> {
  const contents = new Map(byPath(sources).map(({ path, content }) => [path, content]));
  const chosen: { path: string; text: string }[] = [];
  let [left, missed, running] = [room, 0, 0];
  for (const path of new Set([...about, ...contents.keys()])) {
    if (running >= mostMisses) break;
    const text = await outlineText(path, contents.get(path)!);
    if (text === undefined) continue;
    const fits = text.length <= left;
    running = fits ? 0 : running + 1;
    if (!fits) missed++;
    else {
      chosen.push({ path, text });
      left -= text.length + 2;
    }
  }
  return { outlines: byPath(chosen).map(({ text }) => text), missed };
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

const MOST_FILES = 200;
const MOST_FOLDERS = 80;
const MOST_ABOUT = 60;

/** The tree as lines; `about` are paths that the task is about, the first above the others. */
export function treeOf(paths: readonly string[], lines: ReadonlyMap<string, number>, about: readonly string[]): string {
  const line = (path: string) => `${path} (${lines.has(path) ? lineCount(lines.get(path)!) : "not shown"})`;
  if (paths.length <= MOST_FILES) return paths.map(line).join("\n");
  const listed = about.slice(0, MOST_ABOUT).sort();
  const folders = foldersOf(paths);
  const more = folders.length - MOST_FOLDERS;
  return [
    ...folders
      .slice(0, MOST_FOLDERS)
      .map(([folder, files]) => `${folder} (${files} ${files === 1 ? "file" : "files"})`),
    ...(more > 0 ? [`… and ${more} more folders`] : []),
    ...(listed.length > 0 ? ["Of these, the task may be about:", ...listed.map(line)] : []),
  ].join("\n");
}

/** The folders as deep as few enough of them tell all files. */
function foldersOf(paths: readonly string[]): [string, number][] {
  const depths = Math.max(...paths.map((path) => path.split("/").length));
  for (let depth = depths; ; depth--) {
    const counts = new Map<string, number>();
    for (const path of paths) {
      const folder = `${path.split("/").slice(0, -1).slice(0, depth).join("/") || "."}/`;
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    if (counts.size <= MOST_FOLDERS || depth <= 1) return [...counts];
  }
}
