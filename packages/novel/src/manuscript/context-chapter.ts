// What the writer of one chapter of prose is told beside the context of the level: the structure of all chapters, and the
// prose around it, before and after, as far as it is in sight.

import { digestOf } from "../level/digest.ts";
import { goalOf } from "../style/style-file.ts";
import type { FileBlock } from "../types.ts";
import { plain, toChapter } from "./context.ts";
import { chapterNumber, chapterPath, comparePaths, isTold, MOST_CHAPTERS, nameOf, placeOf } from "./files/layout.ts";
import type { Manuscript } from "./files/open.ts";
import { readBeat } from "./format/chapters.ts";
import { titleOf } from "./headings.ts";
import { planOf } from "./history/staleness.ts";
import { keptPassages } from "./kept.ts";
import { shorten } from "./words.ts";

/** How much is told around a chapter: all before it that a first text builds on; or where the chapters beside it touch it, with the structure
 * of the whole book, or of what is near. */
export type Sight = "first" | "near" | "edges";

/** What a writer is told about one chapter. */
export type ChapterVariables = Awaited<ReturnType<typeof chapterVariables>>;

/** How many chapters before a first text are told whole: those just before it, and some before those. */
const [LAST, EARLIER] = [2, 6];
/** How far the structure goes to either side, where no more than the edges are told. */
const FAR = 3;
/** Signs of a neighbor's edge, where it is not told whole. */
const EDGE = 1_200;

/** What is told of a chapter, by its number, or of a part without one, by its path; `prose` is the level as it stands now. */
export async function chapterVariables(
  manuscript: Manuscript,
  which: number | string,
  prose: readonly FileBlock[],
  sight: Sight,
) {
  const own = typeof which === "number" ? chapterPath("prose", which) : which;
  const number = chapterNumber(own) ?? 0;
  const beats = new Map((await manuscript.read("chapters")).map((file) => [file.path, plain(file).content]));
  const beatsOf = (each: number) => beats.get(chapterPath("chapters", each)) ?? "";
  const plan = beats.get(planOf(own)) ?? "";
  const told = prose.filter(({ path }) => isTold(path)).sort((a, b) => comparePaths(a.path, b.path));
  const [before, after] = [
    told.filter(({ path }) => placeOf(path) < placeOf(own)).map((file) => toChapter(plain(file))),
    told.filter(({ path }) => placeOf(path) > placeOf(own)).map((file) => toChapter(plain(file))),
  ];
  const current = told.flatMap((file) => (file.path === own ? [plain(file).content] : []))[0] ?? "";
  const chapters = [...before, ...after].filter(({ path }) => placeOf(path) < MOST_CHAPTERS);
  const numbers = numbersOf(beats, chapters);
  const whole = sight === "first" ? before.slice(-LAST - EARLIER) : [];
  return {
    number,
    title: titleFor(own, plan || current),
    /** About how many words it should have; 0 where nobody said. */
    words_wanted: number === 0 ? 0 : wordsWanted(manuscript, number),
    beats: plan,
    /** Every chapter of the book in order: the plan of those next to it whole, the others in a line. */
    structure: structureOf(numbers, Math.min(placeOf(own), (numbers.at(-1) ?? 0) + 1), sight, beatsOf, chapters),
    /** The chapter as it is; "" where there is none. */
    current,
    /** The chapters just before it, some before those, and the prose that follows it. */
    last_chapters: sight === "first" ? textOf(whole.slice(-LAST)) : endOf(before.at(-1)),
    earlier_chapters: textOf(whole.slice(0, -LAST)),
    later_chapters: sight === "first" ? "" : beginningOf(after[0]),
    kept: keptPassages(current).map((passage) => passage.trim()),
  };
}

function titleFor(path: string, content: string): string {
  return chapterNumber(path) === undefined ? (titleOf(content) ?? nameOf(path)) : toChapter({ path, content }).title;
}

function wordsWanted({ project, count }: Manuscript, number: number): number {
  const chapters = count("chapters") || project.chapters || 0;
  const { target_words } = project;
  return goalOf(project, number) ?? (target_words && chapters > 0 ? Math.round(target_words / chapters) : 0);
}

interface Chapter {
  number: number;
  title: string;
  text: string;
}

function numbersOf(beats: ReadonlyMap<string, string>, chapters: readonly Chapter[]): number[] {
  const planned = [...beats.keys()].flatMap((path) => chapterNumber(path) ?? []);
  return [...new Set([...planned, ...chapters.map(({ number }) => number)])].sort((a, b) => a - b);
}

/** The structure of the book, a line for each chapter: to all who revise one of them the same, so that a cache of prompts has it. Whoever
 * writes a first text has the plans next to it whole. */
function structureOf(
  numbers: readonly number[],
  own: number,
  sight: Sight,
  beatsOf: (number: number) => string,
  chapters: readonly Chapter[],
): string {
  const isToldOf = (number: number) =>
    sight === "near" || (number !== own && (sight === "first" || Math.abs(number - own) <= FAR));
  return numbers
    .filter(isToldOf)
    .map((number) => {
      const plan = beatsOf(number).trim();
      if (sight === "first" && plan !== "" && Math.abs(number - own) === 1) return plan;
      return lineOf(
        number,
        plan,
        chapters.find((each) => each.number === number),
      );
    })
    .join("\n\n");
}

function textOf(chapters: readonly { text: string }[]): string {
  return chapters.map(({ text }) => text.trim()).join("\n\n");
}

function endOf(chapter: Chapter | undefined): string {
  return chapter && chapter.text.length > EDGE ? `… ${chapter.text.trim().slice(-EDGE)}` : (chapter?.text.trim() ?? "");
}

function beginningOf(chapter: Chapter | undefined): string {
  return chapter && chapter.text.length > EDGE
    ? `${chapter.text.trim().slice(0, EDGE)} …`
    : (chapter?.text.trim() ?? "");
}

/** A chapter in a line: its key events, or what its own sentences say where there are no beats. */
function lineOf(number: number, plan: string, chapter: Chapter | undefined): string {
  const title = toChapter({ path: chapterPath("chapters", number), content: plan || (chapter?.text ?? "") }).title;
  const events =
    (plan && readBeat(plan, "Key Events")) || (chapter ? digestOf({ path: "", content: chapter.text }).text : "");
  return `${number}. ${title}: ${shorten(events.replace(/^[ \t]*(?:[-*+]|\d+[.)])[ \t]+/gm, ""), 300)}`;
}
