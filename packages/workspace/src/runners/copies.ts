// Tests that lie outside the checkout, for one run: a copy that they may write beside themselves in, with every file of theirs
// read-only in it. Nothing of it survives the run.

import { cpSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { SandboxJob } from "@loopwright/sandbox";
import { isRunnerFile } from "../folder/protected.ts";

/** Where tests lie on the machine, and where a job sees them. */
export interface TestCopy {
  from: string;
  place: string;
}

/** More files than that are seen read-only as they lie: each one is a mount. */
const MOST_FILES = 2_000;

type Mounts = Required<Pick<SandboxJob, "mounts" | "writable">>;

/** Makes copies in a folder of the run's own; `moved` is where a path of theirs lies in place of its original, `made` a file that
 * configures runners and was not there before. */
export function openCopies(copies: readonly TestCopy[], folder: string) {
  const opened = copies.map(({ from, place }, index) => openCopy(from, place, join(folder, String(index))));
  return {
    mounts: Object.assign({}, ...opened.map(({ mounts }) => mounts)) as Mounts["mounts"],
    writable: Object.assign({}, ...opened.map(({ writable }) => writable)) as Mounts["writable"],
    moved(path: string): string {
      const at = copies.findIndex(({ from }) => path.startsWith(`${from}/`));
      return at < 0 ? path : join(folder, String(at), path.slice(copies[at]!.from.length));
    },
    made: () => opened.map(({ made }) => made()).find((path) => path !== undefined),
  };
}

function openCopy(from: string, place: string, to: string): Mounts & { made(): string | undefined } {
  const isFolder = lstatSync(from).isDirectory();
  // Folders stand before what they hold; a link is followed by nobody.
  const entries = isFolder ? readdirSync(from, { recursive: true, withFileTypes: true }) : [];
  const files = entries.filter((entry) => entry.isFile());
  if (!isFolder || files.length > MOST_FILES) return { mounts: { [place]: from }, writable: {}, made: () => undefined };
  mkdirSync(to);
  cpSync(from, to, { recursive: true, preserveTimestamps: true });
  const all = (found: typeof entries) =>
    Object.fromEntries(
      found.map(({ parentPath, name }) => {
        const path = join(parentPath, name).slice(from.length + 1);
        return [join(place, path), join(to, path)];
      }),
    );
  // Each folder is a mount too: one that holds mounts could be renamed else, and another put in its place.
  const folders = all(entries.filter((entry) => entry.isDirectory()));
  const now = () => readdirSync(to, { recursive: true, encoding: "utf8" });
  const made = () =>
    now().find((path) => isRunnerFile(path) && !lstatSync(join(from, path), { throwIfNoEntry: false }));
  return { mounts: all(files), writable: { [place]: to, ...folders }, made };
}

/** Texts in which tests that are seen where the user has them are called by their names. */
export function callByName(copies: readonly TestCopy[]): (text: string) => string {
  const own = copies.filter(({ place }) => !place.startsWith("/loopwright/"));
  return (text) => own.reduce((done, { from, place }) => done.replaceAll(place, basename(from)), text);
}
