// Long text a screen at a time, and a detailed diff a section at a time. Where nobody is there to press a key, all of it at once.

import { pad } from "@loopwright/terminal";
import { renderHeading, renderSection } from "../../diff/render.ts";
import type { DiffPiece, DiffSection, FileDiff } from "../../diff/sections.ts";
import { shorten } from "../../manuscript/words.ts";
import { type Output, safeText, textWidth, wrap } from "../words/output.ts";
import type { Input } from "./input.ts";

/** Shows the sections of some files one after the other, until the last or until the reader has seen enough. */
export async function pageSections(files: readonly FileDiff[], output: Output, input: Input): Promise<void> {
  const { terminal } = output;
  const pages = files.flatMap(({ path, sections }) =>
    sections.map((section, at) => ({ heading: at === 0 ? renderHeading(safeText(path)) : undefined, section })),
  );
  if (pages.length === 0) output.note("Nothing has changed there");
  for (const [at, { heading, section }] of pages.entries()) {
    output.say();
    if (heading !== undefined) output.say(`${heading}\n`, "bold");
    const mark = (text: string, side: "old" | "new") => terminal.style(side === "old" ? "red" : "green", text);
    output.show(renderSection(safeSection(section), { width: textWidth(terminal.columns), mark }));
    if (at === pages.length - 1) break;
    output.say();
    // With --json everything is said at once: whoever reads it can stop where they like.
    if (!terminal.isJson && (await isEnough("Press Enter for next section, 'q' to return to summary: ", output, input)))
      break;
  }
  output.say();
}

/** Nothing of a text acts on the terminal; what is changed is marked after that. */
function safeSection(section: DiffSection): DiffSection {
  const safe = (pieces: readonly DiffPiece[]) => pieces.map((piece) => ({ ...piece, text: safeText(piece.text) }));
  return { ...section, title: safeText(section.title), old: safe(section.old), new: safe(section.new) };
}

/** Shows files one after the other. */
export async function pageFiles(
  files: readonly { title: string; text: string }[],
  output: Output,
  input: Input,
): Promise<void> {
  const width = textWidth(output.terminal.columns);
  for (const { title, text } of files)
    if (!(await pageLines(title, wrap(safeText(text.trim()), width), output, input))) return;
}

/** Shows lines that fit the terminal, and are safe, already; false where the reader has seen enough. */
export async function pageLines(
  heading: string,
  lines: readonly string[],
  output: Output,
  input: Input,
): Promise<boolean> {
  const { terminal } = output;
  const isPaged = input.isInteractive && !terminal.isJson;
  const rows = isPaged ? Math.max(8, (terminal.stdout.rows ?? 24) - 3) : Math.max(1, lines.length);
  output.say();
  output.say(`━━━ ${heading} ━━━\n`, "bold");
  for (let from = 0; from < lines.length; from += rows) {
    output.show(lines.slice(from, from + rows).join("\n"));
    if (from + rows < lines.length && (await isEnough("Press Enter for more, 'q' to stop: ", output, input)))
      return false;
  }
  output.say();
  return true;
}

async function isEnough(prompt: string, output: Output, input: Input): Promise<boolean> {
  for (;;) {
    const line = (await input.read({ prompt, isAnswer: true, words: ["q"] }))?.trim();
    if (line === undefined || /^(?:q|quit|skip)$/i.test(line)) return true;
    // One sign is a key; words were meant for a question, and must not vanish.
    if (line.length < 2) return false;
    output.note(`Not taken here: '${shorten(line, 60)}'. Enter goes on, q ends this`);
  }
}

const GAP = " │ ";
const NARROWEST = 24;
const WIDEST = 64;

/** Signs of a paragraph that is as it was. */
const SAME = 40;

/** The lines that show some texts beside each other; of a paragraph that stands in `current` too, only how it begins. */
export function sideBySide(texts: readonly string[], columns: number, current = ""): string[] {
  const width = Math.min(WIDEST, Math.floor((columns - GAP.length * (texts.length - 1)) / texts.length));
  const known = new Set(toParagraphs(safeText(current)));
  const told = (text: string) => (known.has(text) && text.length > SAME ? `(as it is) ${shorten(text, SAME)}` : text);
  const all = texts.map((text) => toParagraphs(safeText(text)).map(told));
  if (width < NARROWEST) return all.flatMap((paragraphs, index) => oneByOne(paragraphs, index + 1, columns));
  const head = all.map((_, index) => `Variant ${index + 1}`);
  const lines = [rowOf(head, width), rowOf(Array(all.length).fill("─".repeat(width)), width)];
  const most = Math.max(...all.map(({ length }) => length));
  for (let at = 0; at < most; at++) {
    const cells = all.map((paragraphs) =>
      paragraphs[at] === undefined ? [] : wrap(`${at + 1}. ${paragraphs[at]}`, width, { breaksWords: true }),
    );
    const rows = Math.max(...cells.map(({ length }) => length));
    for (let row = 0; row < rows; row++) {
      const shown = cells.map((cell) => cell[row] ?? "");
      lines.push(rowOf(shown, width));
    }
    lines.push("");
  }
  return lines;
}

function rowOf(cells: readonly string[], width: number): string {
  return cells
    .map((cell) => pad(cell, width))
    .join(GAP)
    .trimEnd();
}

function oneByOne(paragraphs: readonly string[], number: number, columns: number): string[] {
  const lines = paragraphs.flatMap((paragraph, at) => [...wrap(`${at + 1}. ${paragraph}`, textWidth(columns)), ""]);
  return [`Variant ${number}`, "", ...lines];
}

/** A title at the head of a text is no paragraph of it. */
function toParagraphs(text: string): string[] {
  const all = text
    .split(/\n(?:[ \t]*\n)+/)
    .map((paragraph) => paragraph.replace(/^\n+/, "").trimEnd())
    .filter((paragraph) => paragraph !== "");
  return /^# /.test(all[0] ?? "") ? all.slice(1) : all;
}
