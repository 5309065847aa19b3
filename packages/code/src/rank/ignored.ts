// What a repository's own `.gitignore` files leave out: the patterns as git reads them, the last that fits decides. Pure.
// Whether git tracks a file in spite of them is not asked: what is left out is only not shown.

import type { FileBlock } from "@loopwright/workspace";

interface Rule {
  /** The folder that the file with the rule stands in, with its slash. */
  base: string;
  pattern: RegExp;
  isFolder: boolean;
  isBack: boolean;
}

/** Whether a path is ignored, by the `.gitignore` files among these. */
export function ignoredBy(files: readonly FileBlock[]): (path: string) => boolean {
  const own = files.filter(({ path }) => /(?:^|\/)\.gitignore$/.test(path));
  // A file further down is read later, and so decides.
  const rules = own.sort((a, b) => a.path.length - b.path.length).flatMap(readRules);
  const known = new Map<string, boolean>();
  const isOut = (path: string, isFolder: boolean): boolean => {
    const fits = rules.findLast((rule) => fitsRule(rule, path, isFolder));
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
  return content.split(/\r?\n/).flatMap((line) => {
    const text = line.replace(/(?<!\\)\s+$/, "");
    if (text === "" || text.startsWith("#")) return [];
    const isBack = text.startsWith("!");
    const plain = text.slice(isBack ? 1 : 0).replace(/^\\/, "");
    const isFolder = plain.endsWith("/");
    const name = isFolder ? plain.slice(0, -1) : plain;
    return [{ base, isFolder, isBack, pattern: patternOf(name) }];
  });
}

function fitsRule({ base, pattern, isFolder: wantsFolder }: Rule, path: string, isFolder: boolean): boolean {
  if (!path.startsWith(base) || (wantsFolder && !isFolder)) return false;
  return pattern.test(path.slice(base.length));
}

/** A pattern with a slash in it is of paths from its folder, one without of names anywhere below. */
function patternOf(name: string): RegExp {
  const isAnchored = name.includes("/");
  const source = name
    .replace(/^\//, "")
    .split(/(\*\*\/|\/\*\*$|\*\*|\*|\?|\[[^\]]+\])/)
    .map((part) => GLOBS[part] ?? (/^\[.+\]$/.test(part) ? part.replace(/^\[!/, "[^") : literal(part)))
    .join("");
  try {
    return new RegExp(`^${isAnchored ? "" : "(?:.*/)?"}${source}$`);
  } catch {
    // A range that runs backwards fits nothing, for git neither.
    return /(?!)/;
  }
}

const GLOBS: Readonly<Record<string, string>> = {
  "**/": "(?:.*/)?",
  "/**": "/.*",
  "**": ".*",
  "*": "[^/]*",
  "?": "[^/]",
};

function literal(text: string): string {
  return text.replace(/\\(.)/g, "$1").replace(/[.+^${}()|[\]\\]/g, "\\$&");
}
