// Markdown: one file, a first-level heading for each chapter, what is known of the book in front.

import type { Tokens } from "marked";
import { stringify } from "yaml";
import { plainText } from "./blocks.ts";
import { type Book, type BookChapter, oneLine, soundBook } from "./book.ts";
import { chapterBlocks } from "./chapter-blocks.ts";
import { lexMarkdown, tokensToSpans, withoutComments } from "./markdown-reader.ts";
import { escapeMarkdown, writeMarkdown } from "./markdown-writer.ts";

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
    `# ${escapeMarkdown(chapter.title)}\n\n${texts[index]!.text}`.trimEnd(),
  );
  return `${[`---\n${stringify(facts)}---`, ...parts].join("\n\n")}\n`;
}

function chapterText(chapter: BookChapter): { text: string; hasHeadings: boolean } {
  const text = withoutComments(chapter.markdown);
  const tokens = lexMarkdown(text);
  const first = tokens.findIndex(({ type }) => type !== "space");
  if (tokens[first]?.type === "heading" && headingText(tokens[first] as Tokens.Heading) === chapter.title) {
    tokens.splice(first, 1);
  }
  const headings = tokens
    .filter(({ type }) => type === "heading")
    .map((token) => token as Tokens.Heading)
    .filter((token) => headingText(token) !== "");
  const hasHeadings = headings.length > 0;
  if (!isClosed(text)) return { text: writeMarkdown(chapterBlocks(chapter)), hasHeadings };
  const shift = headings.some(({ depth }) => depth === 1) ? 1 : 0;
  const raws = tokens.map((token) => {
    if (shift === 0 || !headings.includes(token as Tokens.Heading)) return token.raw;
    const { depth, text: words } = token as Tokens.Heading;
    return `${"#".repeat(Math.min(6, depth + shift))} ${words.replace(/\n/g, " ")}\n\n`;
  });
  return {
    text: raws
      .join("")
      .replace(/^(?:[ \t]*\n)+/, "")
      .trimEnd(),
    hasHeadings,
  };
}

/** Whether what follows a text is not swallowed by it: a fence or a piece of HTML may stand open at its end. */
function isClosed(text: string): boolean {
  const last = lexMarkdown(`${text}\n\n# end\n`).at(-1);
  return last?.type === "heading" && (last as Tokens.Heading).text === "end";
}

function headingText({ tokens }: Tokens.Heading): string {
  return oneLine(plainText(tokensToSpans(tokens)));
}
