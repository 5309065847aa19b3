// /export: the prose as a book.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { LoopwrightError, suggestOrList } from "@loopwright/core";
import { writeWhole } from "../../manuscript/files/files.ts";
import { askWord } from "../ask.ts";
import { formats } from "../input/completion.ts";
import type { Session } from "../session.ts";
import { splitWords } from "../words/command-words.ts";
import { notFound, plural } from "../words/words.ts";

/** /export md|epub|docx [FILE] */
export async function exportBook(session: Session, rest: string): Promise<void> {
  const { output } = session;
  const [word, name, ...more] = splitWords(rest);
  const manuscript = await session.manuscript();
  if (word === undefined || more.length > 0)
    throw new LoopwrightError("USAGE", `Name a format: /export ${formats.join("|")} [FILE]`);
  const format = formats.find((known) => known === word.toLowerCase()) ?? (word === "markdown" ? "md" : undefined);
  if (format === undefined)
    throw new LoopwrightError("FORMAT_UNKNOWN", `There is no format '${word}'${suggestOrList(word, formats)}`);
  if (!manuscript.has("prose")) throw new LoopwrightError("LEVEL_MISSING", notFound("prose"));
  const [{ bookOf }, exchange] = await Promise.all([
    import("../../manuscript/book.ts"),
    import("../../exchange/index.ts"),
  ]);
  const [last] = await session.novel.repository.iterations();
  const book = { ...(await bookOf(manuscript)), ...(last && { date: new Date(last.date) }) };
  const file = resolve(name ?? exchange.bookFileName(book.title, format));
  if (existsSync(file) && (await askWord(session, `${file} exists. Overwrite it?`, ["yes", "no"], "no")) !== "yes")
    return output.note("Nothing was written");
  const write = { md: exchange.exportMarkdown, epub: exchange.exportEpub, docx: exchange.exportDocx }[format];
  const content = await write(book);
  await writeWhole(file, content).catch((cause: NodeJS.ErrnoException) => {
    throw new LoopwrightError("EXPORT_FAILED", `${file} cannot be written (${cause.code})`, { cause });
  });
  const parts = book.chapters.flatMap(({ part }) => (part === undefined ? [] : [part.replace("-", " ")]));
  const chapters = [plural(book.chapters.length - parts.length, "chapter"), ...parts].join(", ");
  output.say(`✓ ${chapters} (${plural(manuscript.words("prose"), "word")}) written to ${file}`, "green");
}
