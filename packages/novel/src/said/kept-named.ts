// Feedback that is about passages which may not change: no writer could carry it out, so the author is asked first. Pure.

import { bodyOf, wordsOf } from "../manuscript/analysis/text.ts";
import type { KeptPassage } from "../manuscript/kept.ts";
import { freeText, keptOf } from "../manuscript/kept.ts";
import { isFiller } from "../reach/fillers.ts";
import { stemOf } from "../reach/word-index.ts";
import type { NovelTask } from "../task.ts";
import type { FileBlock } from "../types.ts";
import { quotedIn } from "./quotes.ts";

/** The kept passages that feedback is about, and whether it reaches anything else. */
export interface KeptNamed {
  passages: KeptPassage[];
  has_rest: boolean;
  /** Whether it is only likely, for nothing is quoted. */
  is_likely?: boolean;
}

/** The kept passages that feedback quotes, or those of the files that it reaches where these hold nothing else. */
export function keptNamed(
  { feedback, file, passage }: Pick<NovelTask, "feedback" | "file" | "passage">,
  files: readonly FileBlock[],
  reached: readonly string[] | undefined,
): KeptNamed {
  const own = files.filter(({ path }) => (file === undefined ? (reached?.includes(path) ?? true) : path === file));
  const kept = keptOf(own);
  if (kept.length === 0) return { passages: [], has_rest: true };
  if (own.every((each) => !/\p{L}/u.test(bodyOf({ ...each, content: freeText(each.content) }))))
    return { passages: kept, has_rest: false };
  if (passage !== undefined) return { passages: kept.filter((each) => holds(each.passage, passage)), has_rest: false };
  const free = own.map(({ content }) => freeText(content));
  const quotes = feedback
    .flatMap(quotedIn)
    .filter((words) => /\s/.test(words) && !free.some((text) => holds(text, words)));
  const quoted = kept.filter((each) => quotes.some((words) => holds(each.passage, words)));
  if (quoted.length > 0 || reached === undefined) return { passages: quoted, has_rest: true };
  return { passages: kept.filter((each) => isMeant(each.passage, free, feedback)), has_rest: true, is_likely: true };
}

/** Whether what feedback speaks of stands in a passage, and nowhere else in the files that it reaches. */
function isMeant(passage: string, free: readonly string[], feedback: readonly string[]): boolean {
  const stems = (text: string) => wordsOf(text).flatMap(({ text: word }) => (isHint(word) ? [stemOf(word)] : []));
  const elsewhere = new Set(free.flatMap(stems));
  const inside = new Set(stems(passage));
  const said = [...new Set(feedback.flatMap(stems))].filter((stem) => inside.has(stem) || elsewhere.has(stem));
  const own = said.filter((stem) => !elsewhere.has(stem));
  return own.length > 0 && own.length * 2 >= said.length;
}

function isHint(word: string): boolean {
  return word.length >= 4 && !isFiller(word);
}

function holds(text: string, words: string): boolean {
  return plain(text).includes(plain(words));
}

/** A text without what is typed in more than one way. */
function plain(text: string): string {
  return text
    .replace(/[’‘]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/\s+/g, " ")
    .replace(/^[ .,;:!?…]+|[ .,;:!?…]+$/g, "")
    .toLowerCase();
}
