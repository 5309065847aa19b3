// What a request is answered with. Files are read as everywhere in the workspace: what controls the run, held-out tests, links and
// installed packages are not there. Whatever is cut says so, and what to ask for instead.

import { nearest } from "@loopwright/core";
import { plainPath, shownPath } from "@loopwright/git";
import {
  type FileBlock,
  isTestFile,
  type ProjectCell,
  type Report,
  runSuite,
  withoutCase,
} from "@loopwright/workspace";
import { ignoredBy } from "../rank/ignored.ts";
import { excerptOf, lineCount } from "../showing/excerpts.ts";
import type { CodeState } from "../task.ts";
import { fileOf, isOf, runSuiteFor } from "../testing/test-files.ts";
import { putTests } from "../workspace.ts";
import { grep, MOST_MS } from "./grep.ts";
import { type Look, rangeOf, type Seen, titleOf } from "./requests.ts";

type Answer = (cell: ProjectCell, look: Look, state: CodeState, signal: AbortSignal) => Promise<Omit<Seen, "title">>;

/** The longest answer, in characters. */
export const LONGEST = 12_000;
const LONGEST_LINE = 300;
const MOST_NAMES = 200;

/** Answers a request, in the workspace as it is at the state's snapshot. */
export async function answerLook(cell: ProjectCell, look: Look, state: CodeState, signal: AbortSignal): Promise<Seen> {
  return { title: titleOf(look), ...(await answers[look.verb](cell, look, state, signal)) };
}

const read: Answer = async (cell, look) => {
  const [file] = await cell.readFiles([look.what]);
  if (!file) return missing(look.what, await cell.listFiles());
  const { path, content } = file;
  const words = `${path}${rangeOf(look)}`;
  if (look.name === undefined) return { text: linesOf(file, look), words };
  const interest = { names: [look.name], lines: [] };
  const { text, isWhole } = await excerptOf(path, content, interest, LONGEST, { hasHead: false });
  const lines = content.replace(/\n$/, "").split("\n").length;
  return { text: `${path}${isWhole ? "" : `, ${lineCount(lines)}, in part`}\n${text}`, words };
};

function linesOf({ path, content }: FileBlock, { from = 1, to }: { from?: number; to?: number }): string {
  const lines = content.replace(/\n$/, "").split("\n");
  if (from > lines.length) return `${path} has ${lineCount(lines.length)}, and none from ${from} on.`;
  const last = Math.min(to ?? lines.length, lines.length);
  const shown = fitting(lines.slice(from - 1, last));
  const end = from + shown.length - 1;
  if (shown.length === 0) return `Line ${from} of ${path} is too long to be shown.`;
  const rest = end < last ? [`[lines ${end + 1} to ${last} are not shown: READ ${path}:${end + 1}-${last}]`] : [];
  return [`${path}, lines ${from} to ${end} of ${lines.length}`, ...shown, ...rest].join("\n");
}

/** What is said of a file that cannot be shown: it is not there, or it is no small text. */
function missing(said: string, files: readonly string[]): Omit<Seen, "title"> {
  const path = plainPath(said).path ?? said;
  const words = `${shownPath(said)} (not there)`;
  if (files.includes(path)) return { text: `${shownPath(path)} is no text, or too large to be shown.`, words };
  if (files.some((each) => each.startsWith(`${path}/`)))
    return { text: `${shownPath(path)} is a folder: LIST ${shownPath(path)}`, words };
  const name = path.split("/").at(-1)!;
  const same = files.filter((each) => each.split("/").at(-1) === name).slice(0, 5);
  const like = nearest(path, files);
  const nearby = like === undefined ? "" : ` The nearest is ${shownPath(like)}.`;
  const hint = same.length > 0 ? ` Of that name there is ${same.map(shownPath).join(", ")}.` : nearby;
  return { text: `There is no file ${shownPath(path)} in the workspace.${hint}`, words };
}

const find: Answer = async (cell, { what: pattern }) => {
  const all = await cell.readFiles();
  const isOut = await ignoredBy(all);
  const shownFiles = all.filter(({ path }) => !isOut(path));
  const { places, count, files, isEnded, problem } = grep(shownFiles, pattern);
  const shown = fitting(places.map(({ path, line, text }) => `${path}:${line}: ${cutLine(text.trim())}`));
  const many = `${count} lines in ${files === 1 ? "1 file" : `${files} files`} hold it, and ${shown.length} are shown: look for something rarer.`;
  const rest = [
    ...(count === 0 && !isEnded ? ["No line of the workspace holds it."] : []),
    ...(count === 0 && problem !== undefined ? [`It was looked for as a text: ${problem}.`] : []),
    ...(count > shown.length ? [many] : []),
    ...(isEnded ? [`The search took more than ${MOST_MS} ms and was ended: look for a plain text.`] : []),
  ];
  const words = `grep '${shownPath(pattern)}' (${count === 1 ? "1 place" : `${count} places`})`;
  return { text: [...shown, ...rest].join("\n"), words };
};

