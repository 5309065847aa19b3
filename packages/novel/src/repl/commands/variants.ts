// /variants: two or three versions of one file, or of a passage of it, to choose from.

import { LoopwrightError } from "@loopwright/core";
import { type FileBlock, type Level, levels } from "../../layout.ts";
import { CHAPTER_WORDS } from "../../manuscript/language/part-names.ts";
import { readQuoted } from "../../said/quotes.ts";
import { beginIteration } from "../iterations.ts";
import type { Session } from "../session.ts";
import { firstWord } from "../words/command-words.ts";
import { fitsName } from "../words/file-names.ts";
import { messages } from "../words/words.ts";

const USAGE =
  'Say it as /variants [2|3] FILE ["words of a passage"] FEEDBACK, such as /variants 3 chapter-3 make it colder';

/** `Chapter 3`, `Kapitel 3`: one name. */
const CHAPTER_BEFORE = new RegExp(`^(?:${CHAPTER_WORDS})\\s+(?=\\d)`, "iu");

const MARKS_AROUND = /^<!--\s*keep\s*-->\s*|\s*<!--\s*\/\s*keep\s*-->$/gi;

/** /variants [2|3] [FILE] ["PASSAGE"] FEEDBACK */
export async function writeVariants(session: Session, rest: string): Promise<void> {
  const [count, afterCount] = readCount(rest.trim());
  const { level, files } = await filesOf(session);
  const [name, afterName] = firstWord(afterCount.replace(CHAPTER_BEFORE, "chapter-"));
  const fitting = files.filter(({ path }) => name !== "" && fitsName(path, name));
  const isOnly = fitting.length === 0 && files.length === 1;
  if (fitting.length !== 1 && !isOnly)
    throw new LoopwrightError("USAGE", `There is no one file '${name}' in ${level}. ${USAGE}`);
  const file = fitting[0] ?? files[0]!;
  const { passage, feedback } = readPassage(isOnly ? afterCount : afterName, file, level);
  if (feedback === "") throw new LoopwrightError("USAGE", USAGE);
  await beginIteration(session, {
    ...{ kind: "iterate", target: level, feedback: [feedback], variants: count, file: file.path },
    ...(passage !== undefined && { passage }),
  });
}

/** How many: a lone 2 or 3 with something after it that could be a file; two where nothing is said. */
function readCount(text: string): [2 | 3, string] {
  const [, digit, more] = /^([23])\s+(\S[\s\S]*)$/.exec(text) ?? [];
  if (digit === undefined || more === undefined) return [2, text];
  return [digit === "3" ? 3 : 2, more];
}

async function filesOf(session: Session): Promise<{ level: Level; files: FileBlock[] }> {
  const manuscript = await session.manuscript();
  const level = session.target;
  if (level === undefined || !levels.includes(level)) throw new LoopwrightError("NO_TARGET", messages.noTarget);
  if (level === "premise")
    throw new LoopwrightError(
      "USAGE",
      "The premise is one object and has no variants: give feedback on it, or /iterate another level",
    );
  return { level, files: await manuscript.read(level) };
}

/** The paragraph that holds the quoted words, without keep marks round it; they must say which one is meant. */
function readPassage(text: string, { path, content }: FileBlock, level: Level): { passage?: string; feedback: string } {
  const quoted = readQuoted(text);
  if (!quoted) return { feedback: text.trim() };
  const { words, rest } = quoted;
  const found = content.split(/\n[ \t]*\n/).filter((paragraph) => paragraph.includes(words));
  if (found.length === 1) return { passage: found[0]!.trim().replace(MARKS_AROUND, ""), feedback: rest };
  const why = found.length === 0 ? "is in no paragraph" : `is in ${found.length} paragraphs`;
  const isPlan = level === "chapters" ? ". The target is the plan; for the prose, /iterate prose first" : "";
  throw new LoopwrightError(
    "PASSAGE_UNKNOWN",
    `"${words}" ${why} of ${path}: quote words that only the passage has${isPlan}`,
  );
}
