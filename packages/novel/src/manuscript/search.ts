// Where words stand in a book: one full-text index over its paragraphs, in any script, whatever the endings of words.

import type { FileBlock } from "../types.ts";
import { plainLines, shortenInside, withoutComments } from "./words.ts";

/** A file in which some of the words stand: in how many paragraphs, and the paragraphs that have most of them. */
export interface Found {
  path: string;
  count: number;
  excerpts: string[];
}

/** Letters of an excerpt, and how many are shown of a file. */
const EXCERPT = 400;
const EXCERPTS = 3;
/** Shorter words than this are not in an index of three letters each: they are looked for in the text itself. */
const INDEXED = 3;

/** The files in which words stand, those that have most of the rarest first. A phrase is looked for as it stands. */
export function searchBook(files: readonly FileBlock[], words: readonly string[]): Found[] {
  const wanted = [...new Set(words.map(plainText))].filter(Boolean);
  const paragraphs = files.flatMap(({ path, content }) => paragraphsOf(content).map((text) => ({ path, text })));
  if (wanted.length === 0 || paragraphs.length === 0) return [];
  const rows = lookUp(paragraphs, wanted);
  const scores = new Map<string, number>();
  const hits = new Map<number, number>();
  for (const found of rows) {
    const rarity = Math.log(1 + (paragraphs.length - found.length + 0.5) / (found.length + 0.5));
    const counts = new Map<string, number>();
    for (const row of found) {
      hits.set(row, (hits.get(row) ?? 0) + rarity);
      counts.set(paragraphs[row]!.path, (counts.get(paragraphs[row]!.path) ?? 0) + 1);
    }
    // The more of one word there is, the less one more of it says.
    for (const [path, count] of counts) scores.set(path, (scores.get(path) ?? 0) + (rarity * count) / (count + 1));
  }
  const best = [...hits].sort(([rowA, a], [rowB, b]) => b - a || rowA - rowB).map(([row]) => paragraphs[row]!);
  return [...scores]
    .sort(([, a], [, b]) => b - a)
    .map(([path]) => {
      const of = best.filter((each) => each.path === path);
      const excerpts = of.slice(0, EXCERPTS).map(({ text }) => shortenInside(text, EXCERPT));
      return { path, count: of.length, excerpts };
    });
}

/** The words of a question, as they are looked for; very short ones of alphabets say nothing. */
export function wordsToLookFor(question: string): string[] {
  const parts = new Intl.Segmenter(undefined, { granularity: "word" }).segment(question);
  const words = [...parts].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
  return words.filter((word) => word.length >= INDEXED || /[\p{Ideographic}\p{Nd}]/u.test(word));
}

/** For each of the words, the numbers of the paragraphs in which it stands. */
function lookUp(paragraphs: readonly { text: string }[], words: readonly string[]): number[][] {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  using index = new DatabaseSync(":memory:");
  index.exec("CREATE VIRTUAL TABLE book USING fts5(text, tokenize = 'trigram remove_diacritics 1')");
  const insert = index.prepare("INSERT INTO book (rowid, text) VALUES (?, ?)");
  index.exec("BEGIN");
  for (const [at, { text }] of paragraphs.entries()) insert.run(at, text);
  index.exec("COMMIT");
  const matching = index.prepare("SELECT rowid FROM book WHERE book MATCH ? ORDER BY rowid");
  const holding = index.prepare("SELECT rowid FROM book WHERE text LIKE ? ORDER BY rowid");
  return words.map((word) => {
    const isIndexed = [...word].length >= INDEXED;
    const rows = isIndexed ? matching.all(`"${word.replaceAll('"', '""')}"`) : holding.all(`%${word}%`);
    return rows.map(({ rowid }) => Number(rowid));
  });
}

function paragraphsOf(content: string): string[] {
  return withoutComments(plainLines(content))
    .split(/\n[ \t]*\n/)
    .map(plainText)
    .filter((each) => each !== "");
}

/** On one line, with one kind of apostrophe. */
function plainText(text: string): string {
  return text.replace(/[’‘]/g, "'").replace(/\s+/g, " ").trim();
}
