// Places of the workspace that a text names: lines of stack traces in any of the usual forms, paths, and modules by their dotted
// names. Pure.

import { moduleIndex } from "./imports.ts";

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
  const modules = moduleIndex(paths);
  for (const dotted of new Set(text.match(DOTTED) ?? [])) {
    const path = moduleOf(dotted, modules.find);
    if (path !== undefined) named.add(path);
  }
  return { traced, named };
}

/** The module that a dotted name begins with: `a.b.c` in `a.b.c.Class.method`. */
function moduleOf(dotted: string, find: (name: string) => string | undefined): string | undefined {
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
    if (same.length === 0) return [];
    const shared = same.map((path) => ({ path, depth: sharedEnd(parts, path.split("/")) }));
    const deepest = Math.max(...shared.map(({ depth }) => depth));
    const meant = shared.filter(({ depth }) => depth === deepest).map(({ path }) => path);
    return meant.length <= MOST_MEANT ? meant : [];
  };
}

function sharedEnd(one: readonly string[], other: readonly string[]): number {
  let depth = 0;
  while (depth < one.length && depth < other.length && one.at(-1 - depth) === other.at(-1 - depth)) depth += 1;
  return depth;
}
