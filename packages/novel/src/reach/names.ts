// Which words of feedback are names: those of the book's characters, and those that the level never writes small.

import { wordsOf } from "../manuscript/analysis/text.ts";
import type { Character } from "../style/cast.ts";
import { isFiller } from "./fillers.ts";
import { type IndexedLevel, stemOf } from "./word-index.ts";

/** What is known of a book's names; its language as a tag. */
export interface BookNames {
  language?: string;
  cast?: readonly Character[];
}

/** So much of its occurrences may be small, or follow an article, for a word to be a name still. */
const STRAY = 0.05;
const DETERMINED = 0.1;
/** So often a word must stand in a text whose nouns all have capitals, before the lack of articles says anything. */
const OFTEN = 3;
/** What a character is said to be stands in the first words of the line about them; what they want comes after. */
const DESCRIBED = 5;

/** Whether a word of the feedback is a name in the level. */
export function isName(word: string, level: IndexedLevel, { cast = [] }: BookNames): boolean {
  if (!/^\p{Lu}\p{Ll}/u.test(word)) return false;
  if (cast.some(({ name }) => partsOf(name).includes(word))) return true;
  const { small, capital, inside, determined } = level.writingOf(word);
  if (capital === 0 || isFiller(word) || small > (small + capital) * STRAY) return false;
  if (level.hasCapitalNouns) return inside > 0 && capital >= OFTEN && determined <= capital * DETERMINED;
  // A word that only ever begins sentences may be any word: it must at least come back.
  return inside > 0 || capital > 1;
}

/** Names that the feedback means without saying them: the rest of a full name, and whoever is what it speaks of. */
export function counterpartsOf(
  feedback: readonly string[],
  { cast = [] }: BookNames,
): { word: string; label: string }[] {
  return feedback.flatMap((word) => {
    const sameName = cast.filter(({ name }) => partsOf(name).includes(word));
    // A family's name says nothing of one of them.
    const isOwn = (part: string) => cast.filter(({ name }) => partsOf(name).includes(part)).length === 1;
    if (sameName.length === 1)
      return partsOf(sameName[0]!.name).flatMap((part) =>
        part === word || !isOwn(part) ? [] : [{ word: part, label: word }],
      );
    if (word.length < 5 || isFiller(word) || sameName.length > 0) return [];
    const meant = cast.filter(({ about }) =>
      wordsOf(about.split(/[,.;:(–—]/, 1)[0]!)
        .slice(0, DESCRIBED)
        .some(({ text }) => stemOf(text) === stemOf(word)),
    );
    return meant.length === 1
      ? partsOf(meant[0]!.name).flatMap((part) => (isOwn(part) ? [{ word: part, label: word }] : []))
      : [];
  });
}

/** The parts of a name that can stand alone. */
function partsOf(name: string): string[] {
  return wordsOf(name).flatMap(({ text }) => (text.length > 2 && /^\p{Lu}/u.test(text) ? [text] : []));
}
