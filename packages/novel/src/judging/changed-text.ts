// A revised file as one text in which every paragraph stands once: as it is now, and under each that changed what it was.
// So nobody is sent a chapter twice to see what became of it, and whoever judges it has all of it. A paragraph that was put in does not shift those after it.

import { alignTexts, compareWords, type Hunk, hunksBetween, type Stretch, toWords } from "../diff/lines.ts";
import { plainLines } from "../manuscript/words.ts";

/** A paragraph of the new text, or the place of one that is gone. */
export interface Unit {
  /** As it is now; "" where a paragraph was removed. */
  now: string;
  /** As it was; undefined where it is the same, "" where it is new. */
  was?: string;
}

/** Under this share of changed signs, only the words that changed are told of what was there. */
const SMALL = 0.4;
const MOST_PAIRS = 6;
/** Changes with no more words than this between them are one: a sentence that was rebuilt is read whole. */
const NEAR = 3;

/** Both versions, paragraph by paragraph; a file without empty lines, such as JSON, line by line. */
export function compareUnits(before: string, after: string): Unit[] {
  const [old, now] = [toUnits(before), toUnits(after)];
  const matches = alignTexts(old, now);
  const units: Unit[] = [];
  let at = 0;
  for (const hunk of hunksBetween(matches, old.length, now.length)) {
    for (; at < hunk.newFrom; at++) units.push({ now: now[at]! });
    units.push(...unitsOf(hunk, old, now));
    at = hunk.newTo;
  }
  for (; at < now.length; at++) units.push({ now: now[at]! });
  return units;
}

/** Whether a paragraph is not as it was. */
export function isChangedUnit({ was }: Unit): boolean {
  return was !== undefined;
}

/** A paragraph as it is told: the new text to the letter, and under it what it was. */
export function unitText({ now, was }: Unit): string {
  if (was === undefined) return now;
  if (now === "") return `[[removed: ${was}]]`;
  if (was === "") return `${now}\n[[new]]`;
  return `${now}\n[[before: ${pairsText(was, now) ?? was}]]`;
}

/** Only what changed, with so many paragraphs of what is around it, and how much is the same between. */
export function changesText(units: readonly Unit[], around = 0): string[] {
  const changed = units.flatMap((unit, at) => (isChangedUnit(unit) ? [at] : []));
  const parts: string[] = [];
  let same = 0;
  const flush = () => {
    if (same > 0) parts.push(`[[${same} paragraph${same === 1 ? "" : "s"} as before]]`);
    same = 0;
  };
  for (const [at, unit] of units.entries()) {
    const isNear = changed.some((each) => Math.abs(each - at) <= around);
    if (!isNear) {
      same++;
      continue;
    }
    flush();
    parts.push(unitText(unit));
  }
  flush();
  return parts;
}

