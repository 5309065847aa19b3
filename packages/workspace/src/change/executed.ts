// Whether the tests execute what was changed, line by line: told by marks in copies of the changed files, for one run of the tests.
//
// The tested processes say so themselves. What they say keeps a run from being done, and never lets one be.

import type { Finding } from "@loopwright/core";
import type { ProjectCell, TestOptions } from "../cell.ts";
import { grammarOf } from "../tests/grammar.ts";
import type { Change } from "./functions.ts";
import { type Mark, markChange } from "./marks.ts";

const SEEN = ".loopwright-seen";
/** What is written for people: no test is expected to read it. */
const PROSE =
  /(?:^|\/)(?:authors|changelog|changes|contributors|copying|history|licen[cs]e|news|readme|thanks|todo)[^/]*$|\.(?:md|rst|txt|adoc)$/i;
const STUB = /\.pyi$|\.d\.[cm]?ts$/i;
const MOST_PLACES = 12;

/** Hard findings on what of a change these tests do not execute, or cannot be seen to. */
export async function findUnseen(
  cell: ProjectCell,
  { suite, signal }: Pick<TestOptions, "suite" | "signal">,
): Promise<Finding[]> {
  const changes = (await cell.changes()).filter(({ path }) => !PROSE.test(path));
  const isSource = ({ path, isHidden }: Change) => !isHidden && grammarOf(path) !== undefined && !STUB.test(path);
  const untold = changes.filter((change) => !isSource(change)).map(({ path }) => path);
  const { files, marks } = await markChange(changes.filter(isSource), `${cell.inside}/${SEEN}`);
  const { left = "" } =
    marks.length === 0 ? {} : await cell.runTests({ instead: files, reads: SEEN, signal, ...(suite && { suite }) });
  const seen = new Set(left.split("\n").filter(Boolean).map(Number));
  const missed = marks.filter((_, id) => !seen.has(id));
  return [
    ...(missed.length === 0 ? [] : [seen.size === 0 ? notLoaded(missed) : notExecuted(missed)]),
    ...(untold.length === 0 ? [] : [unknown(untold)]),
  ];
}

function notLoaded(missed: readonly Mark[]): Finding {
  const paths = [...new Set(missed.map(({ path }) => path))];
  const message = `no test loads ${some(paths)}: the tests do not use it, or they run a copy of it from elsewhere`;
  const fix = "change what the tests load; a person sees to it that they import this folder and no installed copy";
  return hard("CHANGE_NOT_LOADED", message, fix);
}

function notExecuted(missed: readonly Mark[]): Finding {
  const byPath = Map.groupBy(missed, ({ path }) => path);
  const places = [...byPath].flatMap(([path, own]) =>
    ranges(own.flatMap(({ lines }) => lines)).map((range) => `${path}:${range}`),
  );
  const fix =
    "leave out what the task does not ask for, and write what it does ask for so that the tests pass through it";
  return hard("LINES_NOT_EXECUTED", `no test executes the changed lines ${some(places)}`, fix);
}

function unknown(paths: readonly string[]): Finding {
  return hard("EXECUTION_UNKNOWN", `it cannot be told whether a test uses ${some(paths)}`);
}

/** Lines as ranges: 3-5, 9. */
function ranges(lines: readonly number[]): string[] {
  const found: [number, number][] = [];
  for (const line of lines.toSorted((a, b) => a - b)) {
    const last = found.at(-1);
    if (last && line <= last[1] + 1) last[1] = line;
    else found.push([line, line]);
  }
  return found.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`));
}

function some(names: readonly string[]): string {
  const more = names.length - MOST_PLACES;
  return names.slice(0, MOST_PLACES).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function hard(code: string, message: string, fix?: string): Finding {
  return { code, severity: "hard", priority: 2, message, ...(fix !== undefined && { fix }) };
}
