// Markdown: one file, a first-level heading for each chapter, what is known of the book in front.

import type { Token, Tokens } from "marked";
import { stringify } from "yaml";
import { type Block, plainText } from "../blocks.ts";
import { type Book, type BookChapter, oneLine, soundBook } from "../book.ts";
import { chapterBlocks } from "../chapter-blocks.ts";
import { headingShift } from "../xhtml.ts";
import { lexMarkdown, tokensToSpans, withoutComments } from "./reader.ts";
import { escapeMarkdown, writeMarkdown } from "./writer.ts";

/** The book as one Markdown file. The writer's text stays as it is, but for comments and the levels of headings. */
export function exportMarkdown(book: Book): string {
  const { title, author, language, chapters } = soundBook(book);
  const texts = chapters.map(chapterText);
  const facts = {
    title,
    ...(author && { author }),
    ...(language && { lang: language }),
    // Only where an import could take other headings for the chapters.
    ...(texts.some(({ hasHeadings }) => hasHeadings) && { "chapter-level": 1 }),
  };
  const parts = chapters.map((chapter, index) =>
    `${chapter.title === "" ? "" : `# ${escapeMarkdown(chapter.title)}\n\n`}${texts[index]!.text}`.trimEnd(),
  );
  return `${[`---\n${stringify(facts)}---`, ...parts].join("\n\n")}\n`;
}

function chapterText(chapter: BookChapter): { text: string; hasHeadings: boolean } {
  const tokens = lexMarkdown(`${withoutComments(chapter.markdown)}\n\n# end\n`);
  const end = tokens.pop()!;
  // A fence or a piece of HTML that stands open would swallow the chapters that follow.
  if (!isHeading(end)) return blocksText(chapterBlocks(chapter));
  const first = tokens.findIndex(({ type }) => type !== "space");
  const opening = tokens[first];
  if (opening && isHeading(opening) && headingText(opening) === chapter.title) tokens.splice(first, 1);
  const depths = tokens.filter(isHeading).flatMap((token) => (headingText(token) === "" ? [] : [token.depth]));
  const shift = depths.includes(1) ? 1 : 0;
  const text = tokens.map((token) => (isHeading(token) ? headingLine(token, shift) : token.raw)).join("");
  return { text: text.replace(/^(?:[ \t]*\n)+/, "").trimEnd(), hasHeadings: depths.length > 0 };
}

function blocksText(blocks: readonly Block[]): { text: string; hasHeadings: boolean } {
  const shift = headingShift(blocks);
  const shifted = blocks.map((block) =>
    block.kind === "heading" ? { ...block, depth: Math.min(6, block.depth + shift) } : block,
  );
  return { text: writeMarkdown(shifted), hasHeadings: blocks.some(({ kind }) => kind === "heading") };
}

/** A heading so many levels deeper; an empty one is a scene break. */
function headingLine(token: Tokens.Heading, shift: number): string {
  const { depth, raw, text } = token;
  const end = /\n*$/.exec(raw)![0];
  if (headingText(token) === "") return `***${end}`;
  return shift === 0 ? raw : `${"#".repeat(Math.min(6, depth + shift))} ${text.replace(/\n/g, " ")}${end}`;
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === "heading";
}

function headingText({ tokens }: Tokens.Heading): string {
  return oneLine(plainText(tokensToSpans(tokens)));
}
