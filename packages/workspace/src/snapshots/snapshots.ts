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
import { existsSync, mkdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { LoopwrightError } from "@loopwright/core";
import { initGit, runGit } from "@loopwright/git";
import { makeFolder, placeFile, placeLink, readPlain, removeFile } from "../folder/files.ts";
import { type Entry, type Owner, walk } from "../folder/walk.ts";
import { blobOf, foldersOf, isSame, type Kept, quotePath, type Tree, treeToText } from "./tree.ts";

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

const WHO = "Loopwright <loopwright@localhost> 1000000000 +0000";
const MAX_BYTES = 1_000_000_000;
const BATCH = 200;
/** Clocks of file systems are coarse: an entry hashed this soon after its change may change again under one stamp. */
const COARSE_MS = 100;

export class Snapshots {
  readonly #place: SnapshotPlace;
  readonly #hashes = new Map<string, { stamp: string; blob: string }>();
  /** Blobs that our git directory is known to hold: their bytes are not sent again. */
  readonly #stored = new Set<string>();
  /** The note and tree behind the last id that was taken or restored. */
  #last: { id: string; text: string } | undefined;

  constructor(place: SnapshotPlace) {
    this.#place = place;
  }

  /** Takes a snapshot, with a note that comes back when it is restored. */
  async take(note: unknown, signal?: AbortSignal): Promise<string> {
    const tree = await this.#look();
    const message = JSON.stringify({ emptyFolders: tree.emptyFolders, note });
    const text = treeToText(tree, message);
    if (this.#last?.text === text) return this.#last.id;
    await this.#init(signal);
    const input = this.#commands(tree, message);
    const output = await this.#git(["fast-import", "--quiet", "--done"], signal, input);
    const id = output.toString().trim();
    this.#remember(id, tree, text);
    return id;
  }

  /** Makes the workspace what it was, and gives the snapshot's note. */
  async restore(id: string, signal?: AbortSignal): Promise<unknown> {
    const { tree, message, note } = await this.#read(id, signal);
    const entries = await this.#walk();
    this.#clear(entries, tree);
    const now = await this.#look();
    const wanted = [...tree.files].filter(([path, kept]) => !isSame(now.files.get(path), kept));
    for (let at = 0; at < wanted.length; at += BATCH) {
      const batch = wanted.slice(at, at + BATCH);
      const blobs = await this.#blobs(batch.map(([, { blob }]) => blob));
      batch.forEach(([path, kept], index) => {
        this.#put(path, kept, blobs[index]!);
      });
    }
    for (const folder of tree.emptyFolders) makeFolder(this.#place.folder, folder);
    this.#remember(id, tree, treeToText(tree, message));
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
    const plain = paths.filter((path) => files.has(path) && files.get(path)!.mode !== "120000");
    const found = new Map<string, string>();
    for (let at = 0; at < plain.length; at += BATCH) {
      const batch = plain.slice(at, at + BATCH);
      const blobs = await this.#blobs(batch.map((path) => files.get(path)!.blob));
      for (const [index, path] of batch.entries()) if (isUtf8(blobs[index]!)) found.set(path, blobs[index]!.toString());
    }
    return found;
  }

  /** Makes single paths what a tree holds of them, and touches nothing else. */
  async place(paths: readonly string[], tree: Tree): Promise<void> {
    const kept = paths.flatMap((path) => (tree.files.has(path) ? [[path, tree.files.get(path)!] as const] : []));
    for (let at = 0; at < kept.length; at += BATCH) {
      const batch = kept.slice(at, at + BATCH);
      const blobs = await this.#blobs(batch.map(([, { blob }]) => blob));
      for (const [index, [path, each]] of batch.entries()) this.#put(path, each, blobs[index]!);
    }
    for (const path of paths) if (!tree.files.has(path)) removeFile(this.#place.folder, path);
  }

  /** Takes out of the way whatever the snapshot does not hold. */
  #clear(entries: readonly Entry[], tree: Tree): void {
    const folders = foldersOf(tree);
    for (const { kind, path, raw } of entries) {
      const kept = tree.files.get(path);
      const stays = kind === "folder" ? !kept : kept && (kept.mode === "120000" ? kind === "link" : kind === "file");
      if (!stays) rmSync(raw, { recursive: true, force: true });
    }
    for (const { kind, path, raw } of [...entries].reverse()) {
      if (kind !== "folder" || folders.has(path) || !existsSync(raw)) continue;
      try {
        rmdirSync(raw);
      } catch (error) {
        // What is left inside is ignored, and left alone.
        if (!["ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
      }
    }
  }

  #remember(id: string, tree: Tree, text: string): void {
    this.#last = { id, text };
    for (const { blob } of tree.files.values()) this.#stored.add(blob);
  }

  #put(path: string, { mode, blob }: Kept, bytes: Buffer): void {
    const { folder } = this.#place;
    if (mode === "120000") placeLink(folder, path, bytes);
    else placeFile(folder, path, bytes, mode === "100755");
    this.#hashes.delete(path);
    if (blobOf(bytes) !== blob) throw new LoopwrightError("SNAPSHOT_DAMAGED", `the snapshot's ${path} is damaged`);
  }

  #walk(): Promise<Entry[]> {
    return walk(this.#place.folder, this.#place.ignore, this.#place.owner);
  }

  /** The workspace as a tree; files that have not changed since the last look are not read. */
  async #look(): Promise<Tree> {
    const { folder } = this.#place;
    const entries = await this.#walk();
    const total = entries.reduce((sum, { kind, size }) => sum + (kind === "file" ? size : 0), 0);
    if (total > MAX_BYTES) {
      const message = `${folder} holds more than ${MAX_BYTES / 1e6} MB: leave large files out of the workspace`;
      throw new LoopwrightError("WORKSPACE_TOO_LARGE", message);
    }
    const files = new Map<string, Kept>();
    for (const entry of entries) {
      if (entry.kind !== "file" && entry.kind !== "link") continue;
      const blob = this.#hash(entry);
      const mode = entry.kind === "link" ? "120000" : entry.isExecutable ? "100755" : "100644";
      if (blob) files.set(entry.path, { mode, blob });
    }
    const held = new Set(entries.map(({ path }) => dirname(path)));
    const emptyFolders = entries
      .filter(({ kind, path }) => kind === "folder" && !held.has(path))
      .map((each) => each.path);
    return { files, emptyFolders: emptyFolders.sort() };
  }

  #hash({ path, stamp, changedMs }: Entry): string | undefined {
    const known = this.#hashes.get(path);
    if (known?.stamp === stamp) return known.blob;
    const now = Date.now();
    const bytes = readPlain(this.#place.folder, path, this.#place.owner);
    if (!bytes) return undefined;
    const blob = blobOf(bytes);
    if (changedMs < now - COARSE_MS) this.#hashes.set(path, { stamp, blob });
    else this.#hashes.delete(path);
    return blob;
  }

  /** What fast-import is told: one commit without a parent, each file's bytes in it. */
  async *#commands(tree: Tree, message: string): AsyncGenerator<Uint8Array | string> {
    // A name of its own: a lock that a killed git has left stands in no one's way.
    yield `commit refs/loopwright/${randomUUID()}\nmark :1\ncommitter ${WHO}\ndata ${Buffer.byteLength(message)}\n${message}\ndeleteall\n`;
    for (const [path, { mode, blob }] of tree.files) {
      if (this.#stored.has(blob)) {
        yield `M ${mode} ${blob} ${quotePath(path)}\n`;
        continue;
      }
      const bytes = readPlain(this.#place.folder, path, this.#place.owner);
      if (!bytes || blobOf(bytes) !== blob) {
        throw new LoopwrightError("WORKSPACE_CHANGING", `${path} changed while the workspace was being snapshotted`);
      }
      yield `M ${mode} inline ${quotePath(path)}\ndata ${bytes.length}\n`;
      yield bytes;
      yield "\n";
    }
    yield "get-mark :1\ndone\n";
  }

  async #read(id: string, signal?: AbortSignal): Promise<{ tree: Tree; message: string; note: unknown }> {
    if (!/^[0-9a-f]{40}$/.test(id)) throw snapshotMissing(id);
    const [list, commit] = await Promise.all([
      this.#git(["ls-tree", "-r", "-z", "--full-tree", id], signal),
      this.#git(["cat-file", "commit", id], signal),
    ]).catch((error: unknown) => {
      throw error instanceof LoopwrightError && error.code === "GIT_FAILED" ? snapshotMissing(id, error) : error;
    });
    const files = new Map<string, Kept>();
    for (const line of list.toString().split("\0").filter(Boolean)) {
      const [facts, path] = [line.slice(0, line.indexOf("\t")), line.slice(line.indexOf("\t") + 1)];
      const [mode, , blob] = facts.split(" ") as [Kept["mode"], string, string];
      files.set(path, { mode, blob });
    }
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

function snapshotMissing(id: string, cause?: Error): LoopwrightError {
  return new LoopwrightError("SNAPSHOT_MISSING", `there is no snapshot ${id.slice(0, 60)} of this workspace`, {
    cause,
  });
}
