// Repetition: paragraphs that come twice, and phrases that come again and again.

import type { FileBlock } from "../../types.ts";
import { countOf, shorten } from "../words.ts";
import { type AnalysisFinding, bodyOf, hard, placeAt, soft, wordsOf } from "./text.ts";

/** Words of a phrase, and how often it must come. */
const PHRASE = 6;
const OFTEN = 3;
const LONG_PARAGRAPH = 20;
const MOST_FINDINGS = 25;

/** What comes again. */
export function findRepetitions(prose: readonly FileBlock[]): AnalysisFinding[] {
  const texts = prose.map((file) => ({ path: file.path, body: bodyOf(file) }));
  return [...repeatedParagraphs(texts), ...repeatedPhrases(texts)];
}

type Texts = readonly { path: string; body: string }[];

function repeatedParagraphs(texts: Texts): AnalysisFinding[] {
  const places = new Map<string, string[]>();
  for (const { path, body } of texts) {
    for (const { 0: paragraph, index } of body.matchAll(/[^\n]+(?:\n(?![ \t]*\n)[^\n]+)*/g)) {
      const words = wordsOf(paragraph).map(({ small }) => small);
      if (words.length < LONG_PARAGRAPH) continue;
      const key = words.join(" ");
      places.set(key, [...(places.get(key) ?? []), placeAt(path, body, index)]);
    }
  }
  return [...places]
    .filter(([, found]) => found.length > 1)
    .slice(0, MOST_FINDINGS)
    .map(([words, found]) =>
      hard(`A paragraph comes ${found.length} times ('${shorten(words, 60)}'): ${placesText(found)}.`),
    );
}

function repeatedPhrases(texts: Texts): AnalysisFinding[] {
  const counts = new Map<string, number>();
  const read = texts.map(({ path, body }) => {
    const words = wordsOf(body);
    const phraseAt = (from: number, to = from) =>
      words
        .slice(from, to + PHRASE)
        .map(({ small }) => small)
        .join(" ");
    const grams = words.slice(PHRASE - 1).map((_, from) => phraseAt(from));
    for (const gram of grams) counts.set(gram, (counts.get(gram) ?? 0) + 1);
    return { grams, phraseAt, placeOf: (from: number) => placeAt(path, body, words[from]!.at) };
  });
  const phrases = new Map<string, string[]>();
  for (const { grams, phraseAt, placeOf } of read) {
    for (let from = 0; from < grams.length; from++) {
      const count = counts.get(grams[from]!)!;
      if (count < OFTEN) continue;
      // Phrases that overlap and come equally often are one longer phrase.
      let to = from;
      while (counts.get(grams[to + 1] ?? "") === count) to++;
      const phrase = phraseAt(from, to);
      phrases.set(phrase, [...(phrases.get(phrase) ?? []), placeOf(from)]);
      from = to + PHRASE - 1;
    }
  }
  return [...phrases]
    .filter(([, places]) => places.length >= OFTEN)
    .sort(([a, places], [b, others]) => others.length - places.length || b.length - a.length)
    .slice(0, MOST_FINDINGS)
    .map(([phrase, places]) => soft(`'${shorten(phrase, 80)}' comes ${places.length} times: ${placesText(places)}.`));
}

function placesText(places: readonly string[]): string {
  const shown = places.slice(0, 5).join(", ");
  return places.length > 5 ? `${shown} and ${countOf(places.length - 5, "place")} more` : shown;
}
