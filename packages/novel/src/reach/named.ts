// Feedback that says by number which chapters it is about. Only plain cases are read; all others are for a model.

import { bookPart, chapterNumber, partsNamed } from "../manuscript/index.ts";
import { NUMBER_WORDS, wordToNumber } from "../manuscript/numbers.ts";

const NUMBER = `(?:\\d{1,4}|${NUMBER_WORDS})`;
const CHAPTER = "(?:chapters?|chap\\.|ch\\.|kapitel|chapitres?|cap[ií]tulos?|capitol[oi]|hoofdstuk(?:ken)?)";
const AND = "(?:\\s*,\\s*(?:and\\s+)?|\\s*&\\s*|\\s+(?:and|und|et|y|e|en)\\s+)";
const TO = "(?:\\s*[-–]\\s*|\\s+(?:to|through|bis|à|a|tot)\\s+)";
const RANGE = `${NUMBER}(?:${TO}${NUMBER})?`;
const NAMED = new RegExp(`(?<![\\p{L}\\p{N}])${CHAPTER}\\s*(${RANGE}(?:${AND}${RANGE})*)(?![\\p{L}\\p{N}])`, "giu");
const ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split(" ");
const ORDINAL = new RegExp(`\\b(last|final|${ORDINALS.join("|")})\\s+chapter\\b(?!\\s*\\d)`, "gi");

/** Words before a chapter's number by which it only says where something else is. */
const ASIDE =
  /\b(?:after|before|until|till|since|from|like|than|as in|unlike|beyond|toward|towards|nach|vor|seit|wie)\s+$/i;
/** Words by which more is meant than what is named. */
const BEYOND =
  /\b(?:every(?:where|\s+chapter)|throughout|(?:whole|entire)\s+(?:book|novel|story)|all\s+(?:the\s+)?(?:other\s+)?chapters|(?:other|later|earlier|following|previous|remaining|surrounding)\s+chapters?|rest\s+of|onwards?|elsewhere|überall|partout)\b/i;

/** The chapters that feedback names, where it names them plainly and nothing else; undefined where it takes a reader. */
export function namedFiles(feedback: readonly string[], paths: readonly string[]): string[] | undefined {
  const byNumber = new Map(
    paths.flatMap((path) => ((number) => (number ? [[number, path]] : []))(chapterNumber(path)) as [number, string][]),
  );
  const last = Math.max(0, ...byNumber.keys());
  const found = new Set<string>();
  for (const item of feedback) {
    const parts = partsNamed(item).flatMap(({ part, at }) => {
      const path = paths.find((each) => bookPart(each) === part);
      return path === undefined ? [] : [{ path, at }];
    });
    if (parts.length > 0) {
      if (parts.length > 1 || !isAlone(item, parts[0]!.at)) return undefined;
      found.add(parts[0]!.path);
      continue;
    }
    const numbers = numbersIn(item, last);
    if (!numbers?.every((number) => byNumber.has(number))) return undefined;
    for (const number of numbers) found.add(byNumber.get(number)!);
  }
  return paths.filter((path) => found.has(path));
}

/** The chapters that feedback is plainly about and that the book does not have. */
export function missingChapters(feedback: readonly string[], paths: readonly string[]): number[] {
  const numbers = paths.flatMap((path) => chapterNumber(path) ?? []);
  const last = Math.max(0, ...numbers);
  const named = feedback.flatMap((item) => (partsNamed(item).length > 0 ? [] : (numbersIn(item, last) ?? [])));
  return numbers.length === 0 ? [] : [...new Set(named)].filter((number) => number > last);
}

/** Whether an item that names a part without a number at a place is about that alone. */
function isAlone(item: string, at: number): boolean {
  const before = item.slice(0, at).replace(/(?:the|dem|der|den|le|la|el|il)\s+$/i, "");
  return !BEYOND.test(item) && !ASIDE.test(before) && item.search(NAMED) < 0 && item.search(ORDINAL) < 0;
}

/** The numbers of one item: named in one place, so that none of them only serves to find another. */
function numbersIn(item: string, last: number): number[] | undefined {
  if (BEYOND.test(item)) return undefined;
  const listed = [...item.matchAll(NAMED)];
  const ordinals = [...item.matchAll(ORDINAL)];
  const [only] = [...listed, ...ordinals];
  if (!only || listed.length + ordinals.length > 1 || ASIDE.test(item.slice(0, only.index))) return undefined;
  return ordinals.length === 1 ? [ordinalOf(only[1]!, last)] : listOf(only[1]!);
}

/** All numbers of chapters that a text names, wherever and for whatever it does. */
export function numbersNamed(text: string, last: number): number[] {
  return [
    ...[...text.matchAll(NAMED)].flatMap(([, list]) => listOf(list!)),
    ...[...text.matchAll(ORDINAL)].map(([, word]) => ordinalOf(word!, last)),
  ];
}

function ordinalOf(word: string, last: number): number {
  const at = ORDINALS.indexOf(word.toLowerCase());
  return at < 0 ? last : at + 1;
}

function listOf(list: string): number[] {
  return list.split(new RegExp(AND, "iu")).flatMap((part) => {
    const [from, to] = part.split(new RegExp(TO, "iu")).map((word) => wordToNumber(word));
    if (from === undefined) return [0];
    return to === undefined || to < from || to - from > 500
      ? [from]
      : Array.from({ length: to - from + 1 }, (_, at) => from + at);
  });
}
