// A chapter's text as blocks, ready for any form of book.

import { UsageError } from "@loopwright/core";
import { type Block, plainText } from "./blocks.ts";
import { type BookChapter, oneLine } from "./book.ts";
import { readMarkdown } from "./markdown/reader.ts";

/** The blocks below a chapter's title; a first heading that only says the title again is left out. */
export function chapterBlocks({ title, markdown }: BookChapter): Block[] {
  let blocks: Block[];
  try {
    blocks = readMarkdown(markdown);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(error.code, `The chapter "${title}" cannot be exported. ${error.message}`, { cause: error });
  }
  const [first, ...rest] = blocks;
  return first?.kind === "heading" && oneLine(plainText(first.spans)) === title ? rest : blocks;
}
