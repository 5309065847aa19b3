// Folders of installed packages: no part of the work, and too large to copy. Jobs see the user's own, read-only.

import { existsSync, lstatSync, readdirSync, realpathSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { lookAt } from "@loopwright/sandbox";
import { makeFolder } from "../folder/files.ts";
import { IGNORED_NAMES } from "../folder/walk.ts";

const NAMES = ["node_modules", ".venv"];
const MOST_FOLDERS = 20_000;

/** The folders of installed packages in a folder, by path: those that are named, those of a usual name, and virtual
 * environments of any name. */
export function dependenciesIn(root: string, named: readonly string[] = []): string[] {
  const found = [...named];
  const folders = [""];
  for (const folder of folders) {
    for (const name of foldersIn(join(root, folder))) {
      const path = join(folder, name);
      if (named.includes(path)) continue;
      if (NAMES.includes(name) || existsSync(join(root, path, "pyvenv.cfg"))) found.push(path);
      else if (!IGNORED_NAMES.includes(name) && folders.length < MOST_FOLDERS) folders.push(path);
    }
  }
  return found.filter((path) => isPackages(root, path)).sort();
}

/** The caches that tools have made in folders of installed packages: jobs have an empty one of their own there. */
export function cachesIn(packages: ReadonlyMap<string, string>): string[] {
  const isThere = (place: string) => lstatSync(join(place, ".cache"), { throwIfNoEntry: false })?.isDirectory();
  return [...packages].flatMap(([path, place]) => (isThere(place) ? [join(path, ".cache")] : []));
}

/** Jobs see what is found: a link that came with the folder may lead to packages elsewhere, and to nothing else. */
function isPackages(root: string, path: string): boolean {
  if (!existsSync(join(root, path))) return false;
  const [real, inside] = [realpathSync(join(root, path)), `${realpathSync(root)}/`];
  return real.startsWith(inside) || NAMES.includes(basename(real)) || existsSync(join(real, "pyvenv.cfg"));
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || (entry.isSymbolicLink() && NAMES.includes(entry.name)))
      .map(({ name }) => name);
  } catch {
    return [];
  }
}

/** Where nothing can be mounted, a link of the checkout leads to the user's own. */
export function linkOnce(checkout: string, path: string, to: string): void {
  makeFolder(checkout, dirname(path));
  if (!lookAt(join(checkout, path))) symlinkSync(to, join(checkout, path));
}
