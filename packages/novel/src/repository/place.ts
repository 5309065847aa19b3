// Where a project's repository lies, and git run there.

import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { runUserGit, tryUserGit } from "@loopwright/git";

/** A repository with a work tree that holds the project's folder. */
export interface Place {
  /** The project's folder. */
  folder: string;
  /** The top of the work tree. */
  root: string;
  /** Of this work tree; and of all work trees of the repository. */
  gitDir: string;
  commonDir: string;
  /** The project's folder from the top: "" where it is the top, else with a slash at its end. */
  prefix: string;
}

/** What git said of a folder, as long as what it named is there. */
const known = new Map<string, Place>();

/** Finds the repository of a folder; where there is none that can be used, git's own words say why. */
export async function findPlace(folder: string): Promise<Place | { fault: string }> {
  const found = known.get(folder);
  if (found && existsSync(join(found.gitDir, "HEAD")) && (found.prefix === "" || !existsSync(join(folder, ".git"))))
    return found;
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return { fault: "there is no such folder" };
  const questions = ["--show-toplevel", "--absolute-git-dir", "--git-common-dir", "--show-prefix"];
  const { code, output, complaint } = await tryUserGit(["rev-parse", ...questions], { folder });
  if (code !== 0) return { fault: complaint.trim() };
  const [root = "", gitDir = "", commonDir = "", prefix = ""] = output.toString().split("\n");
  const place = { folder, root, gitDir, commonDir: resolve(folder, commonDir), prefix };
  known.set(folder, place);
  return place;
}

/** Our own folder inside the git directory. */
export function ownFolder({ gitDir }: Place): string {
  return join(gitDir, "loopwright");
}

/** What git prints; it runs in the project's folder, so that paths are the project's. */
export async function git({ folder }: Place, args: readonly string[]): Promise<string> {
  return (await runUserGit(args, { folder })).toString().trimEnd();
}

/** What git prints, or undefined where it ends with a failure. */
export async function askGit({ folder }: Place, args: readonly string[]): Promise<string | undefined> {
  const { code, output } = await tryUserGit(args, { folder });
  return code === 0 ? output.toString().trim() : undefined;
}

/** The last commit; undefined before the first. */
export function headOf(place: Place): Promise<string | undefined> {
  return askGit(place, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
}

/** The project's files as commits have them; undefined for one that is not there. */
export async function readFiles(
  { folder, prefix }: Place,
  files: readonly { sha: string; path: string }[],
): Promise<(Buffer | undefined)[]> {
  if (files.length === 0) return [];
  const input = files.map(({ sha, path }) => `${sha}:${prefix}${path}\n`);
  const output = await runUserGit(["cat-file", "--batch"], { folder, input });
  let at = 0;
  return files.map(() => {
    const end = output.indexOf(10, at);
    const [, size] = /^[0-9a-f]+ blob (\d+)$/.exec(output.toString("utf8", at, end)) ?? [];
    at = end + 1;
    if (size === undefined) return undefined;
    const text = output.subarray(at, at + Number(size));
    at += text.length + 1;
    return text;
  });
}
