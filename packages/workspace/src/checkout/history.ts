// What git knows of the last changes of the user's files. Its objects are read and nothing else: no index, no work tree, no
// filter and no hook, so that nothing which came with a repository is run.

import { createHash } from "node:crypto";
import { runGit } from "@loopwright/git";
import type { FileBlock, History } from "../cell.ts";
import type { UserGit } from "./own-git.ts";

const COMMITS = 20;
/** A commit of more files says nothing about any of them. */
const MOST_FILES = 50;
const LONGEST_MS = 5_000;

/** The files of the last commits, and which of these files are not as the last one has them; undefined where there is no commit,
 * or git does not tell in time. */
export async function readHistory({ own }: UserGit, files: readonly FileBlock[]): Promise<History | undefined> {
  const call = { gitDir: own, signal: AbortSignal.timeout(LONGEST_MS) };
  const names = ["--name-only", "--no-renames", "--no-ext-diff", "--no-textconv", "-z", "--format=%x01"];
  try {
    const log = await runGit(["log", "-n", String(COMMITS), ...names, "HEAD"], call);
    const tree = await runGit(["ls-tree", "-r", "-z", "HEAD"], call);
    return { commits: readLog(log.toString()), uncommitted: differing(readTree(tree.toString()), files) };
  } catch {
    return undefined;
  }
}

function readLog(text: string): string[][] {
  const commits = text.split("\x01").slice(1);
  const paths = commits.map((each) => each.split("\0").map((path) => path.replace(/^\n+/, "")));
  return paths.map((each) => each.filter((path) => path !== "")).filter(({ length }) => length <= MOST_FILES);
}

function readTree(text: string): Map<string, string> {
  const lines = text.split("\0").flatMap((line) => {
    const [, id, path] = /^\d+ blob ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
    return id === undefined ? [] : [[path!, id] as const];
  });
  return new Map(lines);
}

/** Where line ends or filters make most files differ, nothing can be told. */
function differing(tree: ReadonlyMap<string, string>, files: readonly FileBlock[]): string[] {
  const found = files.filter(({ path, content }) => {
    const id = tree.get(path);
    return id === undefined || id !== blobId(content, id.length);
  });
  return found.length * 2 > files.length ? [] : found.map(({ path }) => path);
}

function blobId(content: string, length: number): string {
  const bytes = Buffer.from(content);
  const hash = createHash(length === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}
