// Parts of a book without a number as people name them, in every language whose words are known.

import { type BookPart, bookPart, isTold } from "../files/layout.ts";
import { bookWords } from "./words.ts";

const own = Object.values(bookWords);

/** Words for a chapter, and for several, as alternatives of a pattern. */
export const CHAPTER_WORDS = [
  ...new Set([
    "chapters?",
    "chapitres",
    "capítulos",
    "capitoli",
    "hoofdstukken",
    "rozdziały",
    "главы",
    ...own.map(({ chapter }) => chapter),
  ]),
].join("|");
const names: readonly (readonly [BookPart, readonly string[]])[] = [
  [
    "front-matter",
    [
      "front matter",
      "front-matter",
      "foreword",
      "Vorwort",
      "avant-propos",
      "préface",
      "prefacio",
      "prefazione",
      "voorwoord",
      "przedmowa",
      "förord",
      "предисловие",
    ],
  ],
  ["prologue", [...new Set(["Prologue", ...own.map(({ prologue }) => prologue)])]],
  ["epilogue", [...new Set(["Epilogue", ...own.map(({ epilogue }) => epilogue)])]],
  ["back-matter", ["back matter", "back-matter", "afterword", "Nachwort"]],
];
const patterns = names.map(
  ([part, words]) => [part, new RegExp(`(?<!\\p{L})(?:${words.join("|")})(?!\\p{L})`, "iu")] as const,
);

/** Whether a name means what all chapters share. */
export function isFoundationName(name: string): boolean {
  const word = name.trim().toLowerCase();
  return own.some(({ foundation }) => foundation.toLowerCase() === word);
}

/** The part that a name means, alone; undefined where it means none. */
export function partCalled(name: string): BookPart | undefined {
  const word = name.trim().toLowerCase();
  return names.find(([part, words]) => part === word || words.some((each) => each.toLowerCase() === word))?.[0];
}

/** The parts that a text names, and where it first does. */
export function partsNamed(text: string): { part: BookPart; at: number }[] {
  return patterns.flatMap(([part, pattern]) => {
    const found = pattern.exec(text);
    return found ? [{ part, at: found.index }] : [];
  });
}

/** Whether feedback may reach a file: all that tells the story, front and back matter only where it names them. */
export function mayReach(path: string, feedback: readonly string[]): boolean {
  return isTold(path) || partsNamed(feedback.join("\n")).some(({ part }) => part === bookPart(path));
}
