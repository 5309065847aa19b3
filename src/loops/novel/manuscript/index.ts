// The manuscript of a novel project: its files read, checked and laid out. Nothing here writes into a project but
// `createManuscript`; everything else says what is to be written, as parts of one change.

export { type Analysis, type AnalysisFinding, analyse } from "./analysis/index.ts";
export { type ReadAnswer, readAnswer, readChapter } from "./answer.ts";
export { type BookText, bookOf, chaptersToProse } from "./book.ts";
export { type Cull, changeBetween, cullChange, type IterationChange, iterationChange } from "./changes.ts";
export {
  assembleContext,
  type ChapterText,
  filesToText,
  type WritingContext,
  type WritingVariables,
} from "./context.ts";
export { type ChapterVariables, chapterVariables } from "./context-chapter.ts";
export { changeProjectFile, createManuscript, ignoredPaths, ignoreText, type NewManuscript } from "./create.ts";
export { kindOfFeedback, parseFeedback } from "./feedback.ts";
export { checkFormat } from "./format.ts";
export { beatParts, foundationParts } from "./format-chapters.ts";
export type { FormatOptions } from "./format-options.ts";
export { titleOf } from "./headings.ts";
export { historyChange } from "./history.ts";
export { historyText } from "./history-text.ts";
export { checkKept, keptPassages } from "./kept.ts";
export {
  chapterNumber,
  chapterPath,
  FOUNDATION_PATH,
  folderOf,
  historyPath,
  levelOf,
  levelsAbove,
  levelsBelow,
  PREMISE_PATH,
  TREATMENT_PATH,
} from "./layout.ts";
export { type Downstream, type Manuscript, openManuscript } from "./open.ts";
export { PremiseMetadata, ProjectFile, Taxonomy } from "./schemas.ts";
export { type Stale, type Step, type StepKind, stalenessChange } from "./staleness.ts";
export {
  type IterationFacts,
  type KindStatistics,
  renderStatistics,
  type Statistics,
  statistics,
} from "./statistics.ts";
export { isUnchanged, versionOf } from "./versions.ts";
export { wantedChapters } from "./wanted-chapters.ts";
export { countWords } from "./words.ts";
