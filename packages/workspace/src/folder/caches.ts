// What is left out of snapshots is no place for a program either: it would be run, and neither judged nor delivered.

import { inSlices, listing, type OpenFolder, removing, type Work } from "@loopwright/sandbox";
import { isIgnored, openRoot, textOf } from "./walk.ts";

/** Removes caches and folders of installed packages that a program has made in a checkout, and whatever stands at the paths of
 * `hidden`; `keep` names those that are given. */
export function clearCaches(root: string, keep: readonly string[], hidden: readonly string[]): Promise<void> {
  return inSlices(clearing(root, keep, hidden));
}

function* clearing(root: string, keep: readonly string[], hidden: readonly string[]): Work<void> {
  using top = openRoot(root);
  yield* inside(top, "");

  function* inside(folder: OpenFolder, above: string): Work<void> {
    for (const { name, kind } of yield* listing(folder)) {
      yield;
      const text = textOf(name);
      const path = above === "" ? text : `${above}/${text}`;
      const isHidden = path !== undefined && hidden.includes(path);
      if (text === undefined || (keep.includes(path!) && !isHidden) || text.toLowerCase() === ".git") continue;
      if (isHidden || isIgnored(text)) yield* removing(folder, name);
      else if (kind === "folder") {
        using inner = folder.enter(name);
        if (inner) yield* inside(inner, path!);
      }
    }
  }
}
