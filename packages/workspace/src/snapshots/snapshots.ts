// Snapshots of a workspace, kept as commits in a git directory of our own that lies outside it.
//
//   S1  A snapshot is a function of what stands in the workspace: the same files give the same id.
//   S2  Restoring gives exactly those files again: what came since is gone, executable bits, links and empty folders
//       are back, ignored folders are left alone.
//   S3  A restore works from what it finds, so one that was killed half-way is made whole by the next.
//   S4  The workspace's own repository, ignore rules and attributes play no part: trees are written from a walk of
//       ours, without an index, so there is no lock to go stale.

import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { LoopwrightError } from "@loopwright/core";
import { initGit, runGit } from "@loopwright/git";
import { takeTurns } from "@loopwright/sandbox";
import { makeFolder, placeFile, placeLink, readPlain, removeFile } from "../folder/files.ts";
import { type Entry, type Owner, walk } from "../folder/walk.ts";
import { clear } from "./clear.ts";
import { Hashes } from "./hashes.ts";
import { blobHash, isSame, type Kept, quotePath, type Tree, treeToText } from "./tree.ts";

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

const WHO = "Loopwright <loopwright@localhost> 1000000000 +0000";
/** How many files, and bytes of them, are brought out of git at a time. */
const BATCH = { files: 500, bytes: 2 ** 25 };
const LINES_BYTES = 2 ** 16;

export class Snapshots {
  readonly #place: SnapshotPlace;
  readonly #hashes: Hashes;
  /** The note and tree behind the last id that was taken or restored. */
  #last: { id: string; text: string } | undefined;

  constructor(place: SnapshotPlace) {
    this.#place = place;
    this.#hashes = new Hashes(place.gitDir, place.owner ?? "us");
  }

