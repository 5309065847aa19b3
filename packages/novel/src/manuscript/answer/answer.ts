// Reading a writer's answer: from text to the files of a level, or to problems that the writer is told.

import { FormatError } from "@loopwright/core";
import { parseObject, withoutThought } from "@loopwright/models";
import type { Change, FileBlock, Level } from "../../types.ts";
import { chapterPath, comparePaths, PREMISE_PATH, TREATMENT_PATH } from "../files/layout.ts";
import { isUnchanged, PremiseMetadata, premiseToText } from "../files/schemas.ts";
import { checkChapter, checkFormat, limitProblems } from "../format/format.ts";
import { checkKept, type FormatOptions, restoreMarks } from "../format/text.ts";
import { changeBetween } from "../history/history.ts";
import { plainLines, sectionsOf } from "../words.ts";
import { fileNamed, hasBlocks, splitBlocks, unwrapFence, unwrapText } from "./blocks.ts";

/** A model's answer as a change of a level, or what is wrong with it. */
interface ReadAnswer {
  /** What differs from the level as it was. Absent where there are problems. */
  change?: Change;
  /** The whole level as it would be. Absent where there are problems. */
  files?: FileBlock[];
  problems: string[];
}

interface Taken {
  files: FileBlock[];
  problems: string[];
  declared?: number;
}

const UNCHANGED = "The answer is the old text, unchanged. Carry out the feedback and give the new text.";

/** What a level is answered with that stays as it is. */
const STAYS = /^=*\s*UNCHANGED\b[^\n]*$/i;

function unchanged(previous: readonly FileBlock[]): ReadAnswer {
  return { change: { write: [], remove: [] }, files: [...previous], problems: [] };
}

/** Reads an answer for a whole level. */
export function readAnswer(level: Level, text: string, options: FormatOptions): ReadAnswer {
  const answer = plainLines(withoutThought(text)).trim();
  if (answer === "") return { problems: ["The answer is empty."] };
  if (options.mayStay && STAYS.test(answer)) return unchanged(options.previous);
  const taken = takeFiles(level, answer, options.previous);
  const marked = restoreMarks(options.previous, taken.files);
  const files = marked.sort((a, b) => comparePaths(a.path, b.path)).map((file) => withLineEnds(file, options.previous));
  const { declared } = taken;
  // Where blocks are truncated or unnamed, what is missing follows from it and would only bury it.
  const format =
    taken.problems.length > 0
      ? []
      : checkFormat(level, files, { ...options, ...(declared !== undefined && { declared }) });
  const problems = limitProblems([
    ...taken.problems,
    ...format,
    ...(format.length + taken.problems.length > 0 ? [] : checkKept(options.previous, files)),
  ]);
  if (problems.length > 0) return { problems };
  if (!options.isFirst && isUnchanged(options.previous, files))
    return options.mayStay ? unchanged(options.previous) : { problems: [UNCHANGED] };
  return { change: changeBetween(options.previous, files), files, problems: [] };
}

/** What is known of a chapter whose text is read. */
interface ChapterOptions {
  number: number;
  /** Its file, where that is no numbered one. */
  path?: string | undefined;
  title?: string | undefined;
  previous?: FileBlock | undefined;
}

/** Reads an answer for one chapter of prose; a known title is put before it where it has none. That the text is as it was
 * is no problem: not every chapter must change. */
export function readChapter(text: string, options: ChapterOptions): { file?: FileBlock; problems: string[] } {
  const { number, path = chapterPath("prose", number), previous } = options;
  const before = previous ? [previous] : [];
  const taken = takeText(path, plainLines(withoutThought(text)).trim(), before);
  if (taken.problems.length > 0) return { problems: taken.problems };
  const { file, problems } = takeChapter(taken.files[0]!.content, options);
  return file ? { file: withLineEnds(file, before), problems } : { problems };
}

/** Takes the text of one chapter as it is, or says what is wrong with it. */
export function takeChapter(
  content: string,
  { number, path = chapterPath("prose", number), title, previous }: ChapterOptions,
): { file?: FileBlock; problems: string[] } {
  const before = previous ? [previous] : [];
  const marked = restoreMarks(before, [{ path, content }]);
  const file = withTitle(marked[0]!, title);
  const format = checkChapter({ path, content: plainLines(file.content) }, previous && plainLines(previous.content));
  const problems = format.length > 0 ? format : checkKept(before, [file]);
  return problems.length > 0 ? { problems } : { file, problems: [] };
}

