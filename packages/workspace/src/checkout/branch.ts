// A result as a new branch of the user's repository: one commit on top of the one that the run began with. Their files, their
// index and their own branch stay as they are, and no hook runs.

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { LoopwrightError } from "@loopwright/core";
import { runGit, runUserGit, tryUserGit } from "@loopwright/git";
import type { Kept } from "../snapshots/tree.ts";

export interface Commit {
  branch: string;
  commit: string;
}

export interface BranchChange {
  /** The user's folder, and a folder of the run's own. */
  folder: string;
  state: string;
  /** The git directory that holds what was changed. */
  gitDir: string;
  /** The commit that the run began with; none where there was none yet. */
  head: string | undefined;
  /** What each changed path became; undefined where it was removed. */
  files: ReadonlyMap<string, Kept | undefined>;
  message: string;
}

/** An index that is split has a part of it in the user's git directory. */
const WHOLE_INDEX = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "core.splitIndex", GIT_CONFIG_VALUE_0: "false" };

/** The commit that a folder's repository stands at; undefined where there is none. */
export async function headOf(folder: string): Promise<string | undefined> {
  const { code, output } = await tryUserGit(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], { folder });
  return code === 0 ? output.toString().trim() : undefined;
}

/** Why a branch of this name cannot be made in a folder; undefined where it can. */
export async function branchProblem(folder: string, branch: string): Promise<string | undefined> {
  const git = (...args: string[]) => tryUserGit(args, { folder });
  if (!existsSync(folder)) return `there is no ${folder}`;
  if ((await git("rev-parse", "--git-dir")).code !== 0) return `${folder} is in no git repository`;
  const isName = (await git("check-ref-format", `refs/heads/${branch}`)).code === 0;
  if (!isName || branch.startsWith("-") || ["HEAD", "@"].includes(branch)) return `'${branch}' is no name of a branch`;
  const inTheWay = await takenBy(folder, branch);
  if (inTheWay === branch) return `there is a branch '${branch}' already`;
  if (inTheWay !== undefined) return `there is a branch '${inTheWay}', and git can have no '${branch}' beside it`;
  return undefined;
}

/** The branch that stands in the way of a new one: the same, one above or beneath it, or one that a work tree stands on and that
 * has no commit yet. */
async function takenBy(folder: string, branch: string): Promise<string | undefined> {
  const say = async (...args: string[]) => (await tryUserGit(args, { folder })).output.toString().split("\n");
  const name = `refs/heads/${branch}`;
  const link = (await say("symbolic-ref", "--quiet", name))[0] === "" ? [] : [name];
  const all = [
    ...link,
    ...(await checkedOut(folder)),
    ...(await say("for-each-ref", "--format=%(refname)", "refs/heads")),
  ];
  const found = all.find((each) => each !== "" && (`${each}/`.startsWith(`${name}/`) || name.startsWith(`${each}/`)));
  return found?.slice("refs/heads/".length);
}

/** The branches that work trees stand on. */
async function checkedOut(folder: string): Promise<string[]> {
  const { output } = await tryUserGit(["worktree", "list", "--porcelain"], { folder });
  return [...output.toString().matchAll(/^branch (.+)$/gm)].map(([, name]) => name!);
}

/** Commits a change to a new branch; paths that cannot be in it are given back: those that lie in a submodule,
 * and those of which git cannot say whether they are ignored. */
