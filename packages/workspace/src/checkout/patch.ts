// A change as a patch that `git apply` takes, and how much of each file it is. Made from the run's own snapshots: nothing of the
// user's repository is read but where in it the folder lies.

import { askGit, runGit } from "@loopwright/git";

/** How much of a file a patch changes. */
export interface PatchedFile {
  path: string;
  /** Lines; null where it is no text. */
  added: number | null;
  removed: number | null;
}

/** A run's change as a patch. */
export interface Patch {
  files: PatchedFile[];
  /** Left out where there is nothing in it, or it is too long to be kept. */
  text?: string;
  /** The branch that the change was committed to. */
  branch?: string;
  /** Whether the patch is all that the user wants. */
  isOnly?: true;
}

const MOST_BYTES = 2 ** 24;

/** The patch from one snapshot to another of a git directory. Its paths are seen from the top of the user's repository, as those of
 * git are. */
export async function makePatch(folder: string, gitDir: string, [from, to]: [string, string]): Promise<Patch> {
  const compare = (...args: string[]) =>
    runGit(["diff-tree", "-r", "--no-renames", "--no-ext-diff", "--no-textconv", ...args, from, to], { gitDir });
  const files = readNumbers((await compare("--numstat", "-z")).toString());
  if (files.length === 0) return { files };
  const prefix = (await askGit(folder, "rev-parse", "--show-prefix")) ?? "";
  const bytes = await compare("-p", "--binary", `--src-prefix=a/${prefix}`, `--dst-prefix=b/${prefix}`);
  return { files, ...(bytes.length <= MOST_BYTES && { text: bytes.toString() }) };
}

function readNumbers(list: string): PatchedFile[] {
  const count = (text: string | undefined) => (text === "-" ? null : Number(text));
  return list
    .split("\0")
    .slice(0, -1)
    .map((line) => {
      const [added, removed, ...path] = line.split("\t");
      return { path: path.join("\t"), added: count(added), removed: count(removed) };
    });
}
