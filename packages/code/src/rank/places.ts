// What leads from one place of a workspace to another: imports, what a definition uses, and the lines, paths and modules that a text
// names. What is found nowhere among the files that are there is somebody else's. Pure.

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
  const find = moduleFinder(files.map(({ path }) => path));
  const imports = new Map<string, string[]>();
  const importers = new Map<string, string[]>();
  for (const file of files) {
    const { path } = file;
    const found = new Set(factsOf(file).imports.flatMap((each) => find(each, path) ?? []));
    found.delete(path);
    imports.set(path, [...found]);
    for (const each of found) importers.set(each, [...(importers.get(each) ?? []), path]);
  }
  return { imports, importers };
}

/** The file that an import or a dotted name means, as it is written in a file. */
type FindModule = (name: string, from?: string) => string | undefined;

const ENDING = /(?:\/__init__|\/index)?(?:\.d)?\.(?:pyi?|[cm]?[jt]sx?)$/;

/** Files by how imports may name them. A module of Python is found from wherever its path may begin (`src/`, `lib/`). */
function moduleFinder(paths: readonly string[]): FindModule {
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
  return (name, from = "") => {
    if (/^\.{1,2}(?:\/|$)/.test(name)) return findPath(join(dirname(from), name));
    if (!/^\.*[\w.]+$/.test(name)) return undefined;
    const dots = /^\.*/.exec(name)![0].length;
    const module = name.slice(dots).replaceAll(".", "/");
    if (dots === 0) return byPath.get(module) ?? (module.includes("/") ? byEnd.get(module) : undefined);
    return byPath.get(join(dirname(from), ...Array<string>(dots - 1).fill(".."), module));
  };
}

const LONGEST_BODY = 120;

/** The files, among those that a file imports, that define something which one of these definitions uses; with what. */
export function usedFiles(
  file: FileBlock,
  names: readonly string[],
  imported: readonly FileBlock[],
): Map<string, string> {
  const { definitions } = factsOf(file);
  const lines = file.content.split("\n");
  const bodies = definitions
    .filter(({ name }) => names.includes(name))
    .map(({ line }) => lines.slice(line, Math.min(bodyEnd(lines, line), line + LONGEST_BODY)).join("\n"));
  const used = new Set(bodies.flatMap((body) => body.match(/[A-Za-z_$][\w$]+/g) ?? []));
  const found = new Map<string, string>();
  if (used.size === 0) return found;
  for (const each of imported) {
    const own = factsOf(each).definitions.find(({ name }) => used.has(name));
    if (own) found.set(each.path, own.name);
  }
  return found;
}

/** The last line of a definition, from 1: before one that stands as far to the left, in which more than brackets closes. */
export function bodyEnd(lines: readonly string[], line: number): number {
  const depth = indentOf(lines[line - 1]!);
  let end = line;
  for (let at = line; at < lines.length; at++) {
    const text = lines[at]!;
    if (text.trim() === "") continue;
    if (indentOf(text) <= depth && !/^\s*[\])}]/.test(text)) break;
    end = at + 1;
  }
  return end;
}

function indentOf(line: string): number {
  return line.search(/\S|$/);
}

export interface Places {
  /** Lines that stack traces go through, by path, the innermost first. */
  traced: ReadonlyMap<string, readonly number[]>;
  /** Files that are named by their path, by the end of it, or as a module. */
  named: ReadonlySet<string>;
}

const TRACED = /File "([^"\n]+)", line (\d+)|(?:file:\/\/)?([\w./@-]*[\w-]\.(?:pyi?|[cm]?[jt]sx?)):(\d+)/g;
const PATH = /[\w./@-]*[\w-]\.(?:pyi?|[cm]?[jt]sx?)\b/g;
const DOTTED = /\b[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+/g;

/** The places that a text names, of these paths. */
export function placesIn(text: string, paths: readonly string[]): Places {
  const find = pathFinder(paths);
  const traced = new Map<string, number[]>();
  for (const [, quoted, first, plain, second] of text.matchAll(TRACED)) {
    const [path] = find(quoted ?? plain!);
    if (path === undefined) continue;
    const line = Number(first ?? second);
    traced.set(path, [line, ...(traced.get(path) ?? []).filter((each) => each !== line)]);
  }
  const named = new Set((text.match(PATH) ?? []).flatMap((each) => find(each)));
  const findModule = moduleFinder(paths);
  for (const dotted of new Set(text.match(DOTTED) ?? [])) {
    const path = moduleOf(dotted, findModule);
    if (path !== undefined) named.add(path);
  }
  return { traced, named };
}

/** The module that a dotted name begins with: `a.b.c` in `a.b.c.Class.method`. */
function moduleOf(dotted: string, find: FindModule): string | undefined {
  for (let name = dotted; name.includes("."); name = name.slice(0, name.lastIndexOf("."))) {
    const path = find(name);
    if (path !== undefined) return path;
  }
  return undefined;
}

const MOST_MEANT = 3;

/** The files that a path may mean: the longest end that it shares with any; none where that is shared by many. */
function pathFinder(paths: readonly string[]): (path: string) => readonly string[] {
  const byName = Map.groupBy(paths, (path) => path.slice(path.lastIndexOf("/") + 1));
  return (given) => {
    const parts = given.replace(/^file:\/\//, "").split("/");
    const same = byName.get(parts.at(-1)!) ?? [];
    const ends = parts.map((_, at) => `/${parts.slice(at).join("/")}`);
    const meant = ends.map((end) => same.filter((path) => `/${path}`.endsWith(end))).find(({ length }) => length > 0);
    return meant && meant.length <= MOST_MEANT ? meant : [];
  };
}
