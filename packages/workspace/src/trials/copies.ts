// Private copies of a workspace: one that nothing changes, and one for each worker, made anew whenever a worker is.
//
// Folders of installed packages and the git directory are not copied: workers see the workspace's own, read-only.

import { existsSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import {
  inSlices,
  type OpenFolder,
  reach,
  removeAll,
  removeAllNow,
  type Sandbox,
  type Work,
} from "@loopwright/sandbox";
import { makeFolder, openFile } from "../folder/files.ts";
import { type Entry, openRoot, walk } from "../folder/walk.ts";
import type { TestRun } from "../runners/run.ts";

export interface CopiesOptions {
  sandbox: Sandbox;
  /** The workspace, and where jobs see it. */
  folder: string;
  inside: string;
  /** Where the copies are kept. */
  state: string;
  /** Paths that are no part of the copies. */
  ignore: readonly string[];
  /** What is seen where it lies instead of being copied: by path, the folder or file. */
  shared: Readonly<Record<string, string>>;
}

const CHUNK = 2 ** 18;

let made = 0;

/** Copies of one workspace in a folder of their own. */
export class Copies implements Disposable {
  readonly pristine: string;
  /** What is mounted into a copy, by the path that a job sees. */
  readonly mounts: Readonly<Record<string, string>>;
  /** Paths of a copy that a version cannot change. */
  readonly left: readonly string[];
  readonly #place: string;

  private constructor(place: string, { sandbox, inside, shared }: CopiesOptions) {
    this.#place = place;
    this.pristine = join(place, "pristine");
    this.left = Object.keys(shared);
    const mounted = sandbox.kind === "none" ? [] : Object.entries(shared);
    this.mounts = Object.fromEntries(mounted.map(([path, from]) => [`${inside}/${path}`, from]));
  }

  static async make(options: CopiesOptions): Promise<Copies> {
    const { sandbox, folder, state, ignore, shared } = options;
    await removeStale(state);
    const place = join(state, `trials-${process.pid}-${made++}`);
    mkdirSync(join(place, "pristine"), { recursive: true });
    try {
      await copyWorkspace(folder, join(place, "pristine"), ignore);
      for (const [path, from] of Object.entries(shared)) standIn(from, join(place, "pristine", path), sandbox);
      return new Copies(place, options);
    } catch (error) {
      await removeAll(place);
      throw error;
    }
  }

  /** A fresh copy under a name; what stood there before is gone. */
  async take(name: string): Promise<string> {
    const copy = join(this.#place, name);
    await removeAll(copy);
    await cp(this.pristine, copy, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    return copy;
  }

  /** A folder of programs, by their paths in it, under a name. */
  programs(name: string, programs: Readonly<Record<string, string>>): string {
    const folder = this.folder(name);
    for (const [path, text] of Object.entries(programs)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return folder;
  }

  /** An empty folder under a name. */
  folder(name: string): string {
    const path = join(this.#place, name);
    removeAllNow(path);
    mkdirSync(path);
    return path;
  }

  [Symbol.dispose](): void {
    removeAllNow(this.#place);
  }
}

/** A test run on a copy in place of the workspace. */
export function runOn(options: TestRun, copies: Copies, folder: string): TestRun {
  const isBare = options.sandbox.kind === "none";
  const inside = (path: string) =>
    isBare && path.startsWith(`${options.folder}/`) ? folder + path.slice(options.folder.length) : path;
  return {
    ...options,
    folder,
    files: options.files.map((file) => ({ ...file, inside: inside(file.inside) })),
    mounts: { ...copies.mounts, ...options.mounts },
  };
}

/** Copies files, links and folders. */
async function copyWorkspace(folder: string, target: string, ignore: readonly string[]): Promise<void> {
  const entries = await walk(folder, ignore);
  using from = openRoot(folder);
  using to = openRoot(target);
  await inSlices(copying(entries, from, to));
}

function* copying(entries: readonly Entry[], from: OpenFolder, to: OpenFolder): Work<void> {
  const chunk = Buffer.allocUnsafe(CHUNK);
  for (const { path, kind } of entries) {
    yield;
    if (kind === "folder") makeFolder(to, path);
    if (kind === "link") {
      const target = reach(from, path, (folder, name) => folder.readLink(name));
      if (target) reach(to, path, (folder, name) => folder.makeLink(name, target));
    }
    if (kind !== "file") continue;
    using file = reach(from, path, (folder, name) => openFile(folder, name, "us"));
    using copy = file && reach(to, path, (folder, name) => folder.create(name, file.mode));
    if (!file || !copy) continue;
    for (let read = file.read(chunk); read > 0; read = file.read(chunk)) {
      copy.write(chunk.subarray(0, read));
      yield;
    }
    copy.dress(file);
  }
}

/** What a mount needs to stand on; without mounts, a link does. */
function standIn(from: string, to: string, sandbox: Sandbox): void {
  mkdirSync(dirname(to), { recursive: true });
  if (sandbox.kind === "none") symlinkSync(from, to);
  else blank(from, to);
}

/** An empty folder or file where another one is. */
function blank(from: string, to: string): void {
  const found = lstatSync(from, { throwIfNoEntry: false });
  if (!found) return;
  if (found.isDirectory()) mkdirSync(to, { recursive: true });
  else if (!existsSync(to)) writeFileSync(to, "");
}

/** Removes the copies of processes that were killed. */
async function removeStale(state: string): Promise<void> {
  if (!existsSync(state)) return;
  for (const name of readdirSync(state)) {
    const pid = basename(name).match(/^trials-(\d+)-\d+$/)?.[1];
    if (pid !== undefined && Number(pid) !== process.pid && !isAlive(Number(pid))) await removeAll(join(state, name));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