  /** Takes a snapshot, with a note that comes back when it is restored. */
  async take(note: unknown, signal?: AbortSignal): Promise<string> {
    const tree = await this.#look();
    const message = JSON.stringify({ emptyFolders: tree.emptyFolders, note });
    const text = treeToText(tree, message);
    if (this.#last?.text === text) return this.#last.id;
    await this.#init(signal);
    const id = await this.#import(tree, message, signal);
    await this.#remember(id, tree, text);
    return id;
  }

  async #import(tree: Tree, message: string, signal?: AbortSignal): Promise<string> {
    const send = () => this.#git(["fast-import", "--quiet", "--done"], signal, this.#commands(tree, message));
    try {
      return (await send()).toString().trim();
    } catch (error) {
      // A file that was said to be stored may be lost: everything is sent again, once.
      if (!(error instanceof LoopwrightError && error.code === "GIT_FAILED" && this.#hashes.forgetStored()))
        throw error;
      return (await send()).toString().trim();
    }
  }

  /** Makes the workspace what it was, and gives the snapshot's note. */
  async restore(id: string, signal?: AbortSignal): Promise<unknown> {
    const { tree, message, note } = await this.#read(id, signal);
    const { folder, ignore = [] } = this.#place;
    await clear(folder, tree, ignore, signal);
    const now = await this.#look();
    await this.#placeAll([...tree.files].filter(([path, kept]) => !isSame(now.files.get(path), kept)));
    for (const each of tree.emptyFolders) makeFolder(folder, each);
    await this.#remember(id, tree, treeToText(tree, message));
    return note;
  }

  /** Whether the workspace is what a snapshot holds. */
  async isAt(id: string): Promise<boolean> {
    const { tree, message } = await this.#read(id);
    return treeToText(await this.#look(), message) === treeToText(tree, message);
  }

  /** What a snapshot holds. */
  async tree(id: string): Promise<Tree> {
    return (await this.#read(id)).tree;
  }

  /** The texts of files of a tree, by path; links and what is no text are left out. */
  async texts({ files }: Tree, paths: readonly string[]): Promise<Map<string, string>> {
    const wanted = paths.flatMap((path) => (files.has(path) ? [[path, files.get(path)!] as const] : []));
    const found = new Map<string, string>();
    for (const batch of batches(wanted.filter(([, { mode }]) => mode !== "120000"))) {
      const blobs = await this.#blobs(batch.map(([, { blob }]) => blob));
      for (const [index, [path]] of batch.entries())
        if (isUtf8(blobs[index]!)) found.set(path, blobs[index]!.toString());
    }
    return found;
  }

  /** Makes single paths what a tree holds of them, and touches nothing else. Each is asked about right before. */
  async place(paths: readonly string[], tree: Tree, isFree: IsFree = () => true): Promise<void> {
    await this.#placeAll(
      paths.flatMap((path) => (tree.files.has(path) ? [[path, tree.files.get(path)!] as const] : [])),
      isFree,
    );
    for (const path of paths) if (!tree.files.has(path) && isFree(path)) removeFile(this.#place.folder, path);
  }

  async #remember(id: string, tree: Tree, text: string): Promise<void> {
    this.#last = { id, text };
    await this.#hashes.store(tree.files);
  }

  async #placeAll(wanted: readonly (readonly [string, Kept])[], isFree: IsFree = () => true): Promise<void> {
    for (const batch of batches(wanted)) {
      const blobs = await this.#blobs(batch.map(([, { blob }]) => blob));
      const turn = takeTurns();
      for (const [index, [path, kept]] of batch.entries()) {
        await turn();
        this.#placeOne(path, kept, blobs[index]!, isFree);
      }
    }
  }

  #placeOne(path: string, kept: Kept, bytes: Buffer, isFree: IsFree): void {
    if (blobHash(bytes.length).update(bytes).digest("hex") !== kept.blob)
      throw new LoopwrightError("SNAPSHOT_DAMAGED", `the snapshot's ${path} is damaged`);
    if (!isFree(path)) return;
    this.#hashes.forget(path);
    if (kept.mode === "120000") placeLink(this.#place.folder, path, bytes);
    else placeFile(this.#place.folder, path, bytes, kept.mode === "100755");
  }

  #walk(): Promise<Entry[]> {
    return walk(this.#place.folder, this.#place.ignore, this.#place.owner);
  }

  /** The workspace as a tree; files that have not changed since the last look are not read. */
  async #look(): Promise<Tree> {
    const entries = await this.#walk();
    const files = await this.#hash(entries);
    const held = new Set(entries.map(({ path }) => dirname(path)));
    const emptyFolders = entries
      .filter(({ kind, path }) => kind === "folder" && !held.has(path))
      .map((each) => each.path);
    return { files, emptyFolders: emptyFolders.sort() };
  }

  async #hash(entries: readonly Entry[]): Promise<Map<string, Kept>> {
    const { folder, owner = "us" } = this.#place;
    const turn = takeTurns();
    const files = new Map<string, Kept>();
    for (const entry of entries) {
      if (entry.kind !== "file" && entry.kind !== "link") continue;
      await turn();
      // What a program has locked is there all the same, and is no longer locked when it is restored.
      if (owner === "us" && entry.kind === "file" && entry.isLocked)
        chmodSync(join(folder, entry.path), entry.isExecutable ? 0o755 : 0o644);
      const known = this.#hashes.get(entry);
      const now = Date.now();
      const bytes = known === undefined ? readPlain(folder, entry.path, owner) : undefined;
      const found = bytes && { blob: blobHash(bytes.length).update(bytes).digest("hex"), size: bytes.length };
      if (found) this.#hashes.set(entry, found, now);
      const blob = known ?? found?.blob;
      const mode = entry.kind === "link" ? "120000" : entry.isExecutable ? "100755" : "100644";
      if (blob) files.set(entry.path, { mode, blob, size: entry.size });
    }
    return files;
  }

  /** What fast-import is told: one commit without a parent, each file's bytes in it. */
  async *#commands(tree: Tree, message: string): AsyncGenerator<Uint8Array | string> {
    // A name of its own: a lock that a killed git has left stands in no one's way.
    yield `commit refs/loopwright/${randomUUID()}\nmark :1\ncommitter ${WHO}\ndata ${Buffer.byteLength(message)}\n${message}\ndeleteall\n`;
    const { folder, owner = "us" } = this.#place;
    let lines = "";
    for (const [path, { mode, blob }] of tree.files) {
      if (this.#hashes.isStored(blob)) {
        lines += `M ${mode} ${blob} ${quotePath(path)}\n`;
        if (lines.length < LINES_BYTES) continue;
        yield lines;
        lines = "";
        continue;
      }
      yield `${lines}M ${mode} inline ${quotePath(path)}\n`;
      lines = "";
      const bytes = readPlain(folder, path, owner);
      if (!bytes || blobHash(bytes.length).update(bytes).digest("hex") !== blob)
        throw new LoopwrightError("WORKSPACE_CHANGING", `${path} changed while the workspace was being snapshotted`);
      yield `data ${bytes.length}\n`;
      yield bytes;
      yield "\n";
    }
    yield `${lines}get-mark :1\ndone\n`;
  }

