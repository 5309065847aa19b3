// A git directory of the checkout's own, for programs that ask git about their project. It holds the user's branches, tags and
// index as they are, and reads the user's objects where they lie; nothing is ever written there.

import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { initGit } from "@loopwright/git";
import { inSlices, OpenFolder, removeAll, removing } from "@loopwright/sandbox";
import { openRoot } from "../folder/walk.ts";

/** Where a job in a sandbox sees the user's objects. */
export const OBJECTS = "/loopwright/objects";
const NEW = "checkout.git.new";

/** The user's git directories: the work tree's own, and the one that holds the objects. */
export interface UserGit {
  own: string;
  common: string;
}

/** The repository whose work tree a folder is; undefined where it is none. */
export function userGit(folder: string): UserGit | undefined {
  const own = gitDirOf(join(folder, ".git"));
  if (own === undefined) return undefined;
  const common = readLine(join(own, "commondir"));
  return { own, common: common === undefined ? own : resolve(own, common) };
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
  using from = OpenFolder.open(beside);
  using to = openRoot(checkout);
  await inSlices(removing(to, ".git"));
  from.rename(NEW, ".git", to);
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
