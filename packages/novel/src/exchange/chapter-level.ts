// Which headings of a manuscript are its chapters. A pure decision over all of them.

import { numberedTitle } from "../manuscript/numbers.ts";

export interface Heading {
  depth: number;
  /** Plain text. */
  text: string;
  /** Whether the file itself says that it is a chapter's. */
  isMarked?: boolean | undefined;
  /** Whether text follows before the next heading. */
  hasText: boolean;
}

/** What is above chapters: `VOLUME II`, `Part One`. */
const ABOVE = "(?:volume|part|book|teil|buch|band|partie|livre|tome|parte|libro|volumen|deel|boek|część|del|часть|том)";

const WORD =
  /^(?:chapter|kapitel|chapitre|cap[ií]tulo|capitolo|hoofdstuk|rozdzia[łl]|глава|פרק|الفصل|prolog(?:ue|o)?|pr[oó]logo|proloog|epilog(?:ue|o)?|[ée]pilogue|ep[ií]logo|epiloog|пролог|эпилог)(?!\p{L})|^第.{1,5}章/iu;
const NUMBER = /^(?:\d+|[IVXLC]+)(?:[.:)\s]|$)/;

/**
 * The level of the headings that begin chapters: those the file marks; else those that call themselves chapters, by
 * word or by number; else the level that occurs most, the outer one of two that occur alike. Undefined for no headings.
 */
export function chapterLevel(headings: readonly Heading[]): number | undefined {
  const kinds: ((heading: Heading) => boolean)[] = [
    ({ isMarked }) => isMarked === true,
    ({ text }) => WORD.test(text),
    ({ text }) => NUMBER.test(text),
    () => true,
  ];
  for (const isOfKind of kinds) {
    const level = mostFrequent(headings.filter(isOfKind).map(({ depth }) => depth));
    if (level !== undefined) return level;
  }
  return undefined;
}

/** What a title says that its text is, where that is no chapter. */
export function partOfTitle(title: string): "prologue" | "epilogue" | undefined {
  if (/^(?:prolog(?:ue|o)?|pr[oó]logo|proloog|пролог)(?!\p{L})/iu.test(title)) return "prologue";
  return /^(?:[ée]pilog(?:ue|o)?|ep[ií]logo|epiloog|эпилог)(?!\p{L})/iu.test(title) ? "epilogue" : undefined;
}

/** Whether a title says that several chapters stand below it. */
export function isAboveChapters(title: string): boolean {
  return numberedTitle(title, ABOVE) !== undefined;
}

/** Whether the first heading is the title of the whole book: alone on its level, and all others below it. */
export function beginsWithTitle([first, ...others]: readonly Heading[]): boolean {
  if (!first || first.isMarked || WORD.test(first.text) || NUMBER.test(first.text) || isAboveChapters(first.text))
    return false;
  const isOutermost = others.every(({ depth }) => depth > first.depth);
  return isOutermost && (others.length > 1 || (others.length === 1 && !first.hasText));
}

function mostFrequent(depths: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const depth of depths) counts.set(depth, (counts.get(depth) ?? 0) + 1);
  return [...counts].sort(
    ([depth, count], [otherDepth, otherCount]) => otherCount - count || depth - otherDepth,
  )[0]?.[0];
}
