// Everything that the rules look at: the packages, and each source file with its imports.

import { readFileSync } from "node:fs";
import { filesAt, isTest, type Manifest, type Package, readPackage, readPackages } from "../packages.ts";
import { type Import, importsOf } from "./imports.ts";

/** One line of the check's output. */
export interface Finding {
  /** The file and the line in it. */
  place: string;
  message: string;
}

export interface SourceFile {
  path: string;
  /** The package that it belongs to, or the repository itself. */
  owner: Package;
  /** A program runs among the packages of whoever's code is tried, so that its names are not ours. */
  role: "source" | "test" | "program" | "root";
  imports: Import[];
  mentions: string[];
}

export interface Tree {
  /** The repository's own package.json. */
  root: Package;
  packages: Package[];
  /** The packages by the name that others import. */
  byName: Map<string, Package>;
  files: SourceFile[];
}

/** Reads the tree in the current folder. */
export function readTree(): Tree {
  const root = readPackage(".");
  const packages = readPackages();
  return {
    root,
    packages,
    byName: new Map(packages.map((each) => [each.manifest.name, each])),
    files: [...packages.flatMap(filesOf), ...rootFiles(root)],
  };
}

function filesOf(owner: Package): SourceFile[] {
  const at = (folder: string) => filesAt(`${owner.folder}/${folder}/**/*.{ts,mts,cts,js,mjs,cjs}`);
  return [
    ...[...at("src"), ...at("bin")].map((path) => readSource(path, owner, isTest(path) ? "test" : "source")),
    ...at("programs").map((path) => readSource(path, owner, isTest(path) ? "test" : "program")),
  ];
}

/** The files outside packages/ that the compiler checks: in test/, bench/, scripts/ and examples/, and not their data. */
function rootFiles(root: Package): SourceFile[] {
  const { include } = JSON.parse(readFileSync("tsconfig.json", "utf8")) as { include: string[] };
  const patterns = include.filter((path) => !path.startsWith("packages/"));
  const paths = filesAt(...patterns.map((path) => (path.endsWith(".ts") ? path : `${path}/**/*.ts`)));
  return paths.map((path) => readSource(path, root, "root"));
}

function readSource(path: string, owner: Package, role: SourceFile["role"]): SourceFile {
  return { path, owner, role, ...importsOf(readFileSync(path, "utf8")) };
}

/** The package that an import's name begins with: `@scope/name` or `name`. */
export function packageNameOf(target: string): string {
  return target
    .split("/")
    .slice(0, target.startsWith("@") ? 2 : 1)
    .join("/");
}

/** What a package needs when it runs, by name. */
export function dependenciesOf({ dependencies, optionalDependencies, peerDependencies }: Manifest): string[] {
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
}

/** The loops that a command line comes with, by name: its package.json says where each is. */
export function loopsOf({ loopwright }: Manifest): Record<string, string> {
  return (loopwright as { loops?: Record<string, string> } | undefined)?.loops ?? {};
}

/** The place in a package.json or tsconfig.json where a field is named, or else where a value stands. */
export function placeIn(path: string, text: string, name: string): string {
  const lines = text.split("\n");
  const [field, value] = [`"${name}":`, `"${name}"`].map((each) => lines.findIndex((line) => line.includes(each)) + 1);
  return `${path}:${field || value || 1}`;
}
