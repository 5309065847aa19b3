// Where a project's repository lies, and git run there.

import { statSync } from "node:fs";
import { resolve } from "node:path";
import { type GitInput, runUserGit, tryUserGit } from "@loopwright/git";

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

export interface PlaceCall {
  input?: GitInput;
  /** Another index than the repository's own. */
  index?: string;
  /** Another work tree than the repository's own. */
  workTree?: string;
}

/** Finds the repository of a folder; where there is none that can be used, git's own words say why. */
export async function findPlace(folder: string): Promise<Place | { fault: string }> {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return { fault: "there is no such folder" };
  const questions = ["--show-toplevel", "--absolute-git-dir", "--git-common-dir", "--show-prefix"];
  const { code, output, complaint } = await tryUserGit(["rev-parse", ...questions], { folder });
  if (code !== 0) return { fault: complaint.trim() };
  const [root = "", gitDir = "", commonDir = "", prefix = ""] = output.toString().split("\n");
  return { folder, root, gitDir, commonDir: resolve(folder, commonDir), prefix };
}

/** Runs git at the top of the work tree. */
export function git(place: Place, args: readonly string[], call: PlaceCall = {}): Promise<Buffer> {
  return runUserGit(args, { folder: call.workTree ?? place.root, ...settingsOf(place, call) });
}

/** The single line that git prints. */
export async function gitLine(place: Place, args: readonly string[], call: PlaceCall = {}): Promise<string> {
  return (await git(place, args, call)).toString().trim();
}

/** Asks git something that it may have no answer to: what it prints, or undefined where it ends with a failure. */
export async function askGit(place: Place, args: readonly string[], call: PlaceCall = {}): Promise<string | undefined> {
  const { code, output } = await tryUserGit(args, { folder: place.root, ...settingsOf(place, call) });
  return code === 0 ? output.toString().trim() : undefined;
}

/** The last commit; undefined before the first. */
export function headOf(place: Place): Promise<string | undefined> {
  return askGit(place, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
}

/** A path of the project as the repository names it. */
export function toRepositoryPath(place: Place, path: string): string {
  return `${place.prefix}${path}`;
}

/** A path of the repository as the project names it; undefined for one that lies outside the project. */
export function toProjectPath(place: Place, path: string): string | undefined {
  return path.startsWith(place.prefix) ? path.slice(place.prefix.length) : undefined;
}

/** Paths as git reads them from its input. */
export function pathList(paths: Iterable<string>): string[] {
  return [...paths].map((path) => `${path}\0`);
}

function settingsOf(place: Place, { input, index, workTree }: PlaceCall) {
  const env = {
    ...(index ? { GIT_INDEX_FILE: index } : {}),
    ...(workTree ? { GIT_DIR: place.gitDir, GIT_WORK_TREE: workTree } : {}),
  };
  return { env, ...(input ? { input } : {}) };
}
