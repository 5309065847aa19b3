// What a person changed in the project's files since the last commit, by what the files belong to.

import {
  ANALYSIS_FOLDER,
  folderOf,
  KEPT_FILE,
  PROJECT_FILE,
  STALENESS_FILE,
  STYLE_FILE,
  TAXONOMY_FILE,
  TEMPLATES_FILE,
} from "../manuscript/files/layout.ts";
import { levels } from "../types.ts";
import { git, type Place, toProjectPath, toRepositoryPath } from "./place.ts";
import type { TreeEntry } from "./trees.ts";
import type { HandEdit, Part } from "./types.ts";

const PROJECT_FILES = [
  ".gitignore",
  PROJECT_FILE,
  TAXONOMY_FILE,
  STALENESS_FILE,
  KEPT_FILE,
  STYLE_FILE,
  TEMPLATES_FILE,
];
const partFolders: readonly (readonly [Part, string])[] = [
  ...levels.map((level) => [level, folderOf(level)] as const),
  ["analysis", ANALYSIS_FOLDER],
];
/** Untracked files of other names (an editor's copies, pictures, a `.DS_Store`) are a person's own business. */
const TEXT_FILE = /(?:^|\/)[^./~#][^/]*\.(?:md|json|ya?ml)$/;

/** A file that differs from the last commit. */
export interface Dirty {
  /** From the project's folder. */
  path: string;
  part: Part;
  /** Set where the index holds another version than both the last commit and the work tree. */
  staged?: TreeEntry | undefined;
}

/** What a file of a project belongs to; undefined for files that are none of ours. */
export function partOf(path: string): Part | undefined {
  if (PROJECT_FILES.includes(path)) return "project";
  return partFolders.find(([, folder]) => path.startsWith(`${folder}/`))?.[0];
}

/** The project's files that differ from the last commit. */
export async function findDirty(place: Place): Promise<Dirty[]> {
  const places = [...PROJECT_FILES, ...partFolders.map(([, folder]) => folder)];
  const output = await git(place, [
    "status",
    "--porcelain=v2",
    "-z",
    "--untracked-files=all",
    "--no-renames",
    "--ignore-submodules=all",
    "--",
    ...places.map((path) => toRepositoryPath(place, path)),
  ]);
  return output
    .toString()
    .split("\0")
    .flatMap((line) => dirtyOf(place, line));
}

/** Dirty files gathered by part, in the order of the levels. */
export function toHandEdits(dirty: readonly Dirty[]): HandEdit[] {
  const order: readonly Part[] = ["project", ...levels, "analysis"];
  return order.flatMap((part) => {
    const paths = dirty.filter((each) => each.part === part).map(({ path }) => path);
    return paths.length > 0 ? [{ part, paths: [...new Set(paths)].sort() }] : [];
  });
}

/** A line of `git status`: `1 XY sub mH mI mW hH hI path`, or `? path`. */
function dirtyOf(place: Place, line: string): Dirty[] {
  const isUntracked = line.startsWith("? ");
  if (!isUntracked && !line.startsWith("1 ")) return [];
  const fields = line.split(" ");
  const path = toProjectPath(place, fields.slice(isUntracked ? 1 : 8).join(" "));
  const part = path === undefined ? undefined : partOf(path);
  if (path === undefined || part === undefined || (isUntracked && part !== "project" && !TEXT_FILE.test(path)))
    return [];
  const [inIndex, inWorkTree] = isUntracked ? "??" : fields[1]!;
  const isBetween = !isUntracked && inIndex !== "." && inIndex !== "D" && inWorkTree !== ".";
  return [{ path, part, staged: isBetween ? { mode: fields[4]!, blob: fields[7]! } : undefined }];
}
