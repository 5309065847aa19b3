// What is left out of snapshots is no place for a program either: it would be run, and neither judged nor delivered.

import { join } from "node:path";
import { listFolder, removeAll, takeTurns } from "@loopwright/sandbox";
import { isIgnored } from "./walk.ts";

/** Removes caches and folders of installed packages that a program has made in a checkout, and whatever stands at the paths of
 * `hidden`; `keep` names those that are given. */
export async function clearCaches(root: string, keep: readonly string[], hidden: readonly string[]): Promise<void> {
  const turn = takeTurns();
  await inside("");

  async function inside(above: string): Promise<void> {
    for (const entry of listFolder(join(root, above))) {
      await turn();
      const path = join(above, entry.name);
      const isHidden = hidden.includes(path);
      if ((keep.includes(path) && !isHidden) || entry.name.toLowerCase() === ".git") continue;
      if (isHidden || isIgnored(entry.name)) await removeAll(join(root, path));
      else if (entry.isDirectory()) await inside(path);
    }
  }
}