function takeFiles(level: Level, answer: string, previous: readonly FileBlock[]): Taken {
  if (level === "premise") return takePremise(answer);
  if (level === "treatment") return takeText(TREATMENT_PATH, answer, previous);
  return takeBlocks(level, answer, previous);
}

/** A premise is written anew from its values, in the order of its schema. */
function takePremise(answer: string): Taken {
  const [block] = hasBlocks(answer) ? splitBlocks(answer).files : [];
  try {
    const value = parseObject(block?.content ?? answer, PremiseMetadata);
    return { files: [{ path: PREMISE_PATH, content: premiseToText(value) }], problems: [] };
  } catch (error) {
    if (error instanceof FormatError) return { files: [], problems: [error.message] };
    throw error;
  }
}

/** One file as its plain text, or as one block. */
function takeText(path: string, answer: string, previous: readonly FileBlock[]): Taken {
  if (answer === "") return { files: [], problems: ["The answer is empty."] };
  const unwrapped = unwrapFence(answer);
  const old = previous.find((file) => file.path === path);
  if (!hasBlocks(unwrapped)) return { files: [{ path, content: unwrapText(unwrapped, old?.content) }], problems: [] };
  const { files, unchanged, truncated } = splitBlocks(unwrapped);
  if (truncated !== undefined) return { files: [], problems: [truncatedProblem(truncated)] };
  if (files.length === 0 && unchanged.length > 0 && old) return { files: [old], problems: [] };
  if (files.length !== 1)
    return { files: [], problems: [`The answer holds ${files.length} files: give ${path} alone.`] };
  return { files: [{ path, content: files[0]!.content }], problems: [] };
}

function takeBlocks(level: "chapters" | "prose", answer: string, previous: readonly FileBlock[]): Taken {
  const form = `Give each file whole, between ===FILE: ${chapterPath(level, 1)}=== and ===END FILE===.`;
  const unwrapped = unwrapFence(answer);
  if (!hasBlocks(unwrapped)) return { files: [], problems: [`The answer holds no files. ${form}`] };
  const { files: blocks, unchanged, outside, truncated, chapters } = splitBlocks(unwrapped);
  const problems: string[] = [];
  const files = new Map<string, FileBlock>();
  const put = (given: string, content: string | undefined) => {
    const path = fileNamed(level, given);
    if (path === undefined) problems.push(`'${given}' is no file of the level '${level}'. ${form}`);
    else if (content === undefined) problems.push(`${path} is said to be unchanged, and there was none.`);
    else if (files.has(path) && files.get(path)!.content !== content) {
      problems.push(`${path} is given twice with different texts: give it once.`);
    } else files.set(path, { path, content });
  };
  for (const { path, content } of blocks) put(path, content);
  for (const given of unchanged) put(given, previous.find(({ path }) => path === fileNamed(level, given))?.content);
  if (truncated !== undefined) problems.push(truncatedProblem(truncated));
  const stray = sectionsOf(outside)[0];
  if (stray) problems.push(`'${stray.title}' stands outside all files. ${form}`);
  return { files: [...files.values()], problems, ...(chapters !== undefined && { declared: chapters }) };
}

function truncatedProblem(path: string): string {
  return `The answer stops in the middle of ${path}: it has no ===END FILE===. Give all files to their end.`;
}

function withTitle({ path, content }: FileBlock, title: string | undefined): FileBlock {
  const hasTitle = title === undefined || title === "" || sectionsOf(content).length > 0;
  return { path, content: hasTitle ? content : `# ${title}\n\n${content}` };
}

/** A file keeps the line ends that it had. */
function withLineEnds(file: FileBlock, previous: readonly FileBlock[]): FileBlock {
  const before = previous.find(({ path }) => path === file.path)?.content ?? "";
  const content = plainLines(file.content);
  return { path: file.path, content: /\r\n/.test(before) ? content.replaceAll("\n", "\r\n") : content };
}
