// The tree of a workspace: every file with its lines where they are few, else the folders with how many files each holds, and the
// files that the task is most about. Pure.

import { lineCount } from "../showing/count-words.ts";

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

/** The lines of a text; a last line without an end is one. */
export function countLines(content: string): number {
  if (content === "") return 0;
  return content.split("\n").length - (content.endsWith("\n") ? 1 : 0);
}
