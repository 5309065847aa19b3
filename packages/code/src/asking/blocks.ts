// What an implementer's answer asks for: files to write, edits of files that are there, and commands to run.
//
//   ===FILE: path===        ===EDIT: path===        ===CMD===
//   …                       <<<<<<< SEARCH          …
//   ===END FILE===          …                       ===END CMD===
//                           =======
//                           …
//                           >>>>>>> REPLACE
//                           ===END EDIT===
//
// Where it asks to see something first, that stands between ===LOOK=== and ===END LOOK===, beside the others.
//
// A block counts only when it is whole: one that is truncated, or opens inside another, is a problem that is fed back, and
// so are two blocks that give one file different contents. Thought has been taken out before.

import { foldPath, plainPath, shownPath } from "@loopwright/git";
import type { FileBlock } from "@loopwright/workspace";
import { lookLines } from "../looking/requests.ts";
import { type Edit, editToText, readEdits } from "./edits.ts";

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

const MARK = /^(?:(FILE|EDIT)[ \t]*:(.*)|(CMD)|END (FILE|EDIT|CMD))$/i;
/** Files that are rightly empty. */
const EMPTY_NAMES = /(?:^|\/)(?:__init__\.py|py\.typed|\.gitkeep|\.keep)$/;

type Kind = "FILE" | "EDIT" | "CMD";

interface Region {
  kind: Kind;
  path: string;
  lines: string[];
}

/** Reads an answer. */
export function readBlocks(answer: string): Blocks {
  const lines = answer.replace(/\r\n?/g, "\n").split("\n");
  const { regions, outside, problems } = markedRegions(lines);
  const found = regions
    .filter(({ kind }) => kind === "FILE")
    .map(({ path, lines: body }) => ({ path, content: withNewline(outermostFence(path, body).join("\n")) }));
  const files = settleFiles(found, problems);
  const edits = settleEdits(regions, files, problems);
  const ran = regions.filter(({ kind }) => kind === "CMD").map(({ lines: body }) => body.join("\n").trim());
  const commands = ran.filter((command) => command !== "");
  if (commands.length < ran.length) problems.push("A command block is empty.");
  const looks = lookLines(outside, { mayBeBare: regions.length === 0 });
  return { files, edits, commands, looks, problems };
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
      open = { kind: opened.toUpperCase() as Kind, path: pathIn(path ?? ""), lines: [] };
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
  const blocks = new Map<string, EditBlock>();
  const isWhole = new Set(files.map(({ path }) => foldPath(path)));
  for (const region of regions.filter(({ kind }) => kind === "EDIT")) {
    const { edits, problem } = readEdits(region.lines);
    const key = foldPath(region.path);
    if (problem !== undefined) problems.push(`${nameOf(region)} ${problem}, so nothing of it was used.`);
    else if (isWhole.has(key))
      problems.push(`The answer gives the file '${shownPath(region.path)}' whole and edits of it: give one of them.`);
    else
      blocks.set(key, { path: region.path, ...blocks.get(key), edits: [...(blocks.get(key)?.edits ?? []), ...edits] });
  }
  return [...blocks.values()];
}

/** One block for each file: equal ones are one, different ones are none. */
function settleFiles(found: readonly FileBlock[], problems: string[]): FileBlock[] {
  const byPath = Map.groupBy(found, ({ path }) => foldPath(plainPath(path).path ?? path));
  return [...byPath.values()].flatMap((blocks) => {
    const [{ path, content }] = blocks as [FileBlock];
    const name = `'${shownPath(path)}'`;
    if (blocks.some((each) => each.content !== content))
      problems.push(`The answer gives the file ${name} ${blocks.length} times with different contents: give it once.`);
    else if (content.trim() === "" && !EMPTY_NAMES.test(path))
      problems.push(`The block for the file ${name} is empty, and nothing was written: give the whole file.`);
    else return [{ path, content }];
    return [];
  });
}

/** The lines of a file whose block holds one fenced block and nothing else: models fence what is marked already. */
function outermostFence(path: string, lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== "");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  const mark = /^(`{3,}|~{3,})[^`]*$/.exec(lines[first] ?? "")?.[1];
  const isWrapped = mark !== undefined && last > first && lines[last]!.trimEnd() === mark;
  if (!isWrapped || /\.(?:md|mdx|markdown)$/i.test(path)) return [...lines];
  const inner = lines.slice(first + 1, last);
  return inner.some((line) => line.startsWith(mark)) ? [...lines] : inner;
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
