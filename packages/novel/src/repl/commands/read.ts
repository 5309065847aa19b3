// /read: the book in the terminal, a screen at a time.

import { LoopwrightError } from "@loopwright/core";
import { type FileBlock, levelOf } from "../../layout.ts";
import { premiseToMarkdown } from "../../manuscript/files/premise-text.ts";
import { pageFiles } from "../input/pager.ts";
import type { Session } from "../session.ts";
import { fitsName } from "../words/file-names.ts";
import { messages } from "../words/words.ts";

/** /read [CHAPTER] */
export async function readBook(session: Session, rest: string): Promise<void> {
  const name = rest.trim();
  const manuscript = await session.manuscript();
  const level = manuscript.has("prose") ? "prose" : session.target;
  if (level === undefined || !manuscript.has(level)) throw new LoopwrightError("NO_TARGET", messages.noTarget);
  const files = (await manuscript.read(level)).filter(({ path }) => name === "" || fitsName(path, name));
  if (files.length === 0)
    throw new LoopwrightError(
      "FILE_UNKNOWN",
      `There is no ${name} in ${level}. Name one as /read 3 or /read chapter-3`,
    );
  const { fileTitle } = await import("../../diff/index.ts");
  const shown = files.map((file) => toChapter(file, fileTitle(file.path)));
  await pageFiles(shown, session.output, session.input);
}

/** A chapter's title and the text below it; comments are no text. */
function toChapter({ path, content }: FileBlock, fallback: string): { title: string; text: string } {
  const shown = levelOf(path) === "premise" ? premiseToMarkdown(content) : content;
  const plain = shown.replace(/<!--[\s\S]*?-->\n?/g, "").replace(/\r\n?/g, "\n");
  const [, title, text] = /^\s*# +(.*)\n?([\s\S]*)$/.exec(plain) ?? [];
  return title === undefined ? { title: fallback, text: plain.trim() } : { title, text: text!.trim() };
}
