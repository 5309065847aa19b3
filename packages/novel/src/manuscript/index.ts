// The manuscript of a novel project: its files read, checked and laid out. Nothing here writes into a project but
// `createManuscript`; everything else says what is to be written, as parts of one change.

export { analyze } from "./analysis/index.ts";
export { readAnswer, readChapter } from "./answer/answer.ts";
export { bookOf, chaptersToProse } from "./book.ts";
export { assembleContext, type WritingContext, type WritingVariables } from "./context.ts";
export { type ChapterVariables, chapterVariables, type Sight } from "./context-chapter.ts";
export { changeProjectFile, createManuscript, type NewManuscript } from "./files/create.ts";
export {
  type BookPart,
  bookPart,
  chapterNumber,
  chapterPath,
  comparePaths,
  FOUNDATION_PATH,
  isBegun,
  isTold,
  levelsAbove,
  nameOf,
} from "./files/layout.ts";
export { type Downstream, type Manuscript, openManuscript } from "./files/open.ts";
export { ProjectFile } from "./files/schemas.ts";
export { isUnchanged } from "./files/versions.ts";
export { readBeat } from "./format/chapters.ts";
export { checkFormat } from "./format/format.ts";
export type { FormatOptions } from "./format/text.ts";
export { titleOf } from "./headings.ts";
export { changeBetween, cullChange, iterationChange, stayingBelow } from "./history/changes.ts";
export { planOf, type Stale, type Step } from "./history/staleness.ts";
export { checkKept, keptOf } from "./kept.ts";
export { countWords } from "./words.ts";
