// Copies what the packages need of some large libraries into their vendor/ folders, as it was published: a package then ships a
// few files instead of the whole library. Each copy keeps the library's package.json, which names its version, and its license.
//
// The libraries are devDependencies of the package that ships the copy. Only what has changed is written, each file at once, so
// that another test run under way is not disturbed.

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire, findPackageJSON } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

interface Library {
  /** The folder under packages/ that ships the copy. */
  package: string;
  name: string;
  files: readonly string[];
  /** A CommonJS file that is copied with all the files that it loads. */
  entry?: string;
}

const libraries: readonly Library[] = [
  { package: "models", name: "gpt-tokenizer", files: ["cjs/package.json"], entry: "cjs/encoding/o200k_base.js" },
  { package: "novel", name: "docx", files: ["dist/index.mjs"] },
  { package: "workspace", name: "tree-sitter-python", files: ["tree-sitter-python.wasm"] },
  {
    package: "workspace",
    name: "tree-sitter-typescript",
    files: ["tree-sitter-typescript.wasm", "tree-sitter-tsx.wasm"],
  },
];

for (const library of libraries) copyLibrary(library);

function copyLibrary({ package: into, name, files, entry }: Library): void {
  const folder = fileURLToPath(new URL(`../packages/${into}`, import.meta.url));
  const source = dirname(findPackageJSON(name, join(folder, "package.json"))!);
  const loaded = entry === undefined ? [] : filesLoadedBy(source, entry);
  for (const file of ["package.json", "LICENSE", ...files, ...loaded]) {
    copyFile(join(source, file), join(folder, "vendor", name, file));
  }
}

function filesLoadedBy(source: string, entry: string): string[] {
  const require = createRequire(join(source, "package.json"));
  require(join(source, entry));
  const paths = Object.keys(require.cache).map((path) => relative(source, path));
  return paths.filter((path) => !path.startsWith(".."));
}

function copyFile(from: string, to: string): void {
  const content = readFileSync(from);
  if (existsSync(to) && readFileSync(to).equals(content)) return;
  mkdirSync(dirname(to), { recursive: true });
  const unfinished = `${to}.${process.pid}`;
  try {
    writeFileSync(unfinished, content);
    renameSync(unfinished, to);
  } finally {
    rmSync(unfinished, { force: true });
  }
}
