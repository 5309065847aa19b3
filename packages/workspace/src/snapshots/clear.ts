// Taking out of a workspace whatever a snapshot does not hold, however deep or many it is.

import { listing, type OpenFolder, removing, type Work } from "@loopwright/sandbox";
import { isIgnored, isWithin, openRoot, textOf } from "../folder/walk.ts";
import { foldersOf, type Tree } from "./tree.ts";

/** Clears a workspace for a tree: what it leaves is of the tree's kinds, or ignored. A folder that the tree does not have
 * goes whole. */
export function* clearing(root: string, tree: Tree, ignore: readonly string[]): Work<void> {
  const folders = foldersOf(tree);
  using top = openRoot(root);
  yield* inside(top, "");

  function* inside(folder: OpenFolder, above: string): Work<void> {
    for (const { name, kind } of yield* listing(folder)) {
      yield;
      const text = textOf(name);
      const path = above === "" ? text : `${above}/${text}`;
      if (text !== undefined && (isIgnored(text) || ignore.includes(path!))) continue;
      if (text === undefined || !stays(path!, kind)) yield* removing(folder, name);
      else if (kind === "folder") {
        using inner = folder.enter(name);
        if (inner) yield* inside(inner, path!);
      }
    }
  }

  function stays(path: string, kind: string): boolean {
    const kept = tree.files.get(path);
    if (kind === "folder") return folders.has(path) || ignore.some((each) => isWithin(each, path));
    return kept !== undefined && kind === (kept.mode === "120000" ? "link" : "file");
  }
}
