// Files of a level as people call them, and what people say of them: "5, 7-9", "foundation", "chapter 3 and the foundation".

import { chapterNumber } from "../manuscript/files/layout.ts";
import { wordToNumber } from "../manuscript/numbers.ts";

/** What a person calls a file by: `foundation`, `chapter-3`, `treatment`. */
export function nameOfFile(path: string): string {
  const number = chapterNumber(path);
  if (number !== undefined) return `chapter-${number}`;
  if (path.startsWith("premise/")) return "premise";
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
}

/** The file that a name means, however it is written; undefined where there is none such. */
export function fileCalled(name: string, paths: readonly string[]): string | undefined {
  const plain = name.trim().replace(/^[`'"]+|[`'".:]+$/g, "");
  const direct = paths.find(
    (path) => path === plain || path.endsWith(`/${plain}`) || nameOfFile(path) === plain.toLowerCase(),
  );
  if (direct !== undefined) return direct;
  const word = /^(?:chapters?|ch\.?|kapitel|chapitre)?[\s_-]*0*([\p{L}\d-]+)$/iu.exec(plain)?.[1] ?? "";
  const number = wordToNumber(word);
  return paths.find((path) => chapterNumber(path) === number && number !== undefined);
}

/** The files that a person names in a list, and what of it means none. */
export function readFileList(text: string, paths: readonly string[]): { files: string[]; unknown: string[] } {
  const files = new Set<string>();
  const unknown: string[] = [];
  const plain = text.replace(/(\d)\s*(?:-|–|to|\.\.)\s*(?=\d)/gi, "$1-");
  for (const part of plain.split(/[,;\n]+|\band\b|&|\s+(?=\d|chapter)/i)) {
    const name = part
      .trim()
      .replace(/^(?:and|the|chapters?)\s+/i, "")
      .replace(/^(?:the|chapters?)\s+/i, "");
    if (name === "" || /^chapters?$/i.test(name)) continue;
    const range = /^(\d{1,4})-(\d{1,4})$/.exec(name);
    const numbers = range ? between(Number(range[1]), Number(range[2])).map(String) : [name];
    for (const each of numbers) {
      const path = fileCalled(each, paths);
      if (path === undefined) unknown.push(each);
      else files.add(path);
    }
  }
  return { files: paths.filter((path) => files.has(path)), unknown };
}

function between(from: number, to: number): number[] {
  return to < from || to - from > 2_000 ? [from, to] : Array.from({ length: to - from + 1 }, (_, at) => from + at);
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
