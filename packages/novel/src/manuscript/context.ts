// What a writer or a judge of a level is told: what is above it, the level itself, what was asked before, what is stale.

import type { Lessons } from "../learning.ts";
import { digestOf } from "../level/digest.ts";
import { goalLines, goalOf } from "../style/style.ts";
import type { FileBlock, Level } from "../types.ts";
import { titleOfBook } from "./book.ts";
import { readText } from "./files/files.ts";
import {
  chapterNumber,
  chapterPath,
  comparePaths,
  FOUNDATION_PATH,
  isBegun,
  isTold,
  levelsAbove,
  levelsBelow,
  MOST_CHAPTERS,
  nameOf,
  placeOf,
  STYLE_FILE,
} from "./files/layout.ts";
import type { Manuscript } from "./files/open.ts";
import { readBeat } from "./format/format.ts";
import { keptOf, keptPassages } from "./format/text.ts";
import { historyText } from "./history/history.ts";
import { planOf } from "./history/staleness.ts";
import { countOf, plain, shorten, titleOf, withoutComments } from "./words.ts";

export { plain } from "./words.ts";

/** A chapter's file as it was read. */
interface ChapterText {
  number: number;
  path: string;
  title: string;
  text: string;
}

/** What a writer is given to read. */
export type WritingContext = Awaited<ReturnType<typeof assembleContext>>;
/** Variables of prompts: plain values, "" or none where there is nothing. */
export type WritingVariables = WritingContext["variables"];

/** What is told beside what the files hold: what the author said when the premise was made, what was turned down since the last
 * change that was taken, and what the author's decisions have shown. */
export interface Beside {
  book_idea?: string;
  rejected?: string[];
  lessons?: Lessons;
}

/** All that a writer or a judge of a level is told. */
export async function assembleContext(
  manuscript: Manuscript,
  target: Level,
  { book_idea = "", rejected = [], lessons = { writer: [], judge: [] } }: Beside = {},
) {
  const { project, taxonomy } = manuscript;
  const isTold = (level: Level) => level === target || levelsAbove(target).includes(level);
  const read = async (level: Level) => (isTold(level) ? (await manuscript.read(level)).map(plain) : []);
  const [premise, treatment, beats, current, entries] = await Promise.all([
    read("premise"),
    read("treatment"),
    read("chapters"),
    read(target),
    manuscript.history(target),
  ]);
  const below = isBegun(manuscript.paths(target))
    ? undefined
    : levelsBelow(target).find((level) => isBegun(manuscript.paths(level)));
  const chapters = beats.filter(({ path }) => path !== FOUNDATION_PATH).map(toChapter);
  const foundation = beats.find(({ path }) => path === FOUNDATION_PATH)?.content ?? "";
  const variables = {
    title: titleOfBook(manuscript),
    genre: project.genre ?? taxonomy?.genre ?? "",
    language: project.language ?? "",
    /** 0 where nobody said. */
    target_words: project.target_words ?? 0,
    chapter_count: chapters.length || project.chapters || 0,
    taxonomy: taxonomyText(taxonomy),
    premise: premise[0]?.content ?? "",
    treatment: treatment[0]?.content ?? "",
    foundation,
    /** Plans, for the levels chapters and prose. */
    chapters,
    /** The level as it is, as one text: several files between their marks. */
    current: filesToText(current),
    /** Where the level does not exist but something below it does: the nearest below, and its text. */
    below_level: below ?? "",
    below: below ? filesToText((await manuscript.read(below)).map(plain)) : "",
    history: historyText(entries),
    history_count: entries.length,
    chapter_history: target === "prose" ? historyText(await manuscript.history("chapters")) : "",
    ...{ book_idea, rejected, lessons },
    stale_notes: staleNotes(manuscript, target),
    kept: keptOf(current).map(({ passage }) => passage.trim()),
    ...(await styleOf(manuscript)),
  };
  const told = (["taxonomy", "premise", "treatment", "foundation"] as const).filter((part) => variables[part] !== "");
  const description = [
    ...told,
    ...(chapters.length === 0 ? [] : [countOf(chapters.length, "chapter")]),
    ...(target === "prose" && current.length > 0 ? [`prose of ${countOf(manuscript.count(target), "chapter")}`] : []),
    ...(below ? [`the ${below} below`] : []),
    ...(entries.length === 0 ? [] : [countOf(entries.length, "previous iteration")]),
  ];
  return { variables, description };
}

/** What is filled in of the taxonomy; "" where nothing is. */
function taxonomyText(taxonomy: Readonly<Record<string, unknown>> = {}): string {
  const told = Object.entries(taxonomy).filter(([, value]) => {
    const texts = Array.isArray(value) ? value : [value];
    return texts.some((each) => each !== null && each !== undefined && each !== "");
  });
  return told.length === 0 ? "" : JSON.stringify(Object.fromEntries(told), null, 2);
}

/** The rules that hold for the whole book. */
async function styleOf({ folder, project }: Manuscript) {
  const rules = withoutComments((await readText(folder, STYLE_FILE)) ?? "").trim();
  return {
    // Titles with nothing under them say nothing.
    style_rules: /[^\s#]/.test(rules.replace(/^#{1,6}[ \t].*$/gm, "")) ? rules : "",
    banned_phrases: project.analysis?.banned_phrases ?? [],
    goals: goalLines(project),
  };
}

/** A level as one text: a file alone as it is, several between the marks in which a writer gives them. */
export function filesToText(files: readonly FileBlock[]): string {
  if (files.length <= 1) return files[0]?.content ?? "";
  return files.map(({ path, content }) => `===FILE: ${path}===\n${content.trimEnd()}\n===END FILE===`).join("\n");
}

/** A chapter's file with its number and title. */
export function toChapter({ path, content }: FileBlock): ChapterText {
  const number = chapterNumber(path) ?? 0;
  return { number, path, title: titleOf(content) ?? `Chapter ${number}`, text: content };
}

/** What of the level itself and of what is above it no longer agrees, in sentences. */
function staleNotes(manuscript: Manuscript, target: Level): string[] {
  const told = [...levelsAbove(target), target];
  return manuscript.stale().flatMap(({ level, because }) => {
    if (level === "analysis" || !told.includes(level)) return [];
    const verb = level === "chapters" ? "were" : "was";
    return [`The ${level} ${verb} generated from an older version of the ${because.join(" and the ")}.`];
  });
}

// What the writer of one chapter of prose is told beside the context of the level: the structure of all chapters, and the
// prose around it, before and after, as far as it is in sight.

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
