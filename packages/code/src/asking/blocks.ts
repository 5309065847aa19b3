// What an implementer's answer asks for: files to write, edits of files that are there, and commands to run.
//
//   ===FILE: path===        ```python path/name.py        ===EDIT: path===        ===CMD===
//   …                       …                             <<<<<<< SEARCH          …
//   ===END FILE===          ```                           …                       ===END CMD===
//                                                         =======
//                                                         …
//                                                         >>>>>>> REPLACE
//                                                         ===END EDIT===
//
// Where it asks to see something first, that stands between ===LOOK=== and ===END LOOK===, beside the others.
//
// A block counts only when it is whole: one that is truncated, or opens inside another, is a problem that is fed back, and
// so are two blocks that give one file different contents. Thought has been taken out before.

import { foldPath, plainPath, shownPath } from "@loopwright/git";
import { type FileBlock, MAX_FILE_CHARS } from "@loopwright/workspace";
import { lookLines } from "../looking/requests.ts";
import { type Edit, editToText, MOST_EDITS, readEdits } from "./edits.ts";
import { type FencedFile, fencedFiles, outermostFence } from "./fenced-blocks.ts";

/** The edits of one file. */
export interface EditBlock {
  path: string;
  edits: Edit[];
}

export interface Blocks {
  files: FileBlock[];
  edits: EditBlock[];
  commands: string[];
  /** What it asks to see, line by line. */
  looks: string[];
  /** What could not be used, in sentences for whoever wrote the answer. */
  problems: string[];
}

export const MAX_ANSWER_CHARS = 2_000_000;
const MAX_COMMAND_CHARS = 4_000;
const MAX_BLOCKS = 100;

const MARK = /^(?:(FILE|EDIT)[ \t]*:(.*)|(CMD)|END (FILE|EDIT|CMD))$/i;
/** Files that are rightly empty. */
const EMPTY_NAMES = /(?:^|\/)(?:__init__\.py|py\.typed|\.gitkeep|\.keep)$/;

type Kind = "FILE" | "EDIT" | "CMD";

interface Region {
  kind: Kind;
  path: string;
  from: number;
  lines: string[];
}

/** Reads an answer. */
export function readBlocks(answer: string): Blocks {
  if (answer.length > MAX_ANSWER_CHARS) {
    return {
      files: [],
      edits: [],
      commands: [],
      looks: [],
      problems: [`The answer is longer than ${MAX_ANSWER_CHARS} characters.`],
    };
  }
  const lines = answer.replace(/\r\n?/g, "\n").split("\n");
  const { regions, outside, problems } = markedRegions(lines);
  const fenced = fencedFiles(outside);
  const found: FencedFile[] = regions
    .filter(({ kind }) => kind === "FILE")
    .map(({ path, lines: body }) => ({ path, content: withNewline(outermostFence(path, body).join("\n")) }));
  const files = settleFiles([...found, ...fenced.files], problems);
  problems.push(...fenced.problems);
  const edits = settleEdits(regions, files, problems);
  const commands = regions.filter(({ kind }) => kind === "CMD").map(({ lines: body }) => body.join("\n").trim());
  const looks = lookLines(outside, { mayBeBare: regions.length + fenced.files.length === 0 });
  return { files, edits, commands: settleCommands(commands, problems), looks, problems };
}

/** The regions between markers, and the text with them blanked out. */
function markedRegions(lines: readonly string[]): { regions: Region[]; outside: string; problems: string[] } {
  const regions: Region[] = [];
  const problems: string[] = [];
  const outside = [...lines];
  let open: Region | undefined;
  const tear = (why: string) => {
    if (open) problems.push(`${nameOf(open)} ${why}, so nothing of it was used.`);
  };
  lines.forEach((line, index) => {
    const mark = markIn(line);
    if (open || mark) outside[index] = "";
    if (!mark) {
      open?.lines.push(line);
      return;
    }
    const [, file, path, command, end] = mark;
    const opened = file ?? command;
    if (opened) {
      tear("is not closed before the next block opens");
      open = { kind: opened.toUpperCase() as Kind, path: pathIn(path ?? ""), from: index, lines: [] };
      return;
    }
    const kind = end!.toUpperCase();
    if (open?.kind === kind) regions.push(open);
    else if (open) tear(`is closed by the mark of another kind`);
    else problems.push(`A ===END ${kind}=== stands where no block is open.`);
    open = undefined;
  });
  tear(`has no ===END ${open?.kind}===: the answer was cut off`);
  return { regions, outside: outside.join("\n"), problems };
}

