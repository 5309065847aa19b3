// Passages between <!-- keep --> and <!-- /keep --> may not change. That is checked here, not by a judge.

import type { FileBlock } from "../types.ts";
import { comparePaths, nameOf } from "./files/layout.ts";
import { plainLines, shorten } from "./words.ts";

/** A passage that is kept, and its file. */
interface KeptPassage {
  path: string;
  passage: string;
}

const OPEN = /<!--\s*keep\s*-->/gi;
const CLOSE = /<!--\s*\/\s*keep\s*-->/gi;

const KEEP = "<!-- keep -->";
const END_KEEP = "<!-- /keep -->";

/** The passages of a text that are kept, without their marks. One that is never closed goes to the end. */
export function keptPassages(text: string): string[] {
  const plain = plainLines(text);
  const passages: string[] = [];
  for (let at = 0; ; ) {
    OPEN.lastIndex = at;
    const open = OPEN.exec(plain);
    if (!open) return passages;
    CLOSE.lastIndex = OPEN.lastIndex;
    const close = CLOSE.exec(plain);
    passages.push(plain.slice(OPEN.lastIndex, close?.index ?? plain.length));
    if (!close) return passages;
    at = CLOSE.lastIndex;
  }
}

/** The passages of a level that are kept, with the file of each. */
export function keptOf(files: readonly FileBlock[]): KeptPassage[] {
  return files.flatMap(({ path, content }) => keptPassages(content).map((passage) => ({ path, passage })));
}

/** Kept passages that are not in the new text as they were, in sentences. */
export function checkKept(before: readonly FileBlock[], after: readonly FileBlock[]): string[] {
  const kept = keptOf(before);
  if (kept.length === 0) return [];
  // Where there are other chapters than before, a passage may have moved along with its chapter.
  const mayMove = pathsOf(before) !== pathsOf(after);
  const now = keptOf(after);
  return kept.flatMap(({ path, passage }) => {
    const found = now.findIndex((each) => each.passage.trim() === passage.trim() && (mayMove || each.path === path));
    if (found < 0) return [problemOf(path, passage, after)];
    now.splice(found, 1);
    return [];
  });
}

/** A kept passage in a few words: `chapter 3 ('The lamp …')`. */
export function describeKept({ path, passage }: KeptPassage): string {
  return `${nameOf(path)} ('${shorten(passage.trim(), 60)}')`;
}

/** Puts marks back round passages whose text is there as it was, but whose marks a writer has left out. */
export function restoreMarks(before: readonly FileBlock[], after: readonly FileBlock[]): FileBlock[] {
  const kept = keptOf(before);
  const problems = kept.length === 0 ? 0 : checkKept(before, after).length;
  if (problems === 0) return [...after];
  const restored = after.map((file) => {
    let { content } = file;
    for (const { path, passage } of kept) {
      const text = passage.trim();
      if (path !== file.path || text === "" || keptPassages(content).some((each) => each.trim() === text)) continue;
      const at = content.indexOf(text);
      if (at < 0 || content.indexOf(text, at + 1) >= 0) continue;
      const [lead, tail] = [
        passage.slice(0, passage.indexOf(text)),
        passage.slice(passage.indexOf(text) + text.length),
      ];
      content = `${content.slice(0, at)}${KEEP}${lead}${text}${tail}${END_KEEP}${content.slice(at + text.length)}`;
    }
    return { ...file, content };
  });
  return checkKept(before, restored).length < problems ? restored : [...after];
}

function problemOf(path: string, passage: string, after: readonly FileBlock[]): string {
  const text = passage.trim();
  const shown = `'${shorten(text, 80)}'`;
  const lacksMarks = text !== "" && after.some(({ content }) => plainLines(content).includes(text));
  const why = lacksMarks
    ? `is there, but not where it was between its marks: leave ${KEEP} and ${END_KEEP} round it in ${path}`
    : `was changed: give it word for word between ${KEEP} and ${END_KEEP} in ${path}`;
  return `A kept passage of ${nameOf(path)} (${shown}) ${why}.`;
}

function pathsOf(files: readonly FileBlock[]): string {
  return files
    .map(({ path }) => path)
    .sort(comparePaths)
    .join("\n");
}
