// Changes as a new branch of the user's repository: a commit for each step of the way, on top of the one that the work began
// with. Their files, their index and their own branch stay as they are, and no hook runs.

import { accessSync, constants, existsSync, lstatSync, mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { LoopwrightError } from "@loopwright/core";
import { runGit } from "./run-git.ts";
import { askGit, runUserGit, tryUserGit } from "./user-git.ts";

/** A file or link as a tree of git's has it. */
export interface Kept {
  mode: "100644" | "100755" | "120000";
  blob: string;
}

export interface Commit {
  branch: string;
  commit: string;
}

export interface BranchChange {
  /** The user's folder, and a folder of one's own. */
  folder: string;
  state: string;
  /** The git directory that holds what was changed. */
  gitDir: string;
  /** The commit that the work began with; none where there was none yet. */
  head: string | undefined;
  /** The way to the result, which is the last of them. One that changes nothing has no commit. */
  steps: readonly BranchStep[];
  /** The branch that was made before; and what is told of one before it is made, so that a killed process finds it again. */
  made: Commit | undefined;
  note: (made: Commit) => void;
}

export interface BranchStep {
  /** What each path became that is not as it was when the work began; undefined where it was removed. */
  files: ReadonlyMap<string, Kept | undefined>;
  message: string;
}

/** A branch that was made; paths that cannot be on it are left: those in a submodule, and those behind a link of the user's. */
export interface Made extends Commit {
  written: string[];
  left: string[];
}

type Git = (args: readonly string[], input?: Iterable<string | Uint8Array>) => Promise<string>;

/** An index that is split has a part of it in the user's git directory. */
const WHOLE_INDEX = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "core.splitIndex", GIT_CONFIG_VALUE_0: "false" };

/** The commit that a folder's repository stands at; undefined where there is none. */
export function headOf(folder: string): Promise<string | undefined> {
  return askGit(folder, "rev-parse", "--verify", "--quiet", "HEAD^{commit}");
}

