// Where a task in words is done when nothing else is said: in the project's folder where there is a program in it.

import { type Dirent, existsSync, readdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { usage } from "@loopwright/core";

const FOLDER = "workspace";
const SOURCE =
  /\.(?:py|pyi|[cm]?[jt]s|[jt]sx|go|rs|java|kt|c|cc|cpp|cxx|h|hpp|cs|rb|php|swift|scala|pl|lua|sh|ex|exs|hs|ml)$/i;
const MANIFEST = /^(?:package\.json|pyproject\.toml|setup\.(?:py|cfg)|Cargo\.toml|go\.mod|Makefile|CMakeLists\.txt)$/;
/** What is no program of the folder's own. */
const SKIPPED = new Set([FOLDER, "runs", "prompts", "node_modules", "venv", "__pycache__"]);
const DEPTH = 3;
const MOST_ENTRIES = 5_000;

/** The usual workspace of a task: the folder `workspace`, or for one in words the folder itself. */
export function usualWorkspace(dir: string, words: string | undefined): string {
  if (words === undefined || !hasProgram(dir)) return FOLDER;
  if (existsSync(homedir()) && realpathSync(dir) === realpathSync(homedir()))
    throw usage("your home folder is no workspace", "go to the program's own folder, or name it: --workspace DIR");
  return ".";
}

/** Whether a folder holds a program: a source, or what builds one, not too deep in it. */
export function hasProgram(dir: string): boolean {
  let left = MOST_ENTRIES;
  let level = [dir];
  for (let depth = 0; depth < DEPTH && level.length > 0; depth++) {
    const next: string[] = [];
    for (const folder of level) {
      for (const entry of entriesOf(folder)) {
        if (left-- <= 0) return false;
        if (entry.isFile() && (SOURCE.test(entry.name) || MANIFEST.test(entry.name))) return true;
        if (entry.isDirectory() && !entry.name.startsWith(".") && !SKIPPED.has(entry.name))
          next.push(join(folder, entry.name));
      }
    }
    level = next;
  }
  return false;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