/** A line's mark. Its ends are taken off by hand: a pattern for all of it would look at long lines again and again. */
function markIn(line: string): RegExpExecArray | null {
  const text = line.trim();
  const isMark = text.length > 6 && text.startsWith("===") && text.endsWith("===");
  return isMark ? MARK.exec(text.slice(3, -3).trim()) : null;
}

function nameOf({ kind, path }: Region): string {
  return kind === "CMD" ? "A command block" : `The block for the file '${shownPath(path)}'`;
}

/** Models put paths in quotes or backticks now and then, and name the folder that they were shown. */
function pathIn(path: string): string {
  const plain = path.trim().replace(/^(["'`])(.*)\1$/, "$2");
  return plain.replace(/^\/workspace\//, "");
}

/** The edits, a block for each file; those of a file that is given whole too are none. */
function settleEdits(regions: readonly Region[], files: readonly FileBlock[], problems: string[]): EditBlock[] {
  const blocks: EditBlock[] = [];
  for (const region of regions.filter(({ kind }) => kind === "EDIT").slice(0, MAX_BLOCKS)) {
    const { edits, problem } = readEdits(region.lines);
    if (problem !== undefined) problems.push(`${nameOf(region)} ${problem}, so nothing of it was used.`);
    else if (files.some(({ path }) => foldPath(path) === foldPath(region.path)))
      problems.push(`The answer gives the file '${shownPath(region.path)}' whole and edits of it: give one of them.`);
    else {
      const known = blocks.find(({ path }) => foldPath(path) === foldPath(region.path));
      if (known && known.edits.length + edits.length > MOST_EDITS)
        problems.push(`The answer gives more than ${MOST_EDITS} edits of '${shownPath(region.path)}': give it whole.`);
      else if (known) known.edits.push(...edits);
      else blocks.push({ path: region.path, edits });
    }
  }
  return blocks;
}

/** One block for each file: equal ones are one, different ones are none. */
function settleFiles(found: readonly FencedFile[], problems: string[]): FileBlock[] {
  const byPath = new Map<string, FileBlock[]>();
  for (const block of found.slice(0, MAX_BLOCKS)) {
    const key = foldPath(plainPath(block.path).path ?? block.path);
    byPath.set(key, [...(byPath.get(key) ?? []), block]);
  }
  if (found.length > MAX_BLOCKS) {
    problems.push(`The answer holds ${found.length} files; only the first ${MAX_BLOCKS} were read.`);
  }
  const files: FileBlock[] = [];
  for (const [first, ...others] of byPath.values() as Iterable<[FileBlock, ...FileBlock[]]>) {
    const name = `'${shownPath(first.path)}'`;
    if (others.some(({ content }) => content !== first.content)) {
      problems.push(
        `The answer gives the file ${name} ${others.length + 1} times with different contents: give it once.`,
      );
    } else if (first.content.length > MAX_FILE_CHARS) {
      problems.push(`The file ${name} is longer than ${MAX_FILE_CHARS} characters.`);
    } else if (first.content.trim() === "" && !EMPTY_NAMES.test(first.path)) {
      problems.push(`The block for the file ${name} is empty, and nothing was written: give the whole file.`);
    } else files.push(first);
  }
  return files;
}

function settleCommands(commands: readonly string[], problems: string[]): string[] {
  const usable = commands.filter((command) => command !== "" && command.length <= MAX_COMMAND_CHARS);
  if (commands.includes("")) problems.push("A command block is empty.");
  if (commands.some(({ length }) => length > MAX_COMMAND_CHARS)) {
    problems.push(`A command is longer than ${MAX_COMMAND_CHARS} characters: write a script into a file and run that.`);
  }
  if (usable.length > MAX_BLOCKS) problems.push(`Only the first ${MAX_BLOCKS} commands were read.`);
  return usable.slice(0, MAX_BLOCKS);
}

function withNewline(content: string): string {
  return content === "" || content.endsWith("\n") ? content : `${content}\n`;
}

/** Files, edits and commands in the form that an answer has them in. */
export function blocksToText({ files, edits, commands }: Pick<Blocks, "files" | "edits" | "commands">): string {
  const written = files.map(({ path, content }) => `===FILE: ${path}===\n${content.trimEnd()}\n===END FILE===\n`);
  const edited = edits.map(
    ({ path, edits: each }) => `===EDIT: ${path}===\n${each.map(editToText).join("")}===END EDIT===\n`,
  );
  const ran = commands.map((command) => `===CMD===\n${command}\n===END CMD===\n`);
  return [...written, ...edited, ...ran].join("\n");
}
