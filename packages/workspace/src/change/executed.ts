// Whether the tests execute what was changed, line by line: told by marks in copies of the changed files, for one run of the tests.
//
// The tested processes say so themselves. What they say keeps a run from being done, and never lets one be.

import type { Finding } from "@loopwright/core";
import { isRunnerFile } from "../folder/protected.ts";
import { nameSome } from "../judging/judge.ts";
import type { ProjectCell, TestOptions } from "../options.ts";
import { grammarOf } from "../tests/grammar.ts";
import { isTestFile } from "../tests/names.ts";
import type { Change } from "./check.ts";
import { PROSE } from "./hunks.ts";
import { type Mark, markChange } from "./marks.ts";

const SEEN = ".loopwright-seen";
const STUB = /\.pyi$|\.d\.[cm]?ts$/i;
const MOST_PLACES = 12;
const LONGEST_LINE = 80;

/** Hard findings on what of a change these tests do not execute, or cannot be seen to. Where nothing was changed, they must at
 * least load something of the workspace: else they are tests of something else. */
export async function findUnseen(
  cell: ProjectCell,
  { suite, signal }: Required<Pick<TestOptions, "suite" | "signal">>,
): Promise<Finding[]> {
  const seenFile = `${cell.inside}/${SEEN}`;
  const changes = (await cell.changes()).filter(({ path }) => !PROSE.test(path));
  const { files, marks, untold } =
    changes.length > 0 ? await markChange(changes.filter(isSource), seenFile) : await markLoads(cell, seenFile);
  const { left = "", fault } =
    marks.length === 0 ? {} : await cell.runTests({ instead: files, reads: SEEN, signal, suite });
  const seen = new Set(left.split("\n").filter(Boolean).map(Number));
  if (changes.length === 0) return marks.length > 0 && seen.size === 0 && fault === undefined ? [nothingLoaded] : [];
  const missed = fault === undefined ? marks.filter((_, id) => !seen.has(id)) : [];
  const others = changes.filter((change) => !isSource(change)).map(({ path }) => path);
  // Tests that pass, and cannot be run with marks in what they test, tell nothing.
  const unread = [...others, ...untold, ...(fault === undefined ? [] : files.map(({ path }) => path))];
  return [
    ...(missed.length === 0 ? [] : [seen.size === 0 ? notLoaded(missed) : notExecuted(missed)]),
    ...(unread.length === 0 ? [] : [unknown(unread)]),
  ];
}

function isSource({ path, isHidden }: Pick<Change, "path" | "isHidden">): boolean {
  return !isHidden && grammarOf(path) !== undefined && !STUB.test(path);
}

/** Marks at the beginning of every source that is no test. */
async function markLoads(cell: ProjectCell, seenFile: string) {
  const sources = (await cell.readFiles()).filter(
    (file) => isSource(file) && !isTestFile(file.path) && !isRunnerFile(file.path),
  );
  return markChange(
    sources.map(({ path, content }) => ({ path, after: content })),
    seenFile,
    { isFirstOnly: true },
  );
}

const nothingLoaded = hard(
  "NOTHING_LOADED",
  "the tests load no source of this workspace: what they test is a copy that is installed elsewhere, or nothing of it",
  "a person sees to it that the tests import this folder: the folder of the sources goes into pythonpath of the configuration of pytest, or the installed copy goes",
);

function notLoaded(missed: readonly Mark[]): Finding {
  const paths = [...new Set(missed.map(({ path }) => path))];
  const message = `no test loads ${nameSome(paths, MOST_PLACES)}: the tests do not use it, or they run a copy of it from elsewhere`;
  const fix = "change what the tests load; a person sees to it that they import this folder and no installed copy";
  return hard("CHANGE_NOT_LOADED", message, fix);
}

function notExecuted(missed: readonly Mark[]): Finding {
  const places = missed.map(({ path, lines, text }) => `${path}:${lines[0]} (${text.slice(0, LONGEST_LINE)})`);
  const fix =
    "leave out what the task does not ask for, and write what it does ask for so that the tests pass through it";
  return hard(
    "LINES_NOT_EXECUTED",
    `no test executes the changed ${places.length === 1 ? "line" : "lines"} ${nameSome(places, MOST_PLACES)}`,
    fix,
  );
}

function unknown(paths: readonly string[]): Finding {
  return hard("EXECUTION_UNKNOWN", `it cannot be told whether a test uses ${nameSome(paths, MOST_PLACES)}`);
}

function hard(code: string, message: string, fix?: string): Finding {
  return { code, severity: "hard", priority: 2, message, ...(fix !== undefined && { fix }) };
}
