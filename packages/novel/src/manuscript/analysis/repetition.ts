// Repetition: paragraphs that come twice, and phrases that come again and again.

import type { FileBlock } from "../../types.ts";
import { countOf, shorten } from "../words.ts";
import type { AnalysisFinding } from "./finding.ts";
import { bodyOf, lineFinder, wordsOf } from "./text.ts";

/** Words of a phrase, and how often it must come. */
const PHRASE = 6;
const OFTEN = 3;
const LONG_PARAGRAPH = 20;
const MOST_FINDINGS = 25;

interface Place {
  path: string;
  line: number;
}

/** What comes again. */
export function findRepetitions(prose: readonly FileBlock[]): AnalysisFinding[] {
  return [...repeatedParagraphs(prose), ...repeatedPhrases(prose)];
}

function repeatedParagraphs(prose: readonly FileBlock[]): AnalysisFinding[] {
  const places = new Map<string, Place[]>();
  for (const file of prose) {
    const body = bodyOf(file);
    const lineOf = lineFinder(body);
    for (const { 0: paragraph, index } of body.matchAll(/[^\n]+(?:\n(?![ \t]*\n)[^\n]+)*/g)) {
      const words = wordsOf(paragraph).map(({ small }) => small);
      if (words.length < LONG_PARAGRAPH) continue;
      const key = words.join(" ");
      places.set(key, [...(places.get(key) ?? []), { path: file.path, line: lineOf(index) }]);
    }
  }
  return [...places]
    .filter(([, found]) => found.length > 1)
    .slice(0, MOST_FINDINGS)
    .map(([words, found]) => {
      const message = `A paragraph comes ${found.length} times ('${shorten(words, 60)}'): ${placesText(found)}.`;
      return { code: "REPEATED_PARAGRAPH", severity: "hard", priority: 1, message, ...found[1]! };
    });
}

function repeatedPhrases(prose: readonly FileBlock[]): AnalysisFinding[] {
  const texts = prose.map((file) => {
    const body = bodyOf(file);
    return { path: file.path, words: wordsOf(body), lineOf: lineFinder(body) };
  });
  const counts = new Map<string, number>();
  const gramAt = (words: readonly { small: string }[], from: number) => {
    let gram = words[from]!.small;
    for (let next = from + 1; next < from + PHRASE; next++) gram += ` ${words[next]!.small}`;
    return gram;
  };
  for (const { words } of texts) {
    for (let from = 0; from + PHRASE <= words.length; from++) {
      const gram = gramAt(words, from);
      counts.set(gram, (counts.get(gram) ?? 0) + 1);
    }
  }
  // Phrases that overlap and come equally often are one longer phrase.
  const phrases = new Map<string, { count: number; places: Place[] }>();
  for (const { path, words, lineOf } of texts) {
    for (let from = 0; from + PHRASE <= words.length; from++) {
      const count = counts.get(gramAt(words, from))!;
      if (count < OFTEN) continue;
      let to = from;
      while (to + 1 + PHRASE <= words.length && counts.get(gramAt(words, to + 1)) === count) to++;
      const phrase = words
        .slice(from, to + PHRASE)
        .map(({ small }) => small)
        .join(" ");
      const known = phrases.get(phrase) ?? { count: 0, places: [] };
      phrases.set(phrase, {
        count: known.count + 1,
        places: [...known.places, { path, line: lineOf(words[from]!.at) }],
      });
      from = to + PHRASE - 1;
    }
  }
  return [...phrases]
    .filter(([, { count }]) => count >= OFTEN)
    .sort((a, b) => b[1].count - a[1].count || b[0].length - a[0].length || (a[0] < b[0] ? -1 : 1))
    .slice(0, MOST_FINDINGS)
    .map(([phrase, { count, places }]) => {
      const message = `'${shorten(phrase, 80)}' comes ${count} times: ${placesText(places)}.`;
      return { code: "REPEATED_PHRASE", severity: "soft", priority: 3, message, ...places[0]! };
    });
}

function placesText(places: readonly Place[]): string {
  const shown = places.slice(0, 5).map(({ path, line }) => `${path}:${line}`);
  return places.length > 5 ? `${shown.join(", ")} and ${countOf(places.length - 5, "place")} more` : shown.join(", ");
}
