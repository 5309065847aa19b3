// /export: the prose as a book; and /import: an existing manuscript becomes the prose of a project, and the levels above it are derived
// on request.

import { existsSync } from "node:fs";
import { basename, extname, resolve } from "node:path";
import { LoopwrightError, suggestOrList } from "@loopwright/core";
import { showCount } from "@loopwright/terminal";
import { type Book, bookFileName, exportMarkdown } from "../../exchange/book.ts";
import type { Imported } from "../../exchange/import.ts";
import { writeWhole } from "../../manuscript/files/files.ts";
import { chapterNumber, isBegun } from "../../manuscript/files/layout.ts";
import type { FileBlock, HistoryEntry, Level } from "../../types.ts";
import { type Commands, formats } from "../command-table.ts";
import { askWord } from "../input/input.ts";
import { beginIteration, commitChange, newIterationId } from "../iterations.ts";
import type { Session } from "../session.ts";
import { notFound, splitWords, targetIs } from "../words/words.ts";
import { createNovel, openNovel, placeFor, titleOf } from "./project.ts";

export const commands: Commands = { import: importFile, export: exportBook };

const writers = {
  md: exportMarkdown,
  epub: async (book: Book) => (await import("../../exchange/epub.ts")).exportEpub(book),
  docx: async (book: Book) => (await import("../../exchange/docx.ts")).exportDocx(book),
};

/** /export md|epub|docx [FILE] */
async function exportBook(session: Session, rest: string): Promise<void> {
  const { output } = session;
  const [word, name, ...more] = splitWords(rest);
  const manuscript = await session.manuscript();
  if (word === undefined || more.length > 0)
    throw new LoopwrightError("USAGE", `Name a format: /export ${formats.join("|")} [FILE]`);
  const format = formats.find((known) => known === word.toLowerCase()) ?? (word === "markdown" ? "md" : undefined);
  if (format === undefined)
    throw new LoopwrightError("FORMAT_UNKNOWN", `There is no format '${word}'${suggestOrList(word, formats)}`);
  if (!manuscript.has("prose")) throw new LoopwrightError("LEVEL_MISSING", notFound("prose"));
  const { bookOf } = await import("../../manuscript/book.ts");
  const [last] = await session.novel.repository.iterations();
  const book = { ...(await bookOf(manuscript)), ...(last && { date: new Date(last.date) }) };
  const file = resolve(name ?? bookFileName(book.title, format));
  if (existsSync(file) && (await askWord(session, `${file} exists. Overwrite it?`, ["yes", "no"], "no")) !== "yes")
    return output.note("Nothing was written");
  const content = await writers[format](book);
  await writeWhole(file, content).catch((cause: NodeJS.ErrnoException) => {
    throw new LoopwrightError("EXPORT_FAILED", `${file} cannot be written (${cause.code})`, { cause });
  });
  const parts = book.chapters.flatMap(({ part }) => (part === undefined ? [] : [part.replace("-", " ")]));
  const chapters = [showCount(book.chapters.length - parts.length, "chapter"), ...parts].join(", ");
  output.say(`✓ ${chapters} (${showCount(manuscript.words("prose"), "word")}) written to ${file}`, "green");
}

/** /import FILE [as NAME] */
async function importFile(session: Session, rest: string): Promise<void> {
  const { output } = session;
  const { file, name } = readWords(rest);
  if (!existsSync(file)) throw new LoopwrightError("FILE_UNKNOWN", `There is no ${file}`);
  await checkRoom(session, name);
  const { importManuscript } = await import("../../exchange/import.ts");
  const imported = await importManuscript(file);
  if (imported.chapters.length === 0) throw new LoopwrightError("IMPORT_EMPTY", `${file} holds no text`);
  if (name !== undefined || !session.hasNovel) {
    const folder = placeFor(session, name ?? nameFrom(file));
    await openNovel(session, await createNovel(folder, { title: titleOf(folder) }));
  }
  await commitProse(session, file, imported);
  for (const note of imported.notes) output.note(note);
  session.target = "prose";
  if (imported.text !== undefined && session.novel.roles.has("writer"))
    await beginIteration(session, { kind: "split", target: "prose", feedback: [] });
  output.note(targetIs("prose"));
  await offerDerivation(session);
}

function readWords(rest: string): { file: string; name: string | undefined } {
  const words = splitWords(rest);
  const at = words.length > 2 && words.at(-2)!.toLowerCase() === "as" ? words.length - 2 : words.length;
  const path = words.slice(0, at).join(" ");
  if (path === "") throw new LoopwrightError("USAGE", "Name a file: /import FILE [as NAME]");
  return { file: resolve(path), name: words[at + 1] };
}

