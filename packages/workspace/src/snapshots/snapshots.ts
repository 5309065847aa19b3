// Snapshots of a workspace, kept as commits in a git directory of our own that lies outside it.
//
//   S1  A snapshot is a function of what stands in the workspace: the same files give the same id.
//   S2  Restoring gives exactly those files again: what came since is gone, executable bits, links and empty folders
//       are back, ignored folders are left alone.
//   S3  A restore works from what it finds, so one that was killed half-way is made whole by the next.
//   S4  The workspace's own repository, ignore rules and attributes play no part: trees are written from a walk of
//       ours, without an index, so there is no lock to go stale.

import { isUtf8 } from "node:buffer";
import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { LoopwrightError } from "@loopwright/core";
import { type GitInput, initGit, runGit } from "@loopwright/git";
import type { Kept } from "@loopwright/git/branch";
import { takeTurns } from "@loopwright/sandbox";
import { lookIn, makeFolder, placeFile, placeLink, readPlain, removeFile } from "../folder/files.ts";
import { type Entry, isIgnored, isWithin, type Owner, prune, walk } from "../folder/walk.ts";

export interface SnapshotPlace {
  /** The workspace's folder. */
  folder: string;
  /** Our git directory, outside the workspace. */
  gitDir: string;
  /** Further paths of the workspace to leave out. */
  ignore?: readonly string[];
  /** Whose the folder is; ours where it is left out. */
  owner?: Owner;
}

/** Whether a path may be written now. */
export type IsFree = (path: string) => boolean;

type File = readonly [path: string, kept: Kept];

interface Snapshot {
  id: string;
  tree: Tree;
  /** What its commit says: the empty folders, and the note. */
  message: string;
}

const WHO = "Loopwright <loopwright@localhost> 1000000000 +0000";
/** How many files are brought out of git at a time. */
const BATCH = 200;
const LINES_CHARS = 2 ** 16;
/** Clocks of file systems are coarse: an entry read this soon after its change may change again under one stamp. */
const COARSE_MS = 100;

export class Snapshots {
  readonly #place: SnapshotPlace;
  /** What files were at the last look: while their stamp stays they are not read again. */
  readonly #known = new Map<string, { stamp: string; blob: string }>();
  /** What our git directory is known to hold: it is not sent again. */
  readonly #stored = new Set<string>();
  #last: Snapshot | undefined;

  constructor(place: SnapshotPlace) {
    this.#place = place;
  }

