// Repetition: paragraphs that come twice, and phrases that come again and again; and names that change their spelling.

import { castOf } from "../../style/cast.ts";
import type { FileBlock } from "../../types.ts";
import { FOUNDATION_PATH } from "../files/layout.ts";
import { countOf, shorten } from "../words.ts";
import { type AnalysisFinding, bodyOf, foldWord, hard, placeAt, soft, wordsOf } from "./text.ts";

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

const SHORTEST = 4;
/** So many times more often must the right spelling come. */
const TIMES = 3;

interface Written {
  count: number;
  place: string;
}

/** Words that look like misspellings of the characters' names. */
export function findNameSpellings(files: readonly FileBlock[]): AnalysisFinding[] {
  const foundation = files.find(({ path }) => path === FOUNDATION_PATH)?.content ?? "";
  const names = castOf(foundation).flatMap(({ name }) => wordsOf(name).map(({ text }) => text));
  const told = new Set(wordsOf(foundation).map(({ text }) => text));
  const written = capitalWords(files);
  return [...written].flatMap(([word, { count, place }]) => {
    const meant = names.find(
      (name) =>
        name !== word &&
        name.length >= SHORTEST &&
        isNear(foldWord(word), foldWord(name)) &&
        (written.get(name)?.count ?? 0) >= TIMES * count,
    );
    if (meant === undefined || told.has(word)) return [];
    const [times, right] = [count === 1 ? "once" : `${count} times`, written.get(meant)!.count];
    return [soft(`'${word}' (${times}) may be '${meant}' (${right} times): ${place}.`)];
  });
}

function capitalWords(files: readonly FileBlock[]): Map<string, Written> {
  const written = new Map<string, Written>();
  for (const file of files) {
    const body = bodyOf(file);
    for (const { text, at } of wordsOf(body)) {
      if (text.length < SHORTEST || !/^\p{Lu}/u.test(text) || text === text.toUpperCase()) continue;
      const { count, place } = written.get(text) ?? { count: 0, place: placeAt(file.path, body, at) };
      written.set(text, { count: count + 1, place });
    }
  }
  return written;
}

/** Whether two words differ by one letter inside them, or by two neighbors that changed places: a letter more at the end is an ending. */
function isNear(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  if (restA === "" || restB === "") return restA === restB;
  if (restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1)) return true;
  return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
}
