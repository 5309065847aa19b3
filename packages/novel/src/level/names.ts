// Files of a level as people and models call them: `foundation`, `chapter-3`.

import { chapterNumber } from "../manuscript/files/layout.ts";
import { titleOf } from "../manuscript/words.ts";
import type { FileBlock } from "../types.ts";

/** What a person calls a file by: `foundation`, `chapter-3`, `treatment`. */
export function nameOfFile(path: string): string {
  const number = chapterNumber(path);
  if (number !== undefined) return `chapter-${number}`;
  if (path.startsWith("premise/")) return "premise";
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
}

/** The file that a name means: its path, its name, `chapter 03` or a number alone; undefined where there is none such. */
export function fileCalled(name: string, paths: readonly string[]): string | undefined {
  const plain = name.trim().replace(/^[`'"]+|[`'".:]+$/g, "");
  const number = /^(?:chapter[\s_-]*)?0*(\d+)(?:\.md)?$/i.exec(plain)?.[1];
  const short = plain
    .toLowerCase()
    .replace(/\.\w+$/, "")
    .replace(/\s+/g, "-");
  return (
    paths.find((path) => path === plain || path.endsWith(`/${plain}`) || nameOfFile(path) === short) ??
    paths.find((path) => number !== undefined && chapterNumber(path) === Number(number))
  );
}

/** Whether a name means the file of that path. */
export function isCalled(path: string, name: string): boolean {
  return fileCalled(name, [path]) !== undefined;
}

/** The files that a name means; where no path has that number, the one whose title has it: an imported book may begin at 28. */
export function filesNamed(files: readonly FileBlock[], name: string): FileBlock[] {
  const found = files.filter(({ path }) => isCalled(path, name));
  const number = /(\d+)\D*$/.exec(name)?.[1];
  if (found.length > 0 || number === undefined) return found;
  return files.filter(({ content }) => /\d+/.exec(titleOf(content) ?? "")?.[0] === number);
}

/** Files by their names, in the order of the paths; what none is called by is left out. */
export function filesCalled(names: readonly string[], paths: readonly string[]): string[] {
  const named = new Set(names.map((name) => fileCalled(name, paths)));
  return paths.filter((path) => named.has(path));
}

/** `chapters 3, 5–8 and the foundation` */
export function filesInWords(paths: readonly string[]): string {
  const numbers = paths.flatMap((path) => chapterNumber(path) ?? []).sort((a, b) => a - b);
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last && last[1] + 1 === number) last[1] = number;
    else runs.push([number, number]);
  }
  const chapters = runs.map(([from, to]) =>
    from === to ? `${from}` : to === from + 1 ? `${from}, ${to}` : `${from}–${to}`,
  );
  const others = paths.filter((path) => chapterNumber(path) === undefined).map((path) => `the ${nameOfFile(path)}`);
  return [
    ...others,
    ...(chapters.length === 0 ? [] : [`chapter${numbers.length === 1 ? "" : "s"} ${chapters.join(", ")}`]),
  ].join(" and ");
}