/** An import makes prose; it never writes over one. */
async function checkRoom(session: Session, name: string | undefined): Promise<void> {
  if (name !== undefined || !session.hasNovel) return;
  const manuscript = await session.manuscript();
  if (manuscript.has("prose"))
    throw new LoopwrightError(
      "PROSE_EXISTS",
      `${manuscript.name} has prose already. Import it as a project of its own: /import FILE as NAME`,
    );
}

/** `my book.md` → `my-book` */
function nameFrom(file: string): string {
  return (
    basename(file, extname(file))
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-+|-+$/g, "") || "imported"
  );
}

async function commitProse(session: Session, file: string, imported: Imported): Promise<void> {
  const { output } = session;
  const { chaptersToProse } = await import("../../manuscript/book.ts");
  const { iterationChange } = await import("../../manuscript/history/history.ts");
  const files = chaptersToProse(imported.chapters);
  const manuscript = await session.manuscript();
  const entry = await entryOf(file, files);
  const { write, remove } = await iterationChange(manuscript, {
    level: "prose",
    files,
    entry,
    kind: "import",
    isCulled: false,
  });
  const change = { write: [...write, ...(await newFacts(session, imported))], remove };
  const { subject } = await commitChange(session, "prose", `import ${basename(file)}`, change, entry.iteration_id);
  const chapters = imported.chapters.filter(({ part }) => part === undefined).length;
  const parts = imported.chapters.flatMap(({ part }) => (part === undefined ? [] : [part.replace("-", " ")]));
  output.say(`✓ ${[showCount(chapters, "chapter"), ...parts].join(", ")} imported from ${basename(file)}`, "green");
  output.say(`  ✓ Git commit: "${subject}"`);
}

/** project.yaml with what the manuscript says of itself, where nobody has said it of the project. */
async function newFacts({ novel }: Session, imported: Imported): Promise<FileBlock[]> {
  const { changeProjectFile, openManuscript } = await import("../../manuscript/files/open.ts");
  const { project } = await openManuscript(novel.folder);
  const isUntitled = project.title === titleOf(novel.folder);
  const values = Object.entries({
    ...(isUntitled && { title: imported.title }),
    ...(project.author === undefined && { author: imported.author }),
    ...(project.language === undefined && { language: imported.language }),
  }).filter(([, value]) => value !== undefined);
  return values.length === 0 ? [] : [await changeProjectFile(novel.folder, Object.fromEntries(values))];
}

async function entryOf(file: string, files: readonly FileBlock[]): Promise<HistoryEntry> {
  const { measureChange } = await import("../../diff/lines.ts");
  const figures = measureChange([], files);
  return {
    iteration_id: newIterationId(),
    timestamp: new Date().toISOString(),
    feedback: `Import ${basename(file)}`,
    judge_attempts: 0,
    judge_verdict: "none",
    judge_reasoning: "",
    semantic_summary: `${showCount(files.filter(({ path }) => chapterNumber(path) !== undefined).length, "chapter")} with ${showCount(figures.words_after, "word")} were imported.`,
    files_changed: figures.files_changed,
    lines_changed: figures.lines_added + figures.lines_removed,
    accepted_by: "user",
    kind: "import",
  };
}

/** From below to above: each is derived from the one before. */
const above: readonly Level[] = ["chapters", "treatment", "premise"];

/** Asks whether the levels that are missing above the prose are to be derived, and derives them. */
export async function offerDerivation(session: Session): Promise<void> {
  const { output } = session;
  const manuscript = await session.manuscript();
  const missing = above.filter((level) => !isBegun(manuscript.paths(level)));
  if (missing.length === 0) return;
  if (!session.novel.roles.has("writer"))
    return output.note(
      "The levels above can be derived once a model is set: /generate chapters, then treatment, then premise",
    );
  output.note(`${missing.join(", ")} can be made from the prose now; or later: /generate ${missing[0]}`);
  const question =
    missing.length === above.length ? "Derive the levels above?" : `Derive ${missing.join(" and ")} as well?`;
  const word = await askWord(session, question, ["yes", "no"], "no");
  if (word !== "yes") return;
  for (const target of missing) {
    const result = await beginIteration(session, { kind: "derive", target, feedback: [] });
    if (result?.outcome === "done") continue;
    // Of one that is kept it was said how it goes on.
    if (result === undefined || result.outcome === "declined")
      output.note(`Deriving stopped at ${target}: /generate ${target} tries again`);
    return;
  }
  session.target = "prose";
  output.note(targetIs("prose"));
}
