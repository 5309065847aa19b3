// The book as one page that needs no other file, with what the last iteration changed marked.

import { cutText, html, htmlPage, type Markup } from "@loopwright/terminal/html";
import { type MarkedPiece, markChanges } from "./marked.ts";
import { style } from "./style.ts";

export interface ReadChapter {
  title: string;
  text: string;
  /** Its text before the last iteration, where that changed it. */
  before?: string | undefined;
}

export interface ReadingParts {
  title: string;
  author?: string | undefined;
  /** What the last iteration was, where something of it is marked. */
  since?: string | undefined;
  chapters: readonly ReadChapter[];
}

const LONGEST_REMOVED = 400;

/** The whole page as text. */
export function readingPage({ title, author, since, chapters }: ReadingParts): string {
  const changed = chapters.filter(({ before }) => before !== undefined).length;
  const body = html`<h1>${title}</h1>
${author !== undefined && html`<p class="dim">${author}</p>`}
${since !== undefined && html`<p class="note"><ins>Marked</ins>: what changed with ${since}, in ${changed} of ${chapters.length} chapters. <del title="what is gone">‸</del> stands where something was taken out.</p>`}
${chapters.length > 1 && html`<nav><ul>${chapters.map(entry)}</ul></nav>`}
${chapters.map(chapter)}`;
  return htmlPage({ title, style, body });
}

function entry({ title, before }: ReadChapter, at: number): Markup {
  return html`<li><a href="#chapter-${at + 1}">${title}</a>${before !== undefined && html` <span class="badge">changed</span>`}</li>`;
}

function chapter({ title, text, before }: ReadChapter, at: number): Markup {
  return html`<section id="chapter-${at + 1}">
<h2>${title}</h2>
${markChanges(before, text.trim()).map(paragraph)}
</section>
`;
}

function paragraph(pieces: readonly MarkedPiece[]): Markup {
  const text = pieces.map((piece) => piece.text).join("");
  if (/^\s*(?:[*_-]\s*){3,}$/.test(text)) return html`<hr>\n`;
  const isHeading = /^#{1,6} /.test(text);
  const shown = pieces.map((piece, at) =>
    show(at === 0 && isHeading ? { ...piece, text: piece.text.replace(/^#+ /, "") } : piece),
  );
  return isHeading ? html`<h3>${shown}</h3>\n` : html`<p>${shown}</p>\n`;
}

function show({ text, isNew, removed }: MarkedPiece): Markup {
  if (removed !== undefined) return html`<del title="${cutText(removed, LONGEST_REMOVED)}">‸</del>`;
  const shown = emphasized(text);
  return isNew ? html`<ins>${shown}</ins>` : html`${shown}`;
}

const EMPHASIS = /(?<![\p{L}\p{N}_*])([_*])(?=\S)([^_*]+?)(?<=\S)\1(?![\p{L}\p{N}_*])/u;

/** `_they_` as it is read. What begins in one stretch and ends in another stays as it is written. */
function emphasized(text: string): Markup[] {
  const [before = "", ...found] = text.split(new RegExp(EMPHASIS, "gu"));
  const parts: Markup[] = [html`${before}`];
  // Of each place the sign, what it stands around, and what follows.
  for (let at = 0; at < found.length; at += 3) parts.push(html`<em>${found[at + 1]!}</em>${found[at + 2]!}`);
  return parts;
}
