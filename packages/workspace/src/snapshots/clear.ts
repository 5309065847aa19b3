// Taking out of a workspace whatever a snapshot does not hold, however deep or many it is.

import type { Dirent } from "node:fs";
import { join } from "node:path";
import { listFolder, removeAll, takeTurns } from "@loopwright/sandbox";
import { isIgnored, isWithin } from "../folder/walk.ts";
import { foldersOf, type Tree } from "./tree.ts";

/** Clears a workspace for a tree: what it leaves is of the tree's kinds, or ignored. A folder that the tree does not have
 * goes whole. */
export async function clear(root: string, tree: Tree, ignore: readonly string[], signal?: AbortSignal): Promise<void> {
  const folders = foldersOf(tree);
  const turn = takeTurns(signal);
  await inside("");

  async function inside(above: string): Promise<void> {
    for (const entry of listFolder(join(root, above))) {
      await turn();
      const path = join(above, entry.name);
      if (isIgnored(entry.name) || ignore.includes(path)) continue;
      if (!stays(path, entry)) await removeAll(join(root, path));
      else if (entry.isDirectory()) await inside(path);
    }
  }

  function stays(path: string, entry: Dirent): boolean {
    if (entry.isDirectory()) return folders.has(path) || ignore.some((each) => isWithin(each, path));
    const kept = tree.files.get(path);
    return kept !== undefined && (kept.mode === "120000" ? entry.isSymbolicLink() : entry.isFile());
  }
}
