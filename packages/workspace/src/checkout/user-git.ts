// The user's repository, as others may see it: a git directory of a copy's own for programs that ask git about their project,
// and what git knows of the last changes. Its objects are read, and nothing is ever written there.

import { createHash } from "node:crypto";
import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { askGit, initGit, runGit } from "@loopwright/git";
import type { FileBlock, History } from "../options.ts";

/** The user's git directories: the work tree's own, and the one that holds the objects. */
export interface UserGit {
  own: string;
  common: string;
}

/** The repository whose work tree a folder is; undefined where it is none. What it says of itself is not enough: others see its
 * objects, so one that lies elsewhere must name the folder too, and no link leads to them. */
export async function userGit(folder: string): Promise<UserGit | undefined> {
  if (!existsSync(join(folder, ".git"))) return undefined;
  const about = ["--show-toplevel", "--git-dir", "--git-common-dir"];
  const said = await askGit(folder, "rev-parse", "--path-format=absolute", ...about);
  const [top, own, common] = said?.split("\n") ?? [];
  if (top !== folder || own === undefined || common === undefined) return undefined;
  const isHere = own === join(folder, ".git") && common === own;
  const isWorktree =
    dirname(own) === join(common, "worktrees") && readText(join(own, "gitdir")) === `${join(folder, ".git")}\n`;
  const isSubmodule = common === own && (await askGit(folder, "config", "core.worktree")) !== undefined;
  if (!isHere && !isWorktree && !isSubmodule) return undefined;
  return lstatSync(join(common, "objects")).isDirectory() ? { own, common } : undefined;
}

/** Makes a checkout's git directory anew, beside it first: the user's branches, tags and index as they are. Its objects
 * are found at the path that is named. */
export async function makeOwnGit(checkout: string, { own, common }: UserGit, objects: string): Promise<void> {
  const gitDir = `${checkout}.git.new`;
  rmSync(gitDir, { recursive: true, force: true });
  mkdirSync(gitDir, { recursive: true });
  await initGit(gitDir);
  const copy = (from: string, name: string) => {
    if (existsSync(join(from, name))) cpSync(join(from, name), join(gitDir, name), { recursive: true });
  };
  for (const name of ["HEAD", "index"]) copy(own, name);
  for (const name of ["packed-refs", "shallow", "refs"]) copy(common, name);
  mkdirSync(join(gitDir, "objects/info"), { recursive: true });
  writeFileSync(join(gitDir, "objects/info/alternates"), `${objects}\n`);
  writeFileSync(join(gitDir, "config"), "[core]\n\trepositoryformatversion = 0\n\tbare = false\n");
  rmSync(join(checkout, ".git"), { recursive: true, force: true });
  renameSync(gitDir, join(checkout, ".git"));
}

const COMMITS = 20;
/** A commit of more files says nothing about any of them. */
const MOST_FILES = 50;
const LONGEST_MS = 5_000;

/** The files of the last commits, and which of these files are not as the last one has them; undefined where there is no commit,
 * or git does not tell in time. Read without an index, a work tree, a filter or a hook, so that nothing which came with a
 * repository is run. */
export async function readHistory({ own }: UserGit, files: readonly FileBlock[]): Promise<History | undefined> {
  const call = { gitDir: own, signal: AbortSignal.timeout(LONGEST_MS) };
  const names = ["--name-only", "--no-renames", "--no-ext-diff", "--no-textconv", "-z", "--format=%x01"];
  try {
    const log = await runGit(["log", "-n", String(COMMITS), ...names, "HEAD"], call);
    const tree = await runGit(["ls-tree", "-r", "-z", "HEAD"], call);
    return { commits: readLog(log.toString()), uncommitted: differing(tree.toString().split("\0"), files) };
  } catch {
    return undefined;
  }
}

function readLog(text: string): string[][] {
  const commits = text.split("\x01").slice(1);
  const paths = commits.map((each) => each.split("\0").map((path) => path.replace(/^\n+/, "")));
  return paths.map((each) => each.filter((path) => path !== "")).filter(({ length }) => length <= MOST_FILES);
}

/** Where line ends or filters make most files differ, nothing can be told. */
function differing(tree: readonly string[], files: readonly FileBlock[]): string[] {
  const ids = new Map(tree.map((line) => [line.slice(line.indexOf("\t") + 1), line.split(/[ \t]/, 3)[2]]));
  const found = files.filter(({ path, content }) => {
    const bytes = Buffer.from(content);
    const hash = createHash(ids.get(path)?.length === 64 ? "sha256" : "sha1");
    return ids.get(path) !== hash.update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
  });
  return found.length * 2 > files.length ? [] : found.map(({ path }) => path);
}

function readText(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}
