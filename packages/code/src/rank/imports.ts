// Which files of a workspace import which: what an import says is looked for among the files that are there, and what is found
// nowhere is somebody else's. Pure.

import { dirname, join } from "node:path/posix";
import type { FileBlock } from "@loopwright/workspace";
import { factsOf } from "./facts.ts";

/** Paths by path: what a file imports, and what imports it. */
export interface ImportGraph {
  imports: ReadonlyMap<string, readonly string[]>;
  importers: ReadonlyMap<string, readonly string[]>;
}

/** The graph over these files. */
export function importGraph(files: readonly FileBlock[]): ImportGraph {
  const modules = moduleIndex(files.map(({ path }) => path));
  const imports = new Map<string, string[]>();
  const importers = new Map<string, string[]>();
  for (const { path, content } of files) {
    const found = new Set(factsOf(path, content).imports.flatMap((each) => modules.find(each, path) ?? []));
    found.delete(path);
    imports.set(path, [...found]);
    for (const each of found) importers.set(each, [...(importers.get(each) ?? []), path]);
  }
  return { imports, importers };
}

export interface ModuleIndex {
  /** The file that an import or a dotted name means, as it is written in a file, if it is one of these. */
  find(name: string, from?: string): string | undefined;
}

const ENDING = /(?:\/__init__|\/index)?(?:\.d)?\.(?:pyi?|[cm]?[jt]sx?)$/;

/** Files by how imports may name them. A module of Python is found from wherever its path may begin (`src/`, `lib/`). */
export function moduleIndex(paths: readonly string[]): ModuleIndex {
  const byPath = new Map<string, string>();
  const byEnd = new Map<string, string | undefined>();
  for (const path of paths) {
    const plain = path.replace(ENDING, "");
    if (!byPath.has(plain) || path.endsWith(".py")) byPath.set(plain, path);
    byPath.set(path, path);
    if (!/\.pyi?$/.test(path)) continue;
    for (let [end, slash] = [plain, 0]; slash >= 0; slash = end.indexOf("/"), end = end.slice(slash + 1)) {
      // A name that two files may mean by their ends means neither, unless it is the whole path of one.
      byEnd.set(end, byEnd.has(end) ? undefined : path);
      if (!end.includes("/")) break;
    }
  }
  const findPath = (path: string) => byPath.get(path) ?? byPath.get(path.replace(/\.[cm]?[jt]sx?$/, ""));
  return {
    find: (name, from = "") => {
      if (/^\.{1,2}(?:\/|$)/.test(name)) return findPath(join(dirname(from), name));
      if (!/^\.*[\w.]+$/.test(name)) return undefined;
      const dots = /^\.*/.exec(name)![0].length;
      const module = name.slice(dots).replaceAll(".", "/");
      if (dots === 0) return byPath.get(module) ?? (module.includes("/") ? byEnd.get(module) : undefined);
      return byPath.get(join(dirname(from), ...Array<string>(dots - 1).fill(".."), module));
    },
  };
}
