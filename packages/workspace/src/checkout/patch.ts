// A change as a patch that `git apply` takes, and how much of each file it is. Made from the run's own snapshots: nothing of the
// user's repository is read but where in it the folder lies.

import { runGit, tryUserGit } from "@loopwright/git";

export interface PatchedFile {
  path: string;
  /** Lines; null where it is no text. */
  added: number | null;
  removed: number | null;
}

export interface Patch {
  files: PatchedFile[];
  /** Left out where there is nothing in it, or it is too long to be kept. */
  text?: string;
  /** The branch that the change was committed to. */
  branch?: string;
  /** Whether the patch is all that the user wants. */
  isOnly?: true;
}

export interface PatchPlace {
  folder: string;
  gitDir: string;
  /** Two snapshots. */
  from: string;
  to: string;
}

const MOST_BYTES = 2 ** 24;

/** The patch from one snapshot to another. Its paths are seen from the top of the user's repository, as those of git are. */
export async function makePatch({ folder, gitDir, from, to }: PatchPlace): Promise<Patch> {
  const compare = (...args: string[]) =>
    runGit(["diff-tree", "-r", "--no-renames", "--no-ext-diff", "--no-textconv", ...args, from, to], { gitDir });
  const files = readNumbers((await compare("--numstat", "-z")).toString());
  if (files.length === 0) return { files };
  const prefix = await prefixOf(folder);
  const bytes = await compare("-p", "--binary", `--src-prefix=a/${prefix}`, `--dst-prefix=b/${prefix}`);
  return { files, ...(bytes.length <= MOST_BYTES && { text: bytes.toString() }) };
}

/** Where in its repository a folder lies, with a slash at the end; nothing where it is none, or the top. */
async function prefixOf(folder: string): Promise<string> {
  const { code, output } = await tryUserGit(["rev-parse", "--show-prefix"], { folder });
  return code === 0 ? output.toString().replace(/\n$/, "") : "";
}

function readNumbers(list: string): PatchedFile[] {
  return list
    .split("\0")
    .filter((line) => line !== "")
    .map((line) => {
      const [added, removed, ...path] = line.split("\t");
      const count = (text: string | undefined) => (text === "-" ? null : Number(text));
      return { path: path.join("\t"), added: count(added), removed: count(removed) };
    });
}
