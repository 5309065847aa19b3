// The packages of this repository as their package.json files have them, for the checks; read from the current folder.

import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

type Dependencies = Record<string, string>;

export interface Manifest {
  name: string;
  version?: string;
  exports?: Record<string, unknown>;
  dependencies?: Dependencies;
  optionalDependencies?: Dependencies;
  peerDependencies?: Dependencies;
  devDependencies?: Dependencies;
  [field: string]: unknown;
}

export interface Package {
  /** Its folder, seen from the root: packages/core. */
  folder: string;
  manifest: Manifest;
  /** Its package.json as it is written. */
  text: string;
}

/** Every folder of packages/ that has a package.json. */
export function readPackages(root = "."): Package[] {
  return filesAt(join(root, "packages/*/package.json")).map((path) => readPackage(dirname(path)));
}

/** The package in a folder; the repository itself is the one in ".". */
export function readPackage(folder: string): Package {
  const text = readFileSync(`${folder}/package.json`, "utf8");
  return { folder, text, manifest: JSON.parse(text) as Manifest };
}

/** Files by pattern, with slashes and in order, without what is built, installed or left behind by runs. */
export function filesAt(...patterns: string[]): string[] {
  const isMade = (path: string) => /(^|\/)(node_modules|dist|runs|\.loopwright)\//.test(path);
  const entries = globSync(patterns, { withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => relative(".", join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
  return paths.filter((path) => !isMade(path)).sort();
}

/** Whether a file is there for tests alone: a test, a test of types, or a contract, the suite that several tests run. */
export function isTest(path: string): boolean {
  return /\.test(-d)?\.[cm]?[jt]s$|(^|\/)test_[^/]*\.py$|\/contract(\.ts$|\/)/.test(path);
}
