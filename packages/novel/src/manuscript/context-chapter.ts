// What the writer of one chapter of prose is told beside the context of the level: its beats, and the story so far.

import { goalOf } from "../style/word-goals.ts";
import type { FileBlock } from "../types.ts";
import { plain, toChapter } from "./context.ts";
import { chapterNumber, chapterPath } from "./files/layout.ts";
import type { Manuscript } from "./files/open.ts";
import { readBeat } from "./format/chapters.ts";
import { keptPassages } from "./kept.ts";
import { shorten } from "./words.ts";

export interface ChapterVariables {
  number: number;
  title: string;
  /** About how many words it should have; 0 where nobody said. */
  words_wanted: number;
  beats: string;
  next_beats: string;
  /** The chapter as it is; "" where there is none. */
  current: string;
  /** The two chapters before it, whole. */
  last_chapters: string;
  /** Up to six before those, whole. */
  earlier_chapters: string;
  /** A line for each chapter before those. */
  story_so_far: string;
  kept: string[];
}

const LAST = 2;
const EARLIER = 6;

/** What is told of a chapter; `written` are the chapters of this run, which stand in for older ones. */
export async function chapterVariables(
  manuscript: Manuscript,
  number: number,
  written: readonly FileBlock[],
): Promise<ChapterVariables> {
  const [beats, prose] = await Promise.all([manuscript.read("chapters"), manuscript.read("prose")]);
  const text = (files: readonly FileBlock[], path: string) => plainOf(files.find((file) => file.path === path));
  const beatsOf = (each: number) => text(beats, chapterPath("chapters", each));
  const current = text(prose, chapterPath("prose", number));
  const now = new Map([...prose, ...written].map((file) => [file.path, plainOf(file)]));
  const before = [...now]
    .flatMap(([path, content]) => ((chapterNumber(path) ?? number) < number ? [toChapter({ path, content })] : []))
    .sort((a, b) => a.number - b.number);
  const { target_words, chapters } = manuscript.project;
  const count = manuscript.count("chapters") || chapters || 0;
  const whole = before.slice(-LAST - EARLIER);
  return {
    number,
    title: toChapter({ path: chapterPath("chapters", number), content: beatsOf(number) || current }).title,
    words_wanted:
      goalOf(manuscript.project, number) ?? (target_words && count > 0 ? Math.round(target_words / count) : 0),
    beats: beatsOf(number),
    next_beats: beatsOf(number + 1),
    current,
    last_chapters: textOf(whole.slice(-LAST)),
    earlier_chapters: textOf(whole.slice(0, -LAST)),
    story_so_far: before
      .slice(0, -LAST - EARLIER)
      .map((chapter) => lineOf(chapter, beatsOf(chapter.number)))
      .join("\n"),
    kept: keptPassages(current).map((passage) => passage.trim()),
  };
}

function plainOf(file: FileBlock | undefined): string {
  return file ? plain(file).content : "";
}

function textOf(chapters: readonly { text: string }[]): string {
  return chapters.map(({ text }) => text.trim()).join("\n\n");
}

/** A chapter in a line: its key events, or how it ends where there are no beats. */
function lineOf({ number, title, text }: { number: number; title: string; text: string }, beats: string): string {
  const events = (beats && readBeat(beats, "Key Events")) || `… ${text.trim().slice(-240)}`;
  return `${number}. ${title}: ${shorten(events.replace(/^[ \t]*(?:[-*+]|\d+[.)])[ \t]+/gm, ""), 300)}`;
}
