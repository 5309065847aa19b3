// The manuscript of a novel project: its files read, checked and laid out. Nothing here writes into a project but
// `createManuscript`; everything else says what is to be written, as parts of one change.

export { type Analysis, analyze } from "./analysis/index.ts";
export { type ReadAnswer, readAnswer, readChapter } from "./answer/answer.ts";
export { type BookText, bookOf, chaptersToProse } from "./book.ts";
export {
  assembleContext,
  type ChapterText,
  filesToText,
  type WritingContext,
  type WritingVariables,
} from "./context.ts";
export { type ChapterVariables, chapterVariables, type Sight } from "./context-chapter.ts";
export { changeProjectFile, createManuscript, ignoredPaths, ignoreText, type NewManuscript } from "./files/create.ts";
export {
  type BookPart,
  bookPart,
  chapterNumber,
  chapterPath,
  comparePaths,
  FOUNDATION_PATH,
  folderOf,
  historyPath,
  isBegun,
  isTold,
  levelOf,
  levelsAbove,
  levelsBelow,
  nameOf,
  PREMISE_PATH,
  TREATMENT_PATH,
} from "./files/layout.ts";
export { type Downstream, type Manuscript, openManuscript } from "./files/open.ts";
export { PremiseMetadata, ProjectFile, Taxonomy } from "./files/schemas.ts";
export { isUnchanged } from "./files/versions.ts";
export { beatParts, foundationParts, readBeat } from "./format/chapters.ts";
export { checkFormat } from "./format/format.ts";
export type { FormatOptions } from "./format/text.ts";
export { titleOf } from "./headings.ts";
export {
  type Cull,
  changeBetween,
  cullChange,
  type IterationChange,
  iterationChange,
  stayingBelow,
} from "./history/changes.ts";
export { historyChange, historyText } from "./history/history.ts";
export { planOf, type Stale, type Step, type StepKind, stalenessChange } from "./history/staleness.ts";
export { checkKept, describeKept, type KeptPassage, keptOf, keptPassages } from "./kept.ts";
export { type Found, searchBook, wordsToLookFor } from "./search.ts";
export { countWords } from "./words.ts";
