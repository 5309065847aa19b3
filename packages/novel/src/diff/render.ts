// Sections as text, in the shape that the pager shows.

import { widthOf } from "@loopwright/terminal";
import {
  bookPart,
  chapterNumber,
  FOUNDATION_PATH,
  nameOf,
  PREMISE_PATH,
  TREATMENT_PATH,
} from "../manuscript/files/layout.ts";
import { countOf } from "../manuscript/words.ts";
import type { SemanticDiff } from "../phases/summarize.ts";
import type { ChangeFigures, Level } from "../types.ts";
import type { DiffPiece, DiffSection } from "./sections.ts";

/** How a diff is shown. */
interface SectionStyle {
  /** Columns; 80 unless told. */
  width?: number;
  /** How changed words are marked (colors in a terminal); left as they are unless told. */
  mark?: (text: string, side: "old" | "new") => string;
}

const INDENT = "    ";
const NARROWEST = 20;
const fileTitles = new Map([
  [FOUNDATION_PATH, "Foundation"],
  [PREMISE_PATH, "Premise"],
  [TREATMENT_PATH, "Treatment"],
]);

/** A file as its reader calls it: `Chapter 3`, `Foundation`. */
export function fileTitle(path: string): string {
  const number = chapterNumber(path);
  if (number !== undefined) return `Chapter ${number}`;
  const part = bookPart(path)?.replace("-", " ");
  return part ? part[0]!.toUpperCase() + part.slice(1) : (fileTitles.get(path) ?? path);
}

/** `━━━ Chapter 3: Detailed Changes ━━━` for a file. */
export function renderHeading(path: string): string {
  return `━━━ ${fileTitle(path)}: Detailed Changes ━━━`;
}

/** A section: its title and lines, then OLD and NEW. */
export function renderSection(section: DiffSection, { width = 80, mark = (text) => text }: SectionStyle = {}): string {
  const { from, to } = section.lines;
  const place = `${from === to ? `Line ${from}` : `Lines ${from}-${to}`}${section.isRemoved ? " of the old version" : ""}`;
  const room = Math.max(width - INDENT.length, NARROWEST);
  const side = (name: "old" | "new", pieces: readonly DiffPiece[]) =>
    pieces.length === 0
      ? []
      : [
          "",
          `  ${name.toUpperCase()}:`,
          ...wrapPieces(foldPieces(pieces), room, (text) => mark(text, name)).map(indent),
        ];
  return [`${section.title} (${place}):`, ...side("old", section.old), ...side("new", section.new)].join("\n");
}

/** Words of an unchanged run that are shown beside what changed, and how many it must have to be cut. */
const NEAR_WORDS = 25;
const LONG_RUN = 80;

/** Pieces with what is far from any change left out: `…` stands for it. */
export function foldPieces(pieces: readonly DiffPiece[]): DiffPiece[] {
  return pieces.map((piece, at) => {
    if (piece.isChanged || pieces.length === 1) return piece;
    const words = piece.text.match(/\s*\S+\s*/g) ?? [];
    if (words.length <= LONG_RUN) return piece;
    const head = at === 0 ? "" : words.slice(0, NEAR_WORDS).join("");
    const tail = at === pieces.length - 1 ? "" : words.slice(-NEAR_WORDS).join("");
    return { ...piece, text: [head.trimEnd(), "…", tail.trimStart()].filter((part) => part !== "").join(" ") };
  });
}

/** Pieces wrapped to a width, each changed run of a line marked on its own. */
export function wrapPieces(pieces: readonly DiffPiece[], width: number, mark: (text: string) => string): string[] {
  const lines: DiffPiece[][] = [[]];
  let used = 0;
  for (const { text, isChanged } of pieces) {
    for (const part of text.match(/\n|[^\S\n]+|\S+/g) ?? []) {
      const columns = widthOf(part);
      if (part === "\n" || (used + columns > width && used > 0)) {
        lines.push([]);
        used = 0;
        if (part.trim() === "") continue;
      }
      addTo(lines.at(-1)!, { text: part, isChanged });
      used += columns;
    }
  }
  return lines.map((line) => {
    if (line.at(-1)?.text.trim() === "") line.pop();
    const shown = line.map((piece, at) => (at === line.length - 1 ? { ...piece, text: piece.text.trimEnd() } : piece));
    return shown.map(({ text, isChanged }) => (isChanged ? mark(text) : text)).join("");
  });
}

function addTo(line: DiffPiece[], piece: DiffPiece): void {
  const last = line.at(-1);
  if (last?.isChanged === piece.isChanged) last.text += piece.text;
  else line.push(piece);
}

function indent(line: string): string {
  return line === "" ? "" : `${INDENT}${line}`;
}

// The summary of an iteration that a person decides by: the summarizer's words and measured figures.

/** What the summary says beside the summarizer's words. */
export interface SummaryFacts {
  level: Level;
  feedback: readonly string[];
  /** Whether it is what a cascade asks, and not the author's words. */
  isStep?: boolean;
  /** What the author said at questions of this iteration. */
  said?: readonly string[];
  figures: ChangeFigures;
  /** What `changedPaths` gives. */
  changed: readonly string[];
  /** How many attempts a judge saw; 0 where there was none. */
  attempts: number;
  /** The number of this attempt, where the judge approved it. */
  approvedOn?: number | undefined;
  /** Where it is a part of another attempt: that one's number, and what stays as it was. */
  partOf?: { attempt: number; left: readonly string[] } | undefined;
}

