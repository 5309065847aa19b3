// A result as a new branch of the user's repository: a commit for each step of the way, on top of the one that the run began
// with. Their files, their index and their own branch stay as they are, and no hook runs.

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { LoopwrightError } from "@loopwright/core";
import { runGit, runUserGit, tryUserGit } from "@loopwright/git";
import type { Kept } from "../snapshots/tree.ts";
import { isWritable } from "./writable.ts";

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
  /** The way to the result, which is the last of them. One that changes nothing has no commit. */
  steps: readonly BranchStep[];
}

export interface BranchStep {
  /** What each path became that is not as it was when the run began; undefined where it was removed. */
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
  const own = await git("rev-parse", "--path-format=absolute", "--git-common-dir");
  if (own.code !== 0) return `${folder} is in no git repository`;
  const gitDir = own.output.toString().trim();
  if (!isWritable(gitDir)) return `you may not write to ${gitDir}`;
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
  const { folder, state, head, steps } = change;
  // It stands in a file that could have come with the folder, and would be an option of git's.
  if (head !== undefined && !/^[0-9a-f]{40,64}$/.test(head))
    throw new LoopwrightError("BRANCH_BASE", "what the run began with is no commit");
  const own = mkdtempSync(join(state, "branch-"));
  const env = { GIT_INDEX_FILE: join(own, "index"), ...WHOLE_INDEX };
  const git: Git = async (args, input) => (await runUserGit(args, { folder, env, ...(input && { input }) })).toString();
  try {
    const trees: CommitTree[] = [];
    let last: StepTree | undefined;
    const begun = await readBase(git, head);
    for (const step of steps) {
      last = await treeOf(git, step, change);
      if (last.tree !== (trees.at(-1)?.tree ?? begun)) trees.push({ tree: last.tree, message: step.message });
    }
    if (trees.length === 0) trees.push({ tree: last!.tree, message: steps.at(-1)!.message });
    const made = await place(branch, { folder, head, trees });
    return { made, written: last!.written, left: last!.left };
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** Reads the commit that the run began with into the index, and gives its tree. */
async function readBase(git: Git, head: string | undefined): Promise<string> {
  await git(head === undefined ? ["read-tree", "--empty"] : ["read-tree", head]);
  return (await git(["write-tree", "--missing-ok"])).trim();
}

interface StepTree {
  tree: string;
  written: string[];
  left: string[];
}

/** The tree that a step is, on top of the commit that the run began with. */
async function treeOf(git: Git, { files }: BranchStep, { folder, head, gitDir }: BranchChange): Promise<StepTree> {
  await readBase(git, head);
  const prefix = (await git(["rev-parse", "--show-prefix"])).trimEnd();
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
    else lines.push(`${kept.mode} ${await store(git, full, kept, gitDir)}\t${full}\0`);
  }
  await git(["update-index", "-z", "--index-info"], lines);
  const tree = (await git(["write-tree", "--missing-ok"])).trim();
  return { tree, written, left: left.map((path) => path.slice(prefix.length)) };
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

interface CommitTree {
  tree: string;
  message: string;
}

interface Placing {
  folder: string;
  head: string | undefined;
  trees: readonly CommitTree[];
}

type Say = (...args: string[]) => Promise<string | undefined>;

/** Makes the commits and the branch. One that a killed process has made is found again; a name that someone has taken
 * meanwhile gets a number. */
async function place(wanted: string, { folder, head, trees }: Placing): Promise<Commit> {
  const say: Say = async (...args) => {
    const { code, output } = await tryUserGit(args, { folder });
    return code === 0 ? output.toString().trim() : undefined;
  };
  const who = await missingIdentity(say);
  let tip: string | undefined;
  for (let count = 1; count <= 20; count++) {
    const branch = count === 1 ? wanted : `${wanted}-${count}`;
    const name = `refs/heads/${branch}`;
    const there = await say("rev-parse", "--verify", "--quiet", name);
    if (there && (await isChain(say, there, { head, trees }))) return { branch, commit: there };
    if (there || (await takenBy(folder, branch)) !== undefined) continue;
    tip ??= await commitAll(folder, who, { head, trees });
    if ((await say("update-ref", "--no-deref", name, tip, "0".repeat(tip.length))) !== undefined)
      return { branch, commit: tip };
  }
  throw new LoopwrightError("BRANCH_TAKEN", `no branch could be made: '${wanted}' and its numbers are taken`);
}

/** Who commits where git does not know the user: their name, if it has that, and an address that leads nowhere. */
async function missingIdentity(say: Say): Promise<string[]> {
  if (await say("config", "user.email")) return [];
  const name = (await say("config", "user.name")) ? [] : ["-c", "user.name=Loopwright"];
  return [...name, "-c", "user.email=loopwright@localhost"];
}

async function commitAll(
  folder: string,
  who: readonly string[],
  { head, trees }: Pick<Placing, "head" | "trees">,
): Promise<string> {
  let parent = head;
  for (const { tree, message } of trees) {
    const args = [...who, "commit-tree", tree, ...(parent === undefined ? [] : ["-p", parent]), "-m", message];
    parent = (await runUserGit(args, { folder })).toString().trim();
  }
  return parent!;
}

/** Whether a commit is the last of these, each on top of the one before it, and the first on the run's own base. */
async function isChain(say: Say, tip: string, { head, trees }: Pick<Placing, "head" | "trees">): Promise<boolean> {
  let at: string | undefined = tip;
  for (const { tree, message } of trees.toReversed()) {
    const facts: string = (at && (await say("log", "-1", "--format=%T %P%n%B", at))) || "";
    const [found, ...parents] = facts.split("\n", 1)[0]!.split(" ");
    if (found !== tree || parents.length > 1 || facts.slice(facts.indexOf("\n") + 1) !== message) return false;
    at = parents[0] || undefined;
  }
  return at === head;
}