  async #read(id: string, signal?: AbortSignal): Promise<{ tree: Tree; message: string; note: unknown }> {
    if (!/^[0-9a-f]{40}$/.test(id)) throw snapshotMissing(id);
    const [list, commit] = await Promise.all([
      this.#git(["ls-tree", "-r", "-l", "-z", "--full-tree", id], signal),
      this.#git(["cat-file", "commit", id], signal),
    ]).catch((error: unknown) => {
      throw error instanceof LoopwrightError && error.code === "GIT_FAILED" ? snapshotMissing(id, error) : error;
    });
    const files = new Map<string, Kept>();
    readTree(list.toString(), files);
    const words = commit.toString();
    const message = words.slice(words.indexOf("\n\n") + 2);
    const { emptyFolders, note } = JSON.parse(message) as { emptyFolders: string[]; note: unknown };
    return { tree: { files, emptyFolders }, message, note };
  }

  async #blobs(ids: readonly string[]): Promise<Buffer[]> {
    const output = await this.#git(["cat-file", "--batch"], undefined, [`${ids.join("\n")}\n`]);
    const blobs: Buffer[] = [];
    for (let at = 0; blobs.length < ids.length; ) {
      const end = output.indexOf("\n", at);
      const [, type, length] = output.toString("utf8", at, end).split(" ");
      if (type !== "blob") throw new LoopwrightError("SNAPSHOT_DAMAGED", "a file of the snapshot is missing");
      blobs.push(output.subarray(end + 1, end + 1 + Number(length)));
      at = end + 2 + Number(length);
    }
    return blobs;
  }

  async #init(signal?: AbortSignal): Promise<void> {
    if (existsSync(join(this.#place.gitDir, "HEAD"))) return;
    mkdirSync(this.#place.gitDir, { recursive: true });
    await initGit(this.#place.gitDir, signal);
  }

  #git(args: string[], signal?: AbortSignal, input?: Iterable<string> | AsyncIterable<string | Uint8Array>) {
    const { gitDir } = this.#place;
    return runGit(args, { gitDir, ...(input ? { input } : {}), ...(signal ? { signal } : {}) });
  }
}

/** Reads what ls-tree lists. */
function readTree(list: string, files: Map<string, Kept>): void {
  for (let at = 0; at < list.length; ) {
    const [tab, end] = [list.indexOf("\t", at), list.indexOf("\0", at)];
    const [mode, , blob, size] = list.slice(at, tab).split(/ +/) as [Kept["mode"], string, string, string];
    files.set(list.slice(tab + 1, end), { mode, blob, size: Number(size) });
    at = end + 1;
  }
}

/** Lists of files that are not too much at a time. */
function* batches(files: readonly (readonly [string, Kept])[]): Generator<(readonly [string, Kept])[]> {
  let [batch, bytes]: [(readonly [string, Kept])[], number] = [[], 0];
  for (const each of files) {
    if (batch.length === BATCH.files || (batch.length > 0 && bytes + each[1].size > BATCH.bytes)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(each);
    bytes += each[1].size;
  }
  if (batch.length > 0) yield batch;
}

function snapshotMissing(id: string, cause?: Error): LoopwrightError {
  return new LoopwrightError("SNAPSHOT_MISSING", `there is no snapshot ${id.slice(0, 60)} of this workspace`, {
    cause,
  });
}