const RULE = "━".repeat(47);
const structureTitles: Readonly<Record<Level, string>> = {
  premise: "Premise:",
  treatment: "Story Structure:",
  chapters: "Chapter Structure:",
  prose: "Chapters:",
};

/** The iteration summary; without a semantic diff (no model) it holds the figures alone. */
export function renderSemanticDiff(diff: SemanticDiff | undefined, facts: SummaryFacts): string {
  const blocks = [
    [RULE, "ITERATION SUMMARY", RULE],
    feedbackBlock(facts),
    facts.attempts > 0 ? [attemptsLine(facts)] : [],
    diff ? [`CHANGES TO ${facts.level.toUpperCase()}:`] : [],
    diff ? foundationBlock(diff, facts) : [],
    diff ? structureBlock(diff, facts.level) : [],
    ["Overall impact:", ...bullets([...figureLines(facts), ...(diff?.impact ?? [])])],
    diff?.why_it_works.trim() ? ["Why these changes work:", `  ${oneLine(diff.why_it_works)}`] : [],
    diff && diff.risks.length > 0 ? ["Risks:", ...bullets(diff.risks)] : [],
    [RULE],
  ];
  return blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join("\n"))
    .join("\n\n");
}

/** The measured part of the impact, one line for each figure. */
function figureLines({ figures, changed }: Pick<SummaryFacts, "figures" | "changed">): string[] {
  const { files_changed, files_total, lines_added, lines_removed, words_before, words_after } = figures;
  const chapters = changed.filter((path) => chapterNumber(path) !== undefined).length;
  const names = [
    ...(changed.includes(FOUNDATION_PATH) ? ["foundation"] : []),
    ...(chapters > 0 ? [countOf(chapters, "chapter")] : []),
  ];
  return [
    `Files changed: ${files_changed} of ${files_total}${names.length > 0 ? ` (${names.join(" + ")})` : ""}`,
    `Lines changed: ±${lines_added + lines_removed} across all files`,
    `Words: ${words_before.toLocaleString("en")} → ${words_after.toLocaleString("en")}${growth(words_before, words_after)}`,
  ];
}

function feedbackBlock({ feedback, isStep, said = [] }: SummaryFacts): string[] {
  const items = feedback.map((item) => `"${item.trim()}"`);
  const asked = items.length === 1 ? [`  ${oneLine(items[0]!)}`] : bullets(items);
  return [
    ...(items.length === 0 ? [] : [isStep ? "Asked by the cascade:" : "User feedback:", ...asked]),
    ...said.map((text) => `  You also said: "${oneLine(text)}"`),
  ];
}

function attemptsLine({ attempts, approvedOn, partOf }: SummaryFacts): string {
  const whole = approvedOn === undefined ? "not approved" : `approved on attempt ${approvedOn}`;
  const part =
    partOf && `attempt ${partOf.attempt} without ${partOf.left.map(nameOf).join(", ")}, which the judge saw with it`;
  return `Judge attempts: ${attempts} (${part ?? whole})`;
}

function foundationBlock({ foundation }: SemanticDiff, { changed }: SummaryFacts): string[] {
  if (foundation.length === 0) return [];
  const items = foundation.map(({ text }) => `  ✓ ${oneLine(text)}`);
  const isChanged = changed.includes(FOUNDATION_PATH);
  return [
    isChanged ? "Foundation (metadata, characters, world):" : "What all chapters share (characters, world, tone):",
    ...items,
  ];
}

function structureBlock({ major, moderate, minor }: SemanticDiff, level: Level): string[] {
  const groups = [
    { title: "  Major changes (★★★):", changes: major },
    { title: "  Moderate changes (★★):", changes: moderate },
    { title: "  Minor changes (★):", changes: minor },
  ].filter(({ changes }) => changes.length > 0);
  if (groups.length === 0) return [];
  const texts = groups.map(({ title, changes }) =>
    [title, changes.map((change) => changeLines(change).join("\n")).join("\n\n")].join("\n"),
  );
  return [structureTitles[level], "", texts.join("\n\n")];
}

function changeLines({ where, what, before, after, pairs, details }: SemanticDiff["major"][number]): string[] {
  const sides = [{ before, after }, ...pairs].flatMap((pair) => [
    ...(pair.before ? [`      Before: ${oneLine(pair.before)}`] : []),
    ...(pair.after ? [`      After:  ${oneLine(pair.after)}`] : []),
  ]);
  return [`    • ${oneLine(`${where}: ${what}`)}`, ...sides, ...details.map((detail) => `      - ${oneLine(detail)}`)];
}

function bullets(items: readonly string[]): string[] {
  return items.map((item) => `  • ${oneLine(item)}`);
}

/** Whoever shows it breaks it to the width of the terminal. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** ` (−12)`, ` (+240, +6%)`: a share that rounds to nothing is left out. */
function growth(before: number, after: number): string {
  if (before === 0 || before === after) return "";
  const share = Math.round((100 * (after - before)) / before);
  return ` (${signed(after - before)}${share === 0 ? "" : `, ${signed(share)}%`})`;
}

function signed(number: number): string {
  return `${number < 0 ? "−" : "+"}${Math.abs(number).toLocaleString("en")}`;
}