const list: Answer = async (cell, { what: folder }) => {
  const files = await cell.listFiles();
  const inside = folder === "." ? files : files.filter((path) => path.startsWith(`${folder}/`));
  const words = `list ${shownPath(folder)}`;
  if (inside.length === 0) return { text: `There is no folder ${shownPath(folder)} in the workspace.`, words };
  const isOut = await ignoredBy(await cell.readFiles(files.filter((path) => path.split("/").at(-1) === ".gitignore")));
  const own = inside.filter((path) => !isOut(path));
  const names = namesIn(folder === "." ? "" : `${folder}/`, own);
  const shown = fitting(names.slice(0, MOST_NAMES));
  const out = inside.length - own.length;
  const rest = [
    ...(names.length > shown.length ? [`… and ${names.length - shown.length} more: list a folder of it.`] : []),
    ...(out > 0 ? [`(not listed: ${out === 1 ? "1 file" : `${out} files`} that .gitignore leaves out)`] : []),
  ];
  return { text: [...shown, ...rest].join("\n"), words };
};

/** Runs tests of the program as it is, and leaves nothing of the run. */
const run: Answer = async (cell, { what }, state, signal) => {
  const here = state.snapshot ?? (await cell.snapshot());
  const files = await cell.listFiles();
  const chosen = chooseTest(what, files, state);
  if (!chosen) return noTest(what, files);
  await putTests(cell, state.test_file);
  const report = chosen.file
    ? (await runSuite(cell, { signal, files: [chosen.file] })).report
    : await runSuiteFor(cell, state, { signal, isWhole: false });
  await cell.restore(here);
  return describeRun(report, chosen);
};

const answers: { [Verb in Look["verb"]]: Answer } = { READ: read, GREP: find, LIST: list, RUN: run };

function namesIn(folder: string, paths: readonly string[]): string[] {
  const groups = Map.groupBy(paths, (path) => path.slice(folder.length).split("/", 1)[0]!);
  return [...groups].map(([name, own]) => {
    if (own.length === 1 && own[0] === folder + name) return shownPath(name);
    return `${shownPath(name)}/ (${own.length === 1 ? "1 file" : `${own.length} files`})`;
  });
}

function fitting(lines: readonly string[]): string[] {
  let left = LONGEST;
  const end = lines.findIndex(({ length }) => {
    left -= length + 1;
    return left < 0;
  });
  return end < 0 ? [...lines] : lines.slice(0, end);
}

function cutLine(text: string): string {
  return text.length <= LONGEST_LINE ? text : `${text.slice(0, LONGEST_LINE)}…`;
}

interface Chosen {
  /** The file that is run, and the test of it that is asked for; neither where it is all of them. */
  file?: string;
  only?: string;
}

function chooseTest(said: string, files: readonly string[], state: CodeState): Chosen | undefined {
  if (/^(?:all|tests?|suite|\.)$/i.test(said)) return {};
  const { passing = [], failing = [], flaky = [] } = state.baseline ?? {};
  const names = [...(state.targets ?? []), ...passing, ...failing, ...flaky];
  const path = plainPath(fileOf(said)).path ?? "";
  const isTest = isTestFile(path) || names.some((name) => fileOf(name) === path);
  if (files.includes(path) && isTest) return { file: path, ...(fileOf(said) !== said && { only: said }) };
  const [full] = names.filter((name) => [name, withoutCase(name)].some((each) => endsWith(each, said)));
  return full !== undefined && files.includes(fileOf(full)) ? { file: fileOf(full), only: full } : undefined;
}

function endsWith(name: string, said: string): boolean {
  return ["/", "::", " > "].some((mark) => name.endsWith(`${mark}${said}`));
}

function noTest(said: string, files: readonly string[]): Omit<Seen, "title"> {
  const tests = files.filter(isTestFile);
  const some = tests.slice(0, 20).map(shownPath).join(", ");
  const more = tests.length > 20 ? ", …" : "";
  const known = tests.length > 0 ? ` Test files are ${some}${more}.` : " RUN all runs whatever tests there are.";
  return { text: `There is no test ${shownPath(said)}.${known}`, words: `run ${shownPath(said)} (not there)` };
}

/** What a run says, of the test that was asked for where it can be told apart. */
function describeRun({ tests, fault }: Report, { file, only }: Chosen): Omit<Seen, "title"> {
  const named = only === undefined ? [] : tests.filter(({ name }) => isMeant(name, only));
  const own = named.length > 0 ? named : tests;
  const failed = own.filter(({ state }) => state === "failed");
  const counts = `${own.filter(({ state }) => state === "passed").length} passed, ${failed.length} failed`;
  const said = failed.map(({ name, failure = "" }) => `FAILED ${name}\n${failure}`);
  const all = [counts, ...(fault === undefined ? [] : [fault]), ...said].join("\n");
  const text = all.length <= LONGEST ? all : cutMiddle(all);
  return { text, words: `run ${only ?? file ?? "all"} (${fault === undefined ? counts : "could not be run"})` };
}

function isMeant(name: string, only: string): boolean {
  const bare = withoutCase(name);
  return isOf(name, only) || bare === only || endsWith(bare, only) || endsWith(only, bare);
}

function cutMiddle(text: string): string {
  const half = LONGEST / 2;
  const left = text.length - 2 * half;
  return `${text.slice(0, half)}\n[… ${left} characters are not shown …]\n${text.slice(-half)}`;
}
