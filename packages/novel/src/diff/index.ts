// What changed between two versions of a level: measured, shown section by section, and told in plain words.

export { changedPaths, figuresToText, measureChange } from "./lines.ts";
export { fileTitle, renderHeading, renderSection, type SectionStyle } from "./render.ts";
export { type DiffPiece, type DiffSection, diffFiles, diffSections, type FileDiff } from "./sections.ts";
export { figureLines, renderSemanticDiff, type SummaryFacts } from "./summary.ts";
