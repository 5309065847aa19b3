// Folders of installed packages: no part of the work, and too large to copy. Jobs see the user's own, read-only.

import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { IGNORED_NAMES } from "../folder/walk.ts";

const NAMES = ["node_modules", ".venv"];
const MOST_FOLDERS = 20_000;

/** The folders of installed packages in a folder, by path: those of such a name, and virtual environments of any name. */
export function dependenciesIn(root: string): string[] {
  const found: string[] = [];
  const open = [""];
  for (
    let count = 0, folder = open.shift();
    folder !== undefined && count < MOST_FOLDERS;
    folder = open.shift(), count++
  ) {
    for (const name of foldersIn(join(root, folder))) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (NAMES.includes(name) || existsSync(join(root, path, "pyvenv.cfg"))) found.push(path);
      else if (!IGNORED_NAMES.includes(name)) open.push(path);
    }
  }
  return found.sort();
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || (entry.isSymbolicLink() && leadsToPackages(join(folder, entry.name))))
      .map(({ name }) => name);
  } catch {
    return [];
  }
}

/** Whether a link leads to installed packages, and not to any folder of the machine's: what it leads to, jobs see. */
function leadsToPackages(link: string): boolean {
  if (!NAMES.includes(basename(link)) || !existsSync(link)) return false;
  const target = realpathSync(link);
  return NAMES.includes(basename(target)) || existsSync(join(target, "pyvenv.cfg"));
}

/** Where nothing can be mounted, a link leads to the user's own. */
export function linkOnce(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  if (!lstatSync(to, { throwIfNoEntry: false })) symlinkSync(from, to);
}
