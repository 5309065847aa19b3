// A chapter split in two: its prose at a scene break or a paragraph, its plan between two events.

import { UsageError } from "@loopwright/core";
import { keptPassages } from "../manuscript/kept.ts";
import { countWords, shorten } from "../manuscript/words.ts";
import { splitPlan } from "./plans.ts";
import { type Slot, slotAt } from "./slots.ts";
import { bodyOf, retitle, withBody } from "./titles.ts";

const BREAK = /^[ \t]*(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|#|⁂)[ \t]*$/;

/** Where the second half begins: with a scene, by its number, or with the paragraph that has some words. */
export type SplitPoint = { scene: number } | { words: string } | undefined;

/** The chapters with one of them in two; the second has its own title, or its number alone. */
export function splitChapter(slots: readonly Slot[], number: number, at: SplitPoint, title = ""): Slot[] {
  const { from, plan, prose } = slotAt(slots, number);
  if (prose === undefined && at !== undefined)
    throw new UsageError(
      "NO_PROSE",
      `Chapter ${number} has no prose yet: /split ${number} parts its plan in the middle`,
    );
  const texts = prose === undefined ? undefined : splitProse(prose, number, at);
  const share = texts ? countWords(texts[0]) / Math.max(1, countWords(texts[0]) + countWords(texts[1])) : 0.5;
  const plans = plan === undefined ? undefined : splitPlan(plan, share);
  const named = (text: string | undefined) => (text === undefined ? undefined : retitle(text, title));
  return [
    ...slots.slice(0, number - 1),
    { from, plan: plans?.[0], prose: texts?.[0] },
    { from, plan: named(plans?.[1]), prose: named(texts?.[1]) },
    ...slots.slice(number),
  ];
}

function splitProse(prose: string, number: number, at: SplitPoint): [string, string] {
  const paragraphs = bodyOf(prose).split(/\n[ \t]*\n/);
  const index =
    at === undefined
      ? middleOf(paragraphs)
      : "scene" in at
        ? sceneOf(paragraphs, at.scene, number)
        : placeOf(paragraphs, at.words, number);
  const [first, second] = [paragraphs.slice(0, index), paragraphs.slice(index)];
  if (BREAK.test(first.at(-1) ?? "")) first.pop();
  if (BREAK.test(second[0] ?? "")) second.shift();
  const halves = [first.join("\n\n"), second.join("\n\n")] as const;
  if (halves.some((half) => half.trim() === ""))
    throw new UsageError("SPLIT_EMPTY", `Chapter ${number} cannot be split there: one half would be empty`);
  if (halves.flatMap(keptPassages).join("\0") !== keptPassages(bodyOf(prose)).join("\0"))
    throw new UsageError("SPLIT_KEPT", `Chapter ${number} cannot be split there: it is within a kept passage`);
  return [withBody(prose, halves[0]), withBody(prose, halves[1])];
}

/** The scene break nearest to the middle, or the paragraph. */
function middleOf(paragraphs: readonly string[]): number {
  const counts = paragraphs.map(countWords);
  const half = counts.reduce((sum, count) => sum + count, 0) / 2;
  const breaks = paragraphs.flatMap((paragraph, index) => (BREAK.test(paragraph) ? [index] : []));
  const places = breaks.length > 0 ? breaks : paragraphs.map((_, index) => index).slice(1);
  const before = (index: number) => counts.slice(0, index).reduce((sum, count) => sum + count, 0);
  return places.toSorted((a, b) => Math.abs(before(a) - half) - Math.abs(before(b) - half))[0] ?? 0;
}

function sceneOf(paragraphs: readonly string[], scene: number, number: number): number {
  const breaks = paragraphs.flatMap((paragraph, index) => (BREAK.test(paragraph) ? [index] : []));
  const found = breaks[scene - 2];
  if (scene >= 2 && found !== undefined) return found;
  const many = `Chapter ${number} has ${breaks.length + 1} ${breaks.length === 0 ? "scene" : "scenes"}`;
  throw new UsageError("SCENE_UNKNOWN", `${many}: name a later one than the first, or some words of the paragraph`);
}

function placeOf(paragraphs: readonly string[], words: string, number: number): number {
  const wanted = plain(words);
  const fitting = (fits: (text: string) => boolean) =>
    paragraphs.flatMap((paragraph, index) => (fits(`${plain(paragraph)} `) ? [index] : []));
  const beginning = fitting((text) => text.startsWith(`${wanted} `));
  const found = beginning.length === 1 ? beginning : fitting((text) => ` ${text}`.includes(` ${wanted} `));
  if (found.length === 1) return found[0]!;
  const how = found.length === 0 ? "no paragraph has" : `${found.length} paragraphs have`;
  throw new UsageError("WORDS_UNKNOWN", `In chapter ${number} ${how} '${shorten(words, 60)}': give more of its words`);
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