  /** Takes a snapshot, with a note that comes back when it is restored. */
  async take(note: unknown): Promise<string> {
    const tree = await this.#look();
    const message = JSON.stringify({ emptyFolders: tree.emptyFolders, note });
    if (this.#last?.message === message && changedPaths(this.#last.tree, tree).length === 0) return this.#last.id;
    if (!existsSync(join(this.#place.gitDir, "HEAD"))) {
      mkdirSync(this.#place.gitDir, { recursive: true });
      await initGit(this.#place.gitDir);
    }
    const id = (await this.#git(["fast-import", "--quiet", "--done"], this.#commands(tree, message))).toString();
    return this.#remember({ id: id.trim(), tree, message });
  }

  /** Makes the workspace what it was, and gives the snapshot's note. */
  async restore(id: string): Promise<unknown> {
    const { tree, message } = await this.#read(id);
    const { folder, ignore = [] } = this.#place;
    await clear(folder, tree, ignore);
    const now = await this.#look();
    await this.#placeAll([...tree.files].filter(([path, kept]) => !isSame(now.files.get(path), kept)));
    for (const each of tree.emptyFolders) makeFolder(folder, each);
    this.#remember({ id, tree, message });
    return (JSON.parse(message) as { note: unknown }).note;
  }

  /** What a snapshot holds. */
  async tree(id: string): Promise<Tree> {
    return (await this.#read(id)).tree;
  }

  /** The texts of files of a tree, by path; links and what is no text are left out. */
  async texts({ files }: Tree, paths: readonly string[]): Promise<Map<string, string>> {
    const wanted = filesAt(files, paths).filter(([, { mode }]) => mode !== "120000");
    const found = new Map<string, string>();
    for await (const [[path], bytes] of this.#contents(wanted)) if (isUtf8(bytes)) found.set(path, bytes.toString());
    return found;
  }

  /** Makes single paths what a tree holds of them, and touches nothing else. Each is asked about right before. What goes makes
   * room for what comes. */
  async place(paths: readonly string[], { files }: Tree, isFree: IsFree = () => true): Promise<void> {
    for (const path of paths) if (!files.has(path) && isFree(path)) removeFile(this.#place.folder, path);
    await this.#placeAll(filesAt(files, paths), isFree);
  }

  /** What stands at a path now, as a snapshot would have it; undefined for what none can hold. */
  fileAt(path: string): Kept | undefined {
    const { folder, owner } = this.#place;
    const found = lookIn(folder, path);
    const bytes = found && readPlain(folder, path, owner);
    return bytes && { mode: modeOf(found.isSymbolicLink(), (found.mode & 0o100) !== 0), blob: blobOf(bytes) };
  }

  #remember(snapshot: Snapshot): string {
    this.#last = snapshot;
    for (const { blob } of snapshot.tree.files.values()) this.#stored.add(blob);
    return snapshot.id;
  }

  async #placeAll(wanted: readonly File[], isFree: IsFree = () => true): Promise<void> {
    const { folder } = this.#place;
    for await (const [[path, kept], bytes] of this.#contents(wanted)) {
      if (!isFree(path)) continue;
      this.#known.delete(path);
      if (kept.mode === "120000") placeLink(folder, path, bytes);
      else placeFile(folder, path, bytes, kept.mode === "100755");
    }
  }

  /** The workspace as a tree; files that have not changed since the last look are not read. */
  async #look(): Promise<Tree> {
    const { folder, ignore, owner } = this.#place;
    const entries = await walk(folder, ignore, owner);
    const held = new Set(entries.map(({ path }) => dirname(path)));
    const turn = takeTurns();
    const files: Tree["files"] = new Map();
    for (const entry of entries) {
      if (entry.kind !== "file" && entry.kind !== "link") continue;
      await turn();
      const kept = this.#keptOf(entry);
      if (kept) files.set(entry.path, kept);
    }
    const empty = entries.filter(({ kind, path }) => kind === "folder" && !held.has(path));
    return { files, emptyFolders: empty.map(({ path }) => path).sort() };
  }

  #keptOf(entry: Entry): Kept | undefined {
    const { path, stamp, kind, isExecutable, changedMs } = entry;
    const known = this.#known.get(path);
    if (known?.stamp === stamp) return { mode: modeOf(kind === "link", isExecutable), blob: known.blob };
    const isSettled = changedMs < Date.now() - COARSE_MS;
    const found = this.fileAt(path);
    if (found && isSettled) this.#known.set(path, { stamp, blob: found.blob });
    else this.#known.delete(path);
    return found;
  }

  /** What fast-import is told: one commit without a parent, the bytes of each file that is not stored yet in it. */
  async *#commands(tree: Tree, message: string): AsyncGenerator<Uint8Array | string> {
    // A name of its own: a lock that a killed git has left stands in no one's way.
    yield `commit refs/loopwright/${randomUUID()}\nmark :1\ncommitter ${WHO}\ndata ${Buffer.byteLength(message)}\n${message}\ndeleteall\n`;
    let lines = "";
    for (const [path, { mode, blob }] of tree.files) {
      if (this.#stored.has(blob)) lines += `M ${mode} ${blob} ${quoted(path)}\n`;
      else {
        const bytes = readPlain(this.#place.folder, path, this.#place.owner);
        if (!bytes || blobOf(bytes) !== blob)
          throw new LoopwrightError("WORKSPACE_CHANGING", `${path} changed while the workspace was being snapshotted`);
        yield `${lines}M ${mode} inline ${quoted(path)}\ndata ${bytes.length}\n`;
        yield bytes;
        lines = "\n";
      }
      if (lines.length < LINES_CHARS) continue;
      yield lines;
      lines = "";
    }
    yield `${lines}get-mark :1\ndone\n`;
  }

  async #read(id: string): Promise<Snapshot> {
    if (!/^[0-9a-f]{40}$/.test(id)) throw snapshotMissing(id);
    const [list, commit] = await Promise.all([
      this.#git(["ls-tree", "-r", "-z", "--full-tree", id]),
      this.#git(["cat-file", "commit", id]),
    ]).catch((error: unknown) => {
      throw error instanceof LoopwrightError && error.code === "GIT_FAILED" ? snapshotMissing(id, error) : error;
    });
    const lines = list.toString().split("\0").slice(0, -1);
    const files = lines.map((line): File => {
      const [mode, , blob] = line.split(/[ \t]/, 3) as [Kept["mode"], string, string];
      return [line.slice(line.indexOf("\t") + 1), { mode, blob }];
    });
    const words = commit.toString();
    const message = words.slice(words.indexOf("\n\n") + 2);
    const { emptyFolders } = JSON.parse(message) as Pick<Tree, "emptyFolders">;
    return { id, tree: { files: new Map(files), emptyFolders }, message };
  }

  /** Files with their bytes, some at a time. */
  async *#contents(files: readonly File[]): AsyncGenerator<[File, Buffer]> {
    const turn = takeTurns();
    for (let from = 0; from < files.length; from += BATCH) {
      const batch = files.slice(from, from + BATCH);
      const ids = batch.map(([, { blob }]) => `${blob}\n`);
      const output = await this.#git(["cat-file", "--batch"], ids);
      let at = 0;
      for (const file of batch) {
        await turn();
        const end = output.indexOf("\n", at);
        const [, type, length] = output.toString("utf8", at, end).split(" ");
        if (type !== "blob") throw new LoopwrightError("SNAPSHOT_DAMAGED", `the snapshot's ${file[0]} is missing`);
        at = end + 2 + Number(length);
        yield [file, output.subarray(end + 1, at - 1)];
      }
    }
  }

  #git(args: string[], input: GitInput = []): Promise<Buffer> {
    return runGit(args, { gitDir: this.#place.gitDir, input });
  }
}

/** A tree as a snapshot that a workcell can begin with. */
export async function treeToSnapshot(gitDir: string, tree: string): Promise<string> {
  const message = JSON.stringify({ emptyFolders: [], note: {} });
  return (await runGit(["commit-tree", tree, "-m", message], { gitDir })).toString().trim();
}

/** Clears a workspace for a tree: what it leaves is of the tree's kinds, or ignored. A folder that the tree does not have
 * goes whole. */
function clear(root: string, tree: Tree, ignore: readonly string[]): Promise<void> {
  const folders = foldersOf(tree);
  return prune(root, (path, entry) => {
    if (isIgnored(entry.name) || ignore.includes(path)) return "stays";
    if (entry.isDirectory())
      return folders.has(path) || ignore.some((each) => isWithin(each, path)) ? "is entered" : "goes";
    const mode = tree.files.get(path)?.mode;
    return mode !== undefined && (mode === "120000" ? entry.isSymbolicLink() : entry.isFile()) ? "stays" : "goes";
  });
}

function modeOf(isLink: boolean, isExecutable: boolean): Kept["mode"] {
  if (isLink) return "120000";
  return isExecutable ? "100755" : "100644";
}

function filesAt(files: Tree["files"], paths: readonly string[]): File[] {
  return paths.flatMap((path) => (files.has(path) ? [[path, files.get(path)!] as const] : []));
}

/** A path as fast-import reads it. */
function quoted(path: string): string {
  return `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}

function snapshotMissing(id: string, cause?: Error): LoopwrightError {
  return new LoopwrightError("SNAPSHOT_MISSING", `there is no snapshot ${id.slice(0, 60)} of this workspace`, {
    cause,
  });
}

export interface Tree {
  files: Map<string, Kept>;
  emptyFolders: string[];
}

/** The name that git gives to bytes. */
export function blobOf(bytes: Uint8Array): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

/** Whether two files of a tree are the same, or both none. */
export function isSame(one: Kept | undefined, other: Kept | undefined): boolean {
  return one?.blob === other?.blob && one?.mode === other?.mode;
}

/** Whether a path is the same in two trees: the same file, or none. */
export function isAlike(one: Tree, other: Tree, path: string): boolean {
  return isSame(one.files.get(path), other.files.get(path));
}

/** The paths whose file differs, or is in one of two trees only. */
export function changedPaths(one: Tree, other: Tree): string[] {
  const paths = new Set([...one.files.keys(), ...other.files.keys()]);
  return [...paths].filter((path) => !isAlike(one, other, path)).sort();
}

/** Every folder that must be there for a tree. */
export function foldersOf({ files, emptyFolders }: Tree): Set<string> {
  const folders = new Set<string>();
  for (let path of [...[...files.keys()].map((each) => dirname(each)), ...emptyFolders]) {
    for (; path !== "." && !folders.has(path); path = dirname(path)) folders.add(path);
  }
  return folders;
}
