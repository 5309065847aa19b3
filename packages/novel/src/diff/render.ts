// Sections as text, in the shape that the pager shows.

import { widthOf } from "@loopwright/terminal";
import { bookPart, chapterNumber, FOUNDATION_PATH, PREMISE_PATH, TREATMENT_PATH } from "../manuscript/files/layout.ts";
import type { DiffPiece, DiffSection } from "./sections.ts";

/** How a diff is shown. */
export interface SectionStyle {
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
