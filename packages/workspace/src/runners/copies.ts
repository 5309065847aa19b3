// Tests that lie outside the checkout, for one run: a copy that they may write beside themselves in, with every file of theirs
// read-only in it. Nothing of it survives the run.

import { cpSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { SandboxJob } from "@loopwright/sandbox";

/** Where tests lie on the machine, and where a job sees them. */
export interface TestCopy {
  from: string;
  place: string;
}

/** More files than that are seen read-only as they lie: each one is a mount. */
const MOST_FILES = 2_000;

export interface OpenCopies {
  mounts: NonNullable<SandboxJob["mounts"]>;
  writable: NonNullable<SandboxJob["writable"]>;
  /** Where a copy lies in place of its original. */
  moved(path: string): string;
}

/** Makes copies in a folder of the run's own. */
export function openCopies(copies: readonly TestCopy[], folder: string): OpenCopies {
  const opened = copies.map(({ from, place }, index) => openCopy(from, place, join(folder, String(index))));
  return {
    mounts: Object.assign({}, ...opened.map(({ mounts }) => mounts)) as OpenCopies["mounts"],
    writable: Object.assign({}, ...opened.map(({ writable }) => writable)) as OpenCopies["writable"],
    moved(path) {
      const at = copies.findIndex(({ from }) => path.startsWith(`${from}/`));
      return at < 0 ? path : join(folder, String(at), path.slice(copies[at]!.from.length));
    },
  };
}

function openCopy(from: string, place: string, to: string) {
  const isFolder = lstatSync(from).isDirectory();
  const { files, folders } = isFolder ? entriesIn(from) : { files: [], folders: [] };
  if (!isFolder || files.length > MOST_FILES) return { mounts: { [place]: from }, writable: {} };
  mkdirSync(to);
  cpSync(from, to, { recursive: true, preserveTimestamps: true });
  // Each folder is a mount too: one that holds mounts could be renamed else, and another put in its place.
  const all = (paths: readonly string[]) =>
    Object.fromEntries(paths.map((path) => [join(place, path), join(to, path)]));
  return {
    mounts: all(files),
    writable: all(["", ...folders]),
  };
}

/** What is in a folder, folders before what they hold; a link is followed by nobody. */
function entriesIn(root: string): { files: string[]; folders: string[] } {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const pathOf = ({ parentPath, name }: (typeof entries)[number]) => join(parentPath, name).slice(root.length + 1);
  const paths = (kind: "isFile" | "isDirectory") =>
    entries
      .filter((entry) => entry[kind]())
      .map(pathOf)
      .sort((a, b) => depth(a) - depth(b));
  return { files: paths("isFile"), folders: paths("isDirectory") };
}

function depth(path: string): number {
  return path.split("/").length;
}

/** Texts in which tests that are seen where the user has them are called by their names. */
export function callByName(copies: readonly TestCopy[]): (text: string) => string {
  const own = copies.filter(({ place }) => !place.startsWith("/loopwright/"));
  return (text) => own.reduce((done, { from, place }) => done.replaceAll(place, basename(from)), text);
}
