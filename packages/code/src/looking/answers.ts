// What a request is answered with. Files are read as everywhere in the workspace: what controls the run, held-out tests, links and
// installed packages are not there. Whatever is cut says so, and what to ask for instead.

import { nearest } from "@loopwright/core";
import { plainPath, shownPath } from "@loopwright/git";
import type { FileBlock, ProjectCell } from "@loopwright/workspace";
import { excerptOf } from "../asking/excerpts.ts";
import { ignoredBy } from "../rank/ignored.ts";
import { lineCount } from "../showing/count-words.ts";
import type { CodeState } from "../task.ts";
import { grep, grepLimits } from "./grep.ts";
import { type Look, lookToText, rangeOf } from "./requests.ts";
import { runTest } from "./run-test.ts";
import { type Answered, LONGEST, type Seen } from "./seen.ts";

const LONGEST_LINE = 300;
const MOST_NAMES = 200;

/** Answers a request, in the workspace as it is at the state's snapshot. */
export async function answerLook(cell: ProjectCell, look: Look, state: CodeState, signal: AbortSignal): Promise<Seen> {
  const { text, words } = await answers[look.kind](cell, look as never, state, signal);
  return { title: titleOf(look), text, words };
}

/** A request as it is shown. */
export function titleOf(look: Look): string {
  return shownPath(lookToText(look));
}

type Answer<Kind extends Look["kind"]> = (
  cell: ProjectCell,
  look: Extract<Look, { kind: Kind }>,
  state: CodeState,
  signal: AbortSignal,
) => Promise<Answered>;

const answers: { [Kind in Look["kind"]]: Answer<Kind> } = { read, grep: find, list, run: runTest };

async function read(cell: ProjectCell, look: Extract<Look, { kind: "read" }>): Promise<Answered> {
  const [file] = await cell.readFiles([look.path]);
  if (!file) return missing(look.path, await cell.listFiles());
  const { path, content } = file;
  const words = `${path}${rangeOf(look)}`;
  if (look.name === undefined) return { text: linesOf(file, look), words };
  const { text, isWhole } = await excerptOf(path, content, { names: [look.name], lines: [] }, LONGEST, {
    hasHead: false,
  });
  return { text: `${path}${isWhole ? "" : `, ${lineCount(countLines(content))}, in part`}\n${text}`, words };
}

/** Lines of a file, as far as there is room for them. */
function linesOf({ path, content }: FileBlock, { from = 1, to }: { from?: number; to?: number }): string {
  const lines = content.replace(/\n$/, "").split("\n");
  if (from > lines.length) return `${path} has ${lineCount(lines.length)}, and none from ${from} on.`;
  const last = Math.min(to ?? lines.length, lines.length);
  const shown: string[] = [];
  for (let at = from, left = LONGEST; at <= last; at++) {
    const line = lines[at - 1]!;
    left -= line.length + 1;
    if (left < 0) break;
    shown.push(line);
  }
  const end = from + shown.length - 1;
  if (shown.length === 0) return `Line ${from} of ${path} is too long to be shown.`;
  const rest = end < last ? [`[lines ${end + 1} to ${last} are not shown: READ ${path}:${end + 1}-${last}]`] : [];
  return [`${path}, lines ${from} to ${end} of ${lines.length}`, ...shown, ...rest].join("\n");
}

/** What is said of a file that cannot be shown: it is not there, or it is no small text. */
function missing(said: string, files: readonly string[]): Answered {
  const path = plainPath(said).path ?? said;
  const words = `${shownPath(said)} (not there)`;
  if (files.includes(path)) return { text: `${shownPath(path)} is no text, or too large to be shown.`, words };
  if (files.some((each) => each.startsWith(`${path}/`)))
    return { text: `${shownPath(path)} is a folder: LIST ${shownPath(path)}`, words };
  const name = path.split("/").at(-1)!;
  const same = files.filter((each) => each.split("/").at(-1) === name).slice(0, 5);
  const like = same.length > 0 ? undefined : nearest(path, files);
  const hint = same.length > 0 ? ` Of that name there is ${same.map(shownPath).join(", ")}.` : nearestWords(like);
  return { text: `There is no file ${shownPath(path)} in the workspace.${hint}`, words };
}

function nearestWords(path: string | undefined): string {
  return path === undefined ? "" : ` The nearest is ${shownPath(path)}.`;
}

async function find(cell: ProjectCell, { pattern }: Extract<Look, { kind: "grep" }>): Promise<Answered> {
  const all = await cell.readFiles();
  const isOut = ignoredBy(all);
  const { places, count, files, isEnded } = grep(
    all.filter(({ path }) => !isOut(path)),
    pattern,
  );
  const lines = places.map(({ path, line, text }) => `${path}:${line}: ${cutLine(text.trim())}`);
  const shown = fitting(lines, LONGEST);
  const ended = isEnded ? [`The search took more than ${grepLimits.ms} ms and was ended: look for a plain text.`] : [];
  const rest =
    count > shown.length
      ? [
          `${count} lines in ${files === 1 ? "1 file" : `${files} files`} hold it, and ${shown.length} are shown: look for something rarer.`,
        ]
      : [];
  const none = count === 0 && !isEnded ? ["No line of the workspace holds it."] : [];
  return {
    text: [...shown, ...none, ...rest, ...ended].join("\n"),
    words: `grep '${shownPath(pattern)}' (${count === 1 ? "1 place" : `${count} places`})`,
  };
}

async function list(cell: ProjectCell, { folder }: Extract<Look, { kind: "list" }>): Promise<Answered> {
  const files = await cell.listFiles();
  const inside = folder === "" ? files : files.filter((path) => path.startsWith(`${folder}/`));
  const words = `list ${folder === "" ? "." : shownPath(folder)}`;
  if (inside.length === 0) return { text: `There is no folder ${shownPath(folder)} in the workspace.`, words };
  const isOut = ignoredBy(await cell.readFiles(files.filter((path) => path.split("/").at(-1) === ".gitignore")));
  const own = inside.filter((path) => !isOut(path));
  const names = namesIn(folder, own);
  const shown = fitting(names.slice(0, MOST_NAMES), LONGEST);
  const rest = names.length > shown.length ? [`… and ${names.length - shown.length} more: list a folder of it.`] : [];
  const out = inside.length - own.length;
  const left = out > 0 ? [`(not listed: ${out === 1 ? "1 file" : `${out} files`} that .gitignore leaves out)`] : [];
  return { text: [...shown, ...rest, ...left].join("\n"), words };
}

/** What stands in a folder: its files, and its folders with how many files they hold. */
function namesIn(folder: string, paths: readonly string[]): string[] {
  const start = folder === "" ? 0 : folder.length + 1;
  const groups = Map.groupBy(paths, (path) => path.slice(start).split("/", 1)[0]!);
  return [...groups].map(([name, own]) => {
    const isFile = own.length === 1 && own[0]!.length === start + name.length;
    return isFile ? shownPath(name) : `${shownPath(name)}/ (${own.length === 1 ? "1 file" : `${own.length} files`})`;
  });
}

/** As many lines as there is room for. */
function fitting(lines: readonly string[], room: number): string[] {
  let left = room;
  const end = lines.findIndex(({ length }) => {
    left -= length + 1;
    return left < 0;
  });
  return end < 0 ? [...lines] : lines.slice(0, end);
}

function cutLine(text: string): string {
  return text.length <= LONGEST_LINE ? text : `${text.slice(0, LONGEST_LINE)}…`;
}

function countLines(text: string): number {
  return text.replace(/\n$/, "").split("\n").length;
}
