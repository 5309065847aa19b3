// What a repository's own `.gitignore` files leave out: the patterns as git reads them, the last that fits decides. Pure.
// Whether git tracks a file in spite of them is not asked: what is left out is only not shown. Files that are made to take for ever
// are read as far as the effort goes; what comes after that is not left out.

import type { FileBlock } from "@loopwright/workspace";
import { type Effort, type Glob, readGlob } from "./glob.ts";

interface Rule {
  /** The folder that the file with the rule stands in, with its slash. */
  base: string;
  depth: number;
  glob: Glob;
  isFolder: boolean;
  isBack: boolean;
}

interface Place {
  path: string;
  parts: readonly string[];
  isFolder: boolean;
}

/** The steps of matching for one look at a workspace: about a second. */
export const MOST_STEPS = 100_000_000;
/** A line that is longer fits no path that git can have. */
const LONGEST_LINE = 4_096;

/** Whether a path is ignored, by the `.gitignore` files among these. */
export function ignoredBy(files: readonly FileBlock[], mostSteps = MOST_STEPS): (path: string) => boolean {
  const own = files.filter(({ path }) => /(?:^|\/)\.gitignore$/.test(path));
  // A file further down is read later, and so decides.
  const rules = own.sort((a, b) => a.path.length - b.path.length).flatMap(readRules);
  const known = new Map<string, boolean>();
  const effort: Effort = { steps: 0 };
  const isOut = (path: string, isFolder: boolean): boolean => {
    if (effort.steps > mostSteps) return false;
    const parts = path.split("/");
    const fits = rules.findLast((rule) => fitsRule(rule, { path, parts, isFolder }, effort));
    return fits !== undefined && !fits.isBack;
  };
  const isFolderOut = (path: string): boolean => {
    if (path === "") return false;
    const found = known.get(path) ?? (isFolderOut(above(path)) || isOut(path, true));
    known.set(path, found);
    return found;
  };
  return (path) => rules.length > 0 && (isFolderOut(above(path)) || isOut(path, false));
}

function above(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function readRules({ path, content }: FileBlock): Rule[] {
  const base = path.slice(0, path.length - ".gitignore".length);
  const depth = base.split("/").length - 1;
  return content.split(/\r?\n/).flatMap((line) => {
    if (line.length > LONGEST_LINE) return [];
    const text = withoutSpaces(line);
    if (text === "" || text.startsWith("#")) return [];
    const isBack = text.startsWith("!");
    const plain = text.slice(isBack ? 1 : 0);
    const isFolder = plain.endsWith("/");
    const name = isFolder ? plain.slice(0, -1) : plain;
    return [{ base, depth, isFolder, isBack, glob: readGlob(name) }];
  });
}

/** A line without the spaces at its end, unless a backslash keeps one. */
function withoutSpaces(line: string): string {
  const text = line.trimEnd();
  return text.endsWith("\\") && text.length < line.length ? `${text} ` : text;
}

function fitsRule({ base, depth, glob, isFolder }: Rule, place: Place, effort: Effort): boolean {
  effort.steps++;
  if (!place.path.startsWith(base) || (isFolder && !place.isFolder)) return false;
  return glob(depth === 0 ? place.parts : place.parts.slice(depth), effort);
}