/** Whether files can be made in a folder, or it can be made itself where it is not there. */
export function isWritable(folder: string): boolean {
  if (!existsSync(folder)) return dirname(folder) !== folder && isWritable(dirname(folder));
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Why a branch of this name cannot be made in a folder; undefined where it can. */
export async function branchProblem(folder: string, branch: string): Promise<string | undefined> {
  if (!existsSync(folder)) return `there is no ${folder}`;
  const gitDir = await askGit(folder, "rev-parse", "--path-format=absolute", "--git-common-dir");
  if (gitDir === undefined) return `${folder} is in no git repository`;
  if (!isWritable(gitDir)) return `you may not write to ${gitDir}`;
  const isName = (await askGit(folder, "check-ref-format", `refs/heads/${branch}`)) !== undefined;
  if (!isName || branch.startsWith("-") || ["HEAD", "@"].includes(branch)) return `'${branch}' is no name of a branch`;
  const inTheWay = await takenBy(folder, branch);
  if (inTheWay === branch) return `there is a branch '${branch}' already`;
  if (inTheWay !== undefined) return `there is a branch '${inTheWay}', and git can have no '${branch}' beside it`;
  return undefined;
}

/** The branch that stands in the way of a new one: the same, one above or beneath it, or one that a work tree stands on and that
 * has no commit yet. */
async function takenBy(folder: string, branch: string): Promise<string | undefined> {
  const name = `refs/heads/${branch}`;
  const refs = (await askGit(folder, "for-each-ref", "--format=%(refname)", "refs/heads")) ?? "";
  const isLink = (await askGit(folder, "symbolic-ref", "--quiet", name)) !== undefined;
  const all = [...(isLink ? [name] : []), ...(await checkedOut(folder)), ...refs.split("\n")];
  const found = all.find((each) => each !== "" && (`${each}/`.startsWith(`${name}/`) || name.startsWith(`${each}/`)));
  return found?.slice("refs/heads/".length);
}

/** The branches that work trees stand on. */
async function checkedOut(folder: string): Promise<string[]> {
  const list = (await askGit(folder, "worktree", "list", "--porcelain")) ?? "";
  return [...list.matchAll(/^branch (.+)$/gm)].map(([, name]) => name!);
}

/** Commits a change to a new branch. A name that someone has taken meanwhile gets a number. */
export async function commitToBranch(wanted: string, change: BranchChange): Promise<Made> {
  const { folder, state, made, note } = change;
  const own = mkdtempSync(join(state, "branch-"));
  const env = { GIT_INDEX_FILE: join(own, "index"), ...WHOLE_INDEX };
  const git: Git = async (args, input) =>
    (await runUserGit(args, { folder, env, ...(input && { input }) })).toString().trimEnd();
  try {
    const { tip, ...paths } = await commitSteps(git, change);
    const known = made && (await askGit(folder, "rev-parse", "--verify", "--quiet", `refs/heads/${made.branch}`));
    const trees = await git(["rev-parse", `${tip}^{tree}`, `${known ?? tip}^{tree}`]);
    if (made && known === made.commit && new Set(trees.split("\n")).size === 1) return { ...made, ...paths };
    for (let count = 1; count <= 20; count++) {
      const branch = count === 1 ? wanted : `${wanted}-${count}`;
      if ((await takenBy(folder, branch)) !== undefined) continue;
      note({ branch, commit: tip });
      const none = "0".repeat(tip.length);
      if ((await askGit(folder, "update-ref", "--no-deref", `refs/heads/${branch}`, tip, none)) !== undefined)
        return { branch, commit: tip, ...paths };
    }
    throw new LoopwrightError("BRANCH_TAKEN", `no branch could be made: '${wanted}' and its numbers are taken`);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** Makes a commit for each step that changes something, and at least one. */
async function commitSteps(
  git: Git,
  change: BranchChange,
): Promise<{ tip: string; written: string[]; left: string[] }> {
  const { folder, head, steps } = change;
  const who = await missingIdentity(folder);
  let written: string[] = [];
  const begun = await readBase(git, head);
  const rules = await rulesOf(git, change);
  let [tip, last] = [head, begun];
  for (const [index, { files, message }] of steps.entries()) {
    await readBase(git, head);
    written = await addAll(git, files, change, rules);
    const tree = await git(["write-tree", "--missing-ok"]);
    const isNeeded = index === steps.length - 1 && tip === head;
    if (tree === last && !isNeeded) continue;
    const parent = tip === undefined ? [] : ["-p", tip];
    tip = await git([...who, "commit-tree", tree, ...parent, "-m", message]);
    last = tree;
  }
  const left = [...(steps.at(-1)?.files.keys() ?? [])].filter((path) => rules.isLeft(path));
  return { tip: tip!, written, left };
}

/** Reads the commit that the work began with into the index, and gives its tree. */
async function readBase(git: Git, head: string | undefined): Promise<string> {
  await git(head === undefined ? ["read-tree", "--empty"] : ["read-tree", head]);
  return git(["write-tree", "--missing-ok"]);
}

/** What the user's repository says of paths of the folder: which it tracks, which it ignores, and which cannot be on a branch. */
interface Rules {
  prefix: string;
  isTracked(path: string): boolean;
  isIgnored(path: string): boolean;
  isLeft(path: string): boolean;
}

async function rulesOf(git: Git, { folder, steps }: BranchChange): Promise<Rules> {
  const prefix = await git(["rev-parse", "--show-prefix"]);
  const lines = (await git(["ls-files", "--stage", "-z", "--full-name"])).split("\0");
  const tracked = new Set(lines.map((line) => line.slice(line.indexOf("\t") + 1)));
  const submodules = lines.filter((line) => line.startsWith("160000")).map((line) => line.split("\t")[1]!);
  const isTracked = (path: string) => tracked.has(prefix + path);
  const isLeft = (path: string) => {
    const full = prefix + path;
    if (submodules.some((each) => full === each || full.startsWith(`${each}/`))) return true;
    return !isTracked(path) && isBehindLink(folder, path);
  };
  const all = new Set(steps.flatMap(({ files }) => [...files.keys()]));
  // A name that begins with a colon would be more than a name.
  const asked = [...all].filter((path) => !isTracked(path) && !isLeft(path)).map((path) => `./${path}\0`);
  const call = { folder, input: asked, env: { GIT_LITERAL_PATHSPECS: "0" } };
  const { output } = await tryUserGit(["check-ignore", "--no-index", "-z", "--stdin"], call);
  const ignored = new Set(output.toString().split("\0"));
  return { prefix, isTracked, isIgnored: (path) => ignored.has(`./${path}`), isLeft };
}

function isBehindLink(folder: string, path: string): boolean {
  const above = dirname(path);
  if (above === ".") return false;
  const isLink = lstatSync(join(folder, above), { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink || isBehindLink(folder, above);
}

/** Puts a step's files into the index, and says which. */
async function addAll(git: Git, files: BranchStep["files"], change: BranchChange, rules: Rules): Promise<string[]> {
  const lines: string[] = [];
  const written: string[] = [];
  for (const [path, kept] of files) {
    if (rules.isLeft(path) || rules.isIgnored(path) || (kept === undefined && !rules.isTracked(path))) continue;
    const full = rules.prefix + path;
    written.push(path);
    if (kept === undefined) lines.push(`0 ${"0".repeat(change.head!.length)}\t${full}\0`);
    else lines.push(`${kept.mode} ${await store(git, full, kept, change.gitDir)}\t${full}\0`);
  }
  await git(["update-index", "-z", "--index-info"], lines);
  return written;
}

/** The user's own rules hold for what is stored: line ends and filters by path. */
async function store(git: Git, path: string, { mode, blob }: Kept, gitDir: string): Promise<string> {
  const bytes = await runGit(["cat-file", "blob", blob], { gitDir });
  const rules = mode === "120000" ? ["--no-filters"] : [`--path=${path}`];
  return git(["hash-object", "-w", "--stdin", ...rules], [bytes]);
}

/** Who commits where git does not know the user: their name, if it has that, and an address that leads nowhere. */
async function missingIdentity(folder: string): Promise<string[]> {
  if (await askGit(folder, "config", "user.email")) return [];
  const name = (await askGit(folder, "config", "user.name")) ? [] : ["-c", "user.name=Loopwright"];
  return [...name, "-c", "user.email=loopwright@localhost"];
}

/** Where what is said of a commit is kept. */
export const NOTES = "refs/notes/loopwright";

/** Attaches a text to a commit, in place of one that is there. */
export async function noteCommit(folder: string, commit: string, text: string): Promise<void> {
  const who = await missingIdentity(folder);
  await runUserGit([...who, "notes", `--ref=${NOTES}`, "add", "-f", "-F", "-", commit], { folder, input: [text] });
}

/** Takes a branch away again; one that has gone on since stays, and so does one that is checked out. */
export async function removeBranch(folder: string, { branch, commit }: Commit, isDry = false): Promise<boolean> {
  const name = `refs/heads/${branch}`;
  const tip = await askGit(folder, "rev-parse", "--verify", "--quiet", name);
  if (tip === undefined) return true;
  if (tip !== commit || (await checkedOut(folder)).includes(name)) return false;
  return isDry || (await askGit(folder, "branch", "--quiet", "-D", "--", branch)) !== undefined;
}
