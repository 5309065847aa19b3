// What a result stands on, so that anyone can have it again: a commit of the user's, what of the files that were taken in is not in it, and the change. As trees of
// a git directory of our own, without a work tree; the user's objects are read where they lie.

import { appendFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { initGit, runGit } from "./run-git.ts";
import { askGit, runUserGit, tryUserGit } from "./user-git.ts";

/** What a change was made on. */
export interface Base {
  /** The commit; without one, everything is in the patch. */
  commit?: string;
  /** Where in the repository the folder lies. */
  prefix: string;
  /** What is not in the commit. */
  patch?: string;
}

const EMPTY = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const DIFF = ["diff-tree", "-r", "--no-renames", "--no-ext-diff", "--no-textconv"];

/** What a snapshot of the user's files stands on. What their commit has and the snapshot leaves out is no part of the work; what git ignores stays where it is. */
export async function baseOf(
  folder: string,
  gitDir: string,
  head: string | undefined,
  snapshot: string,
): Promise<Base> {
  const prefix = (await askGit(folder, "rev-parse", "--show-prefix")) ?? "";
  const names = ["-p", "--binary", `--src-prefix=a/${prefix}`, `--dst-prefix=b/${prefix}`];
  if (head === undefined) {
    const patch = (await runGit([...DIFF, ...names, EMPTY, snapshot], { gitDir })).toString();
    return { prefix, ...(patch !== "" && { patch }) };
  }
  const call = {
    folder,
    env: { GIT_ALTERNATE_OBJECT_DIRECTORIES: join(gitDir, "objects"), GIT_LITERAL_PATHSPECS: "0" },
  };
  const from = (await askGit(folder, "rev-parse", "--verify", "--quiet", `${head}:${prefix}`)) ?? EMPTY;
  const listed = await runUserGit([...DIFF, "--name-status", "-z", from, snapshot], call);
  const parts = listed.toString().split("\0").slice(0, -1);
  const changed = parts.flatMap((status, at) =>
    at % 2 === 0 && status !== "D" ? [{ status, path: parts[at + 1]! }] : [],
  );
  const added = changed.filter(({ status }) => status === "A").map(({ path }) => `./${path}\0`);
  const { output } = await tryUserGit(["check-ignore", "--no-index", "-z", "--stdin"], { ...call, input: added });
  const ignored = new Set(output.toString().split("\0"));
  const paths = changed.flatMap(({ path }) => (ignored.has(`./${path}`) ? [] : [path]));
  const commit = { commit: head, prefix };
  if (paths.length === 0) return commit;
  const literal = { ...call, env: { ...call.env, GIT_LITERAL_PATHSPECS: "1" } };
  return {
    ...commit,
    patch: (await runUserGit([...DIFF, ...names, from, snapshot, "--", ...paths], literal)).toString(),
  };
}

/** The trees of a base and of what a patch makes of it, in a git directory of our own. Throws where a patch does not fit. */
export async function makeTrees(
  folder: string,
  gitDir: string,
  { commit, prefix, patch }: Base,
  change: string,
): Promise<{ before: string; after: string }> {
  if (!existsSync(gitDir)) mkdirSync(gitDir, { recursive: true });
  await initGit(gitDir);
  const git = async (args: string[], input: string[] = []) => (await runGit(args, { gitDir, input })).toString().trim();
  if (commit !== undefined) {
    const objects = await askGit(folder, "rev-parse", "--path-format=absolute", "--git-path", "objects");
    appendFileSync(join(gitDir, "objects/info/alternates"), `${objects}\n`);
  }
  const write = async (text: string | undefined) => {
    if (text !== undefined) await git(["apply", "--cached", "--whitespace=nowarn", "-"], [text]);
    const tree = await git(["write-tree"]);
    // A folder that was not there yet is an empty one.
    return prefix === "" ? tree : ((await git(["ls-tree", "-d", tree, prefix.slice(0, -1)])).split(/\s/)[2] ?? EMPTY);
  };
  await git(["read-tree", ...(commit === undefined ? ["--empty"] : [commit])]);
  // A submodule's files were taken in like any others.
  const entries = (await git(["ls-files", "-s", "-z"])).split("\0");
  const links = entries.flatMap((entry) => (entry.startsWith("160000 ") ? [entry.slice(entry.indexOf("\t") + 1)] : []));
  if (links.length > 0)
    await git(
      ["update-index", "-z", "--index-info"],
      links.map((path) => `0 ${"0".repeat(40)}\t${path}\0`),
    );
  return { before: await write(patch), after: await write(change) };
}
