// The programs in other languages that run inside sandboxes: files of a folder of the package, so that linters see them.
//
// They are read when this package is loaded, before any tested code runs: what becomes of the files later changes nothing.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Where the programs lie, as seen from the sources and from what is built of them alike. */
export const programsFolder = join(import.meta.dirname, "../programs");

/** The paths of programs in a folder of theirs, and in its folders. */
export function programPaths(folder = "."): string[] {
  const paths = readdirSync(join(programsFolder, folder), { recursive: true, encoding: "utf8" });
  return paths.filter((path) => /\.(?:py|mjs|cjs)$/.test(path)).sort();
}

/** A program's text. */
export function readProgram(path: string): string {
  return readFileSync(join(programsFolder, path), "utf8");
}

/** All programs of a folder, by their paths in it. */
export function readPrograms(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(programPaths(folder).map((path) => [path, readProgram(join(folder, path))]));
}
