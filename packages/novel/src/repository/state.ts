// Whether a repository is in a state to commit into. Every state that is not has its words, and what to type.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { askGit, type Place } from "./place.ts";
import { indexLock, lockWords } from "./transaction/index-file.ts";

/** What git may be in the middle of, by the file that says so. */
const unfinished: readonly { mark: string; what: string; finish: string; giveUp: string }[] = [
  { mark: "rebase-merge", what: "a rebase", finish: "git rebase --continue", giveUp: "git rebase --abort" },
  { mark: "rebase-apply/applying", what: "git am", finish: "git am --continue", giveUp: "git am --abort" },
  { mark: "rebase-apply", what: "a rebase", finish: "git rebase --continue", giveUp: "git rebase --abort" },
  { mark: "MERGE_HEAD", what: "a merge", finish: "git merge --continue", giveUp: "git merge --abort" },
  {
    mark: "CHERRY_PICK_HEAD",
    what: "a cherry-pick",
    finish: "git cherry-pick --continue",
    giveUp: "git cherry-pick --abort",
  },
  { mark: "REVERT_HEAD", what: "a revert", finish: "git revert --continue", giveUp: "git revert --abort" },
  { mark: "BISECT_LOG", what: "a bisect", finish: "git bisect good or git bisect bad", giveUp: "git bisect reset" },
];

/** Milliseconds for which a lock of the index is waited for. */
const LOCK_PATIENCE = 1_000;

/** Why nothing can be committed, and what to type; undefined where all is well. */
export async function describeState(place: Place): Promise<string | undefined> {
  if (place.prefix !== "" && !(await isShared(place))) return insideLarger(place);
  const found = unfinished.find(({ mark }) => existsSync(join(place.gitDir, mark)));
  if (found)
    return `${found.what} is under way in ${place.root}, and nothing can be committed before it ends. Type: ${found.finish} (to finish it) or ${found.giveUp} (to give it up)`;
  const [unmerged, branch, name] = await Promise.all([
    askGit(place, ["ls-files", "--unmerged"]),
    askGit(place, ["symbolic-ref", "--quiet", "HEAD"]),
    askGit(place, ["-c", "user.useConfigOnly=true", "var", "GIT_COMMITTER_IDENT"]),
  ]);
  if (unmerged) return unmergedWords(place, unmerged);
  if (branch === undefined) return detachedWords(place);
  if (name === undefined) return namelessWords(place);
  if (await isLocked(place)) return lockWords(place);
  return undefined;
}

/** Why a folder has no repository that can be used, from git's own words. */
export function describeMissing(folder: string, fault: string): string {
  if (fault.includes("dubious ownership"))
    return `git does not trust ${folder}, which belongs to another user. If it is yours, type: git config --global --add safe.directory "${folder}"`;
  if (fault.includes("not a git repository"))
    return `${folder} has no git repository, so nothing could be undone. Type: git init "${folder}"`;
  if (fault.includes("must be run in a work tree"))
    return `${folder} is inside a git directory or a bare repository, which has no files to work on. Open the project's own folder`;
  return `git cannot open the repository of ${folder}: ${fault}`;
}

/** Whether a person said that the project is to be kept in the larger repository that it lies in. */
export async function isShared(place: Place): Promise<boolean> {
  return (await askGit(place, ["config", "--type=bool", "loopwright.shared"])) === "true";
}

function namelessWords({ folder }: Place): string {
  return `git does not know who you are, and a commit needs a name. Type, for everything that you do with git:
  git config --global user.name "Your Name"
  git config --global user.email "you@example.com"
or, for this project alone:
  git init -q "${folder}"
  git -C "${folder}" config user.name "Your Name"
  git -C "${folder}" config user.email "you@example.com"`;
}

function insideLarger({ folder, root }: Place): string {
  return `${folder} has no repository of its own and lies inside a larger one, ${root}. Type one of:
  git init "${folder}"   (its own repository)
  git -C "${root}" config loopwright.shared true   (commit into the larger one; only the novel's own files are touched)`;
}

function unmergedWords(place: Place, unmerged: string): string {
  const paths = [...new Set(unmerged.split("\n").map((line) => line.split("\t")[1]))];
  return `${place.root} has conflicts that are not resolved: ${paths.join(", ")}. Edit these files, then type: git add ${paths.map((path) => `"${path}"`).join(" ")}`;
}

async function detachedWords(place: Place): Promise<string> {
  const at = await askGit(place, ["rev-parse", "--short", "HEAD"]);
  const branches =
    (await askGit(place, ["for-each-ref", "--format=%(refname:short)", "refs/heads"]))?.split("\n") ?? [];
  const branch = branches.find((name) => name === "main" || name === "master") ?? branches[0] ?? "main";
  return `${place.root} is on no branch (detached HEAD at ${at}), where commits are easily lost. Type: git switch ${branch} (back to the branch) or git switch -c <name> (a new branch from here)`;
}

async function isLocked(place: Place): Promise<boolean> {
  for (let waited = 0; existsSync(indexLock(place)); waited += 50) {
    if (waited >= LOCK_PATIENCE) return true;
    await pause(50);
  }
  return false;
}
