// What git says of the repository and of the project's files: whether there can be a commit now, and what a person
// changed since the last one. Every state that stands in the way has its words, and what to type.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import {
  ANALYSIS_FOLDER,
  folderOf,
  PROJECT_FILE,
  STALENESS_FILE,
  STYLE_FILE,
  TAXONOMY_FILE,
  TEMPLATES_FILE,
} from "../manuscript/files/layout.ts";
import { levels } from "../types.ts";
import { askGit, git, type Place } from "./place.ts";
import type { HandEdit, Part } from "./types.ts";

const projectFiles = [".gitignore", PROJECT_FILE, TAXONOMY_FILE, STALENESS_FILE, STYLE_FILE, TEMPLATES_FILE];
const partFolders: readonly (readonly [Part, string])[] = [
  ...levels.map((level) => [level, folderOf(level)] as const),
  ["analysis", ANALYSIS_FOLDER],
];
/** Untracked files of other names (an editor's copies, pictures, a `.DS_Store`) are a person's own business. */
const TEXT_FILE = /(?:^|\/)[^./~#][^/]*\.(?:md|json|ya?ml)$/;

/** A file of the project that differs from the last commit. */
interface Dirty {
  path: string;
  isUntracked: boolean;
}

export interface Status {
  isDetached: boolean;
  /** Whether there is no commit yet. */
  isUnborn: boolean;
  /** Files with conflicts. */
  unmerged: string[];
  dirty: Dirty[];
}

/** Asks git for some paths, all of the project's where none are named. */
export async function readStatus(place: Place, paths?: readonly string[]): Promise<Status> {
  const options = [
    "--porcelain=v2",
    "--branch",
    "-z",
    "--untracked-files=all",
    "--no-renames",
    "--ignore-submodules=all",
  ];
  const asked = paths ?? [...projectFiles, ...partFolders.map(([, folder]) => folder)];
  const lines = (await git(place, ["status", ...options, "--", ...asked])).split("\0");
  const pathOf = (line: string, fields: number) => line.split(" ").slice(fields).join(" ").slice(place.prefix.length);
  return {
    isDetached: lines.includes("# branch.head (detached)"),
    isUnborn: lines.includes("# branch.oid (initial)"),
    unmerged: lines.filter((line) => line.startsWith("u ")).map((line) => pathOf(line, 10)),
    dirty: lines.flatMap((line) => {
      const isUntracked = line.startsWith("? ");
      return isUntracked || line.startsWith("1 ") ? [{ path: pathOf(line, isUntracked ? 1 : 8), isUntracked }] : [];
    }),
  };
}

/** A person's changes by part, in the order of the levels. */
export function handEditsOf({ dirty }: Status): HandEdit[] {
  const order: readonly Part[] = ["project", ...levels, "analysis"];
  const ours = dirty.filter(
    ({ path, isUntracked }) => !isUntracked || partOf(path) === "project" || TEXT_FILE.test(path),
  );
  return order.flatMap((part) => {
    const paths = ours.filter(({ path }) => partOf(path) === part).map(({ path }) => path);
    return paths.length > 0 ? [{ part, paths: [...new Set(paths)].sort() }] : [];
  });
}

function partOf(path: string): Part | undefined {
  if (projectFiles.includes(path)) return "project";
  return partFolders.find(([, folder]) => path.startsWith(`${folder}/`))?.[0];
}

/** What git may be in the middle of, by the file that says so. */
const unfinished: readonly { mark: string; what: string; command: string }[] = [
  { mark: "rebase-merge", what: "a rebase", command: "rebase" },
  { mark: "rebase-apply/applying", what: "git am", command: "am" },
  { mark: "rebase-apply", what: "a rebase", command: "rebase" },
  { mark: "MERGE_HEAD", what: "a merge", command: "merge" },
  { mark: "CHERRY_PICK_HEAD", what: "a cherry-pick", command: "cherry-pick" },
  { mark: "REVERT_HEAD", what: "a revert", command: "revert" },
];

/** Milliseconds for which a lock of the index is waited for. */
const LOCK_PATIENCE = 1_000;

/** Why nothing can be committed, and what to type; or the project's files as git sees them, where all is well. */
export async function describeState(place: Place): Promise<string | Status> {
  const { folder, root, gitDir, prefix } = place;
  if (prefix !== "" && !(await isShared(place)))
    return `${folder} has no repository of its own and lies inside a larger one, ${root}. Type one of:
  git init "${folder}"   (its own repository)
  git -C "${root}" config loopwright.shared true   (commit into the larger one; only the novel's own files are touched)`;
  const found = unfinished.find(({ mark }) => existsSync(join(gitDir, mark)));
  if (found)
    return `${found.what} is under way in ${root}, and nothing can be committed before it ends. Type: git ${found.command} --continue (to finish it) or git ${found.command} --abort (to give it up)`;
  const status = await readStatus(place);
  const { unmerged, isDetached } = status;
  if (unmerged.length > 0)
    return `${folder} has conflicts that are not resolved: ${unmerged.join(", ")}. Edit these files, then type: git add ${unmerged.map((path) => `"${path}"`).join(" ")}`;
  if (isDetached) return detachedWords(place);
  return (await isLocked(indexLock(place))) ? lockWords(place) : status;
}

/** Why a folder has no repository that can be used, from git's own words. */
export function describeMissing(folder: string, fault: string): string {
  if (fault.includes("not a git repository"))
    return `${folder} has no git repository, so nothing could be undone. Type: git init "${folder}"`;
  return `git cannot open the repository of ${folder}: ${fault}`;
}

/** Whether a person said that the project is to be kept in the larger repository that it lies in. */
export async function isShared(place: Place): Promise<boolean> {
  return (await askGit(place, ["config", "--type=bool", "loopwright.shared"])) === "true";
}

/** The path of git's lock of the index. */
export function indexLock({ gitDir }: Place): string {
  return join(gitDir, "index.lock");
}

function lockWords(place: Place): string {
  return `another git is at work in ${place.root}, or one died there: ${indexLock(place)} exists. Let it finish; if there is none, type: rm "${indexLock(place)}"`;
}

async function detachedWords(place: Place): Promise<string> {
  const at = await askGit(place, ["rev-parse", "--short", "HEAD"]);
  const list = (await askGit(place, ["for-each-ref", "--format=%(refname:short)", "refs/heads"])) ?? "";
  const branches = list.split("\n").filter((name) => name !== "");
  const branch = branches.find((name) => name === "main" || name === "master") ?? branches[0] ?? "main";
  return `${place.root} is on no branch (detached HEAD at ${at}), where commits are easily lost. Type: git switch ${branch} (back to the branch) or git switch -c <name> (a new branch from here)`;
}

async function isLocked(lock: string): Promise<boolean> {
  for (let waited = 0; existsSync(lock); waited += 50) {
    if (waited >= LOCK_PATIENCE) return true;
    await pause(50);
  }
  return false;
}
