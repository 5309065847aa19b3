// A git directory of the checkout's own, for programs that ask git about their project. It holds the user's branches, tags and
// index as they are, and reads the user's objects where they lie; nothing is ever written there.

import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { initGit } from "@loopwright/git";
import { removeAll } from "@loopwright/sandbox";

/** Where a job in a sandbox sees the user's objects. */
export const OBJECTS = "/loopwright/objects";
const NEW = "checkout.git.new";

/** The user's git directories: the work tree's own, and the one that holds the objects. */
export interface UserGit {
  own: string;
  common: string;
}

/** The repository whose work tree a folder is; undefined where it is none. What it says of itself is not enough: jobs see its
 * objects, so one that lies elsewhere must name the folder too, and no link leads to them. */
export function userGit(folder: string): UserGit | undefined {
  const path = join(folder, ".git");
  const own = gitDirOf(path);
  if (own === undefined) return undefined;
  const isElsewhere = !lstatSync(path).isDirectory();
  if (isElsewhere && !namesFolder(own, folder)) return undefined;
  const common = isElsewhere ? commonOf(own) : own;
  return lstatSync(join(common, "objects"), { throwIfNoEntry: false })?.isDirectory() ? { own, common } : undefined;
}

/** Whether a git directory is a worktree's or a submodule's of this folder. */
function namesFolder(own: string, folder: string): boolean {
  const worktree = readLine(join(own, "gitdir"));
  const config = existsSync(join(own, "config")) ? readFileSync(join(own, "config"), "utf8") : "";
  const submodule = /^\s*worktree\s*=\s*"?([^"\n]+?)"?\s*$/m.exec(config)?.[1];
  const named = worktree === undefined ? submodule : dirname(worktree);
  return named !== undefined && realOf(resolve(own, named)) === realOf(folder);
}

/** The git directory that holds a worktree's own. */
function commonOf(own: string): string {
  const common = resolve(own, readLine(join(own, "commondir")) ?? ".");
  return realOf(dirname(own)) === realOf(join(common, "worktrees")) ? common : own;
}

function realOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

/** Makes the checkout's git directory anew, beside the checkout first. Its objects are found at the path that jobs see
 * them at. */
export async function makeOwnGit(checkout: string, { own, common }: UserGit, objects: string): Promise<void> {
  const beside = dirname(checkout);
  const gitDir = join(beside, NEW);
  await removeAll(gitDir);
  mkdirSync(gitDir, { recursive: true });
  await initGit(gitDir);
  for (const name of ["HEAD", "index"]) copy(join(own, name), join(gitDir, name));
  for (const name of ["packed-refs", "shallow", "refs"]) copy(join(common, name), join(gitDir, name));
  mkdirSync(join(gitDir, "objects/info"), { recursive: true });
  writeFileSync(join(gitDir, "objects/info/alternates"), `${objects}\n`);
  writeFileSync(join(gitDir, "config"), "[core]\n\trepositoryformatversion = 0\n\tbare = false\n");
  await removeAll(join(checkout, ".git"));
  renameSync(gitDir, join(checkout, ".git"));
}

function copy(from: string, to: string): void {
  if (existsSync(from)) cpSync(from, to, { recursive: true, dereference: false });
}

/** A `.git` is a folder, or in a worktree and a submodule a file that names one. */
function gitDirOf(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return existsSync(join(path, "HEAD")) ? path : undefined;
  const target = found?.isFile() ? /^gitdir: (.+)$/.exec(readLine(path) ?? "")?.[1] : undefined;
  if (target === undefined) return undefined;
  const dir = isAbsolute(target) ? target : resolve(dirname(path), target);
  return existsSync(join(dir, "HEAD")) ? dir : undefined;
}

function readLine(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8").split("\n", 1)[0] : undefined;
}