/** The paragraphs of a text. */
export function toUnits(text: string): string[] {
  // The indent of a verse is a part of it.
  const plain = plainLines(text)
    .replace(/^(?:[ \t]*\n)+/, "")
    .trimEnd();
  const parts = plain.split(/\n(?:[ \t]*\n)+/).map((part) => part.trimEnd());
  const units = parts.length > 1 || !/^[[{]/.test(plain) ? parts : plain.split("\n");
  return units.filter((part) => part !== "");
}

/** Paragraphs of a stretch that changed, each beside the one that it most likely was. */
function unitsOf({ oldFrom, oldTo, newFrom, newTo }: Hunk, old: readonly string[], now: readonly string[]): Unit[] {
  return pairTexts(old.slice(oldFrom, oldTo), now.slice(newFrom, newTo)).map(([was = "", is = ""]) => ({
    now: is,
    was,
  }));
}

/** The words that changed, as pairs, where they are few. */
function pairsText(was: string, now: string): string | undefined {
  const [old, words] = [toWords(was), toWords(now)];
  const changed = compareWords(old, words).filter(({ isSame }) => !isSame);
  const gone = changed.reduce((sum, { oldFrom, oldTo }) => sum + textOf(old, oldFrom, oldTo).length, 0);
  const come = changed.reduce((sum, { newFrom, newTo }) => sum + textOf(words, newFrom, newTo).length, 0);
  // Words of a paragraph that was mostly written anew, or taken apart, would be laid beside others that they never were.
  const isOther = gone > SMALL * was.length || (gone > 0 && come > SMALL * now.length);
  const pairs = joinNear(changed);
  if (pairs.length === 0 || pairs.length > MOST_PAIRS || isOther) return undefined;
  return pairs
    .map(
      ({ oldFrom, oldTo, newFrom, newTo }) => `“${textOf(old, oldFrom, oldTo)}” → “${textOf(words, newFrom, newTo)}”`,
    )
    .join("; ");
}

function joinNear(changed: readonly Stretch[]): Stretch[] {
  const joined: Stretch[] = [];
  for (const each of changed) {
    const last = joined.at(-1);
    if (last && each.newFrom - last.newTo <= NEAR) Object.assign(last, { oldTo: each.oldTo, newTo: each.newTo });
    else joined.push({ ...each });
  }
  return joined;
}

function textOf({ text, starts, words }: ReturnType<typeof toWords>, from: number, to: number): string {
  return from === to ? "" : text.slice(starts[from]!, starts[to - 1]! + words[to - 1]!.length);
}

/** An old text and what became of it; one of both is absent where one was put in, or taken out. */
type Pair = readonly [was: string | undefined, now: string | undefined];

/** Two texts are versions of each other only where they share more than this of their words. */
const LIKE = 0.4;
/** Both sides in order, in pairs. */
export function pairTexts(olds: readonly string[], news: readonly string[]): Pair[] {
  const pairs: Pair[] = [];
  let [from, at] = [0, 0];
  for (const [a, b] of [...matchesOf(olds, news), [olds.length, news.length] as const]) {
    pairs.push(...fill(olds.slice(from, a), news.slice(at, b)));
    if (a < olds.length) pairs.push([olds[a], news[b]]);
    [from, at] = [a + 1, b + 1];
  }
  return pairs;
}

/** What lies between two pairs: as many on both sides were written anew one for one, else nothing tells which became which. */
function fill(olds: readonly string[], news: readonly string[]): Pair[] {
  if (olds.length === news.length) return olds.map((was, at): Pair => [was, news[at]]);
  return [...olds.map((was): Pair => [was, undefined]), ...news.map((now): Pair => [undefined, now])];
}

/** The places that belong together, in order: those whose likenesses have the largest sum. */
function matchesOf(olds: readonly string[], news: readonly string[]): [number, number][] {
  const [a, b] = [olds.map(wordSet), news.map(wordSet)];
  const likenesses = a.map((one) => b.map((other) => likeness(one, other)));
  // The best sum of what follows each pair of places.
  const best = Array.from({ length: a.length + 1 }, () => new Float64Array(b.length + 1));
  const paired = (i: number, j: number) => (likenesses[i]![j]! > LIKE ? likenesses[i]![j]! + best[i + 1]![j + 1]! : 0);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) best[i]![j] = Math.max(paired(i, j), best[i + 1]![j]!, best[i]![j + 1]!);
  const found: [number, number][] = [];
  for (let [i, j] = [0, 0]; i < a.length && j < b.length; ) {
    if (best[i]![j]! > 0 && best[i]![j] === paired(i, j)) found.push([i++, j++]);
    else if (best[i]![j] === best[i + 1]![j]) i++;
    else j++;
  }
  return found;
}

function wordSet(text: string): Set<string> {
  return new Set(toWords(text).words.filter((word) => /[\p{L}\p{N}]/u.test(word)));
}

/** How many of their words two texts share, for their lengths. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [short, long] = one.size <= other.size ? [one, other] : [other, one];
  let both = 0;
  for (const word of short) if (long.has(word)) both++;
  return both === 0 ? 0 : both / Math.sqrt(short.size * long.size);
}
