// What a repository's own `.gitignore` files leave out. Whether git tracks a file in spite of them is not asked: what is left out
// is only not shown.

import type { FileBlock } from "@loopwright/workspace";
import { grammarOf } from "@loopwright/workspace/grammar";

/** Whether a path is ignored, by the `.gitignore` files among these. */
export async function ignoredBy(files: readonly FileBlock[]): Promise<(path: string) => boolean> {
  const own = files.filter(({ path }) => /(?:^|\/)\.gitignore$/.test(path));
  if (own.length === 0) return () => false;
  const { default: ignore } = await import("ignore");
  const rules = own
    .map(({ path, content }) => ({ base: parentOf(path), of: ignore({ ignorecase: false }).add(content) }))
    // A file further down is read later, and so decides.
    .sort((a, b) => a.base.length - b.base.length);
  const isNamed = (path: string): boolean => {
    const within = rules.filter(({ base }) => path.startsWith(base) && path !== base);
    const said = within.map(({ base, of }) => of.test(path.slice(base.length)));
    return said.findLast(({ ignored, unignored }) => ignored || unignored)?.ignored === true;
  };
  const folders = new Map([["", false]]);
  const isFolderOut = (folder: string): boolean => {
    const isOut = folders.get(folder) ?? (isFolderOut(parentOf(folder.slice(0, -1))) || isNamed(folder));
    folders.set(folder, isOut);
    return isOut;
  };
  return (path) => isFolderOut(parentOf(path)) || isNamed(path);
}

/** The sources among a workspace's files that may be shown. */
export async function shownSources(files: readonly FileBlock[]): Promise<FileBlock[]> {
  const isOut = await ignoredBy(files);
  return files.filter(({ path }) => grammarOf(path) !== undefined && !isOut(path));
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}