export async function commitToBranch(
  branch: string,
  change: BranchChange,
): Promise<{ made: Commit; written: string[]; left: string[] }> {
  const { folder, state, head, files, message } = change;
  // It stands in a file that could have come with the folder, and would be an option of git's.
  if (head !== undefined && !/^[0-9a-f]{40,64}$/.test(head))
    throw new LoopwrightError("BRANCH_BASE", "what the run began with is no commit");
  const own = mkdtempSync(join(state, "branch-"));
  const env = { GIT_INDEX_FILE: join(own, "index"), ...WHOLE_INDEX };
  const git = async (args: readonly string[], input?: Iterable<string | Uint8Array>) =>
    (await runUserGit(args, { folder, env, ...(input && { input }) })).toString();
  try {
    const prefix = (await git(["rev-parse", "--show-prefix"])).trimEnd();
    await git(head === undefined ? ["read-tree", "--empty"] : ["read-tree", head]);
    const tracked = (await git(["ls-files", "--stage", "-z", "--full-name"])).split("\0");
    const submodules = tracked.filter((line) => line.startsWith("160000")).map((line) => line.split("\t")[1]!);
    const paths = [...files.keys()].map((path) => prefix + path);
    const isInside = (path: string) => submodules.some((each) => path === each || path.startsWith(`${each}/`));
    const known = new Set(tracked.map((line) => line.slice(line.indexOf("\t") + 1)));
    const added = paths.filter((path) => !known.has(path) && !isInside(path));
    const { ignored, unknown } = await ignoredOf(folder, prefix, added);
    const left = paths.filter((path) => isInside(path) || unknown.has(path));
    const lines: string[] = [];
    const written: string[] = [];
    for (const [path, kept] of files) {
      const full = prefix + path;
      if (left.includes(full) || ignored.has(full) || (kept === undefined && !known.has(full))) continue;
      written.push(path);
      if (kept === undefined) lines.push(`0 ${"0".repeat(head!.length)}\t${full}\0`);
      else lines.push(`${kept.mode} ${await store(git, full, kept, change.gitDir)}\t${full}\0`);
    }
    await git(["update-index", "-z", "--index-info"], lines);
    const tree = (await git(["write-tree", "--missing-ok"])).trim();
    const made = await place(branch, { folder, head, tree, message });
    return { made, written, left: left.map((path) => path.slice(prefix.length)) };
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** Takes a branch away again; one that has gone on since stays, and so does one that is checked out. */
export async function removeBranch(folder: string, { branch, commit }: Commit, isDry = false): Promise<boolean> {
  const name = `refs/heads/${branch}`;
  const tip = await tryUserGit(["rev-parse", "--verify", "--quiet", name], { folder });
  if (tip.code !== 0) return true;
  if (tip.output.toString().trim() !== commit) return false;
  if ((await checkedOut(folder)).includes(name)) return false;
  return isDry || (await tryUserGit(["branch", "--quiet", "-D", "--", branch], { folder })).code === 0;
}

type Git = (args: readonly string[], input?: Iterable<string | Uint8Array>) => Promise<string>;

/** The user's own rules hold for what is stored: line ends and filters by path. */
async function store(git: Git, path: string, { mode, blob }: Kept, gitDir: string): Promise<string> {
  const bytes = await runGit(["cat-file", "blob", blob], { gitDir });
  const rules = mode === "120000" ? ["--no-filters"] : [`--path=${path}`];
  return (await git(["hash-object", "-w", "--stdin", ...rules], [bytes])).trim();
}

/** Which paths are ignored, and of which git cannot say it: behind a link of the user's there is nothing for it. */
async function ignoredOf(
  folder: string,
  prefix: string,
  paths: readonly string[],
): Promise<{ ignored: Set<string>; unknown: Set<string> }> {
  const [ignored, unknown] = [new Set<string>(), new Set<string>()];
  const args = ["check-ignore", "--no-index", "--verbose", "--non-matching", "-z", "--stdin"];
  for (let at = 0; at < paths.length; at++) {
    // A name that begins with a colon would be more than a name.
    const input = [
      paths
        .slice(at)
        .map((path) => `./${path.slice(prefix.length)}\0`)
        .join(""),
    ];
    const { output } = await tryUserGit(args, { folder, input, env: { GIT_LITERAL_PATHSPECS: "0" } });
    // Of each path: the file of the rule, its line, the rule and the path.
    const rules = output
      .toString()
      .split("\0")
      .slice(0, -1)
      .filter((_, index) => index % 4 === 2);
    for (const rule of rules) {
      if (rule !== "" && !rule.startsWith("!")) ignored.add(paths[at]!);
      at++;
    }
    if (at < paths.length) unknown.add(paths[at]!);
  }
  return { ignored, unknown };
}

/** Makes the commit and the branch. One that a killed process has made is found again; a name that someone has taken
 * meanwhile gets a number. */
async function place(
  wanted: string,
  { folder, head, tree, message }: { folder: string; head: string | undefined; tree: string; message: string },
): Promise<Commit> {
  const say = async (args: string[]) => {
    const { code, output } = await tryUserGit(args, { folder });
    return code === 0 ? output.toString().trim() : undefined;
  };
  const who = (await say(["config", "user.email"])) ? [] : ["-c", "user.name=Loopwright", "-c", "user.email=none"];
  const args = [...who, "commit-tree", tree, ...(head === undefined ? [] : ["-p", head]), "-m", message];
  for (let count = 1; count <= 20; count++) {
    const branch = count === 1 ? wanted : `${wanted}-${count}`;
    const name = `refs/heads/${branch}`;
    const there = await say(["rev-parse", "--verify", "--quiet", name]);
    const facts = there && (await say(["log", "-1", "--format=%T %P%n%B", name]));
    if (there && facts === `${tree} ${head ?? ""}\n${message}`) return { branch, commit: there };
    if (there || (await takenBy(folder, branch)) !== undefined) continue;
    const commit = (await runUserGit(args, { folder })).toString().trim();
    if ((await say(["update-ref", "--no-deref", name, commit, "0".repeat(commit.length)])) !== undefined)
      return { branch, commit };
  }
  throw new LoopwrightError("BRANCH_TAKEN", `no branch could be made: '${wanted}' and its numbers are taken`);
}
