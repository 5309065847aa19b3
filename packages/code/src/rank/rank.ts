// One ranking of a program's files by all that is known of a task: its words, the places that it and failing tests name, what
// failing tests load, imports, and what was changed of late. Pure: the same evidence gives the same order.

import { type FileBlock, isTestFile } from "@loopwright/workspace";
import { importGraph, type Places, placesIn, usedFiles } from "./places.ts";
import { type Heard, hear, termsOf } from "./words.ts";

/** What is known. */
export interface Evidence {
  task: string;
  /** Every source file that may be shown, tests among them. */
  files: readonly FileBlock[];
  /** What failing tests say, and their files. */
  failures?: string;
  failing?: readonly string[];
  /** The test files that load a file of the program, by its path. */
  loaded?: Readonly<Record<string, readonly string[]>>;
  /** Changes that are in no commit, and the files of the last commits, the newest first. */
  recent?: { uncommitted: readonly string[]; commits: readonly (readonly string[])[] };
}

/** A file of the program, and what leads to it. */
export interface Ranked {
  path: string;
  score: number;
  why: string[];
  /** Lines that were named, from 1; names that it defines and words that it holds, the most important first. */
  lines: number[];
  names: string[];
  words: ReadonlyMap<string, number>;
}

/** What each kind of evidence weighs. Words come to at most the sum of theirs, so that a place that is named beats them. */
const WEIGHTS = {
  text: 1,
  definitions: 0.6,
  path: 0.5,
  named: 2,
  traced: 3,
  loaded: 0.6,
  uncommitted: 0.25,
  recent: 0.1,
};
/** What a file gives to those that it imports, and to those that import it. */
const SPREAD = { imports: 0.35, importers: 0.2, tested: 0.35, used: 0.6 };

/** What has less than this share of the first one's score, or of that of good words where places are named, is left out. */
const LEAST_SHARE = 0.2;
const GOOD_WORDS = 2;

/** The files of the program, those first that the task is most likely about; what little leads to is left out. */
export function rankFiles(evidence: Evidence): Ranked[] {
  const { task, files, failures = "" } = evidence;
  const paths = files.map(({ path }) => path);
  const places = { task: placesIn(task, paths), failures: placesIn(failures, paths) };
  const heard = hear(termsOf(task), files);
  const own = ownScores(evidence, heard, places);
  const spread = spreadScores(files, heard, own);
  const program = paths.filter((path) => !isTestFile(path));
  const ranked = program.map((path): Ranked => {
    const [mine, lent] = [own.get(path)!, spread.get(path)];
    const traced = [places.task, places.failures].flatMap(({ traced }) => traced.get(path) ?? []);
    const { names, words } = heard.get(path)!;
    return {
      path,
      score: (mine.score + (lent?.score ?? 0)) * (ASIDE.test(path) ? ASIDE_SHARE : 1),
      why: [...mine.why, ...(lent ? [lent.why] : [])],
      ...{ lines: [...new Set(traced)], names: [...new Set([...(lent?.name ?? []), ...names])], words },
    };
  });
  const least = LEAST_SHARE * Math.min(GOOD_WORDS, Math.max(0, ...ranked.map(({ score }) => score)));
  return ranked.filter(({ score }) => score > 0 && score >= least).sort(byScore);
}

function byScore(a: Ranked, b: Ranked): number {
  return b.score - a.score || (a.path < b.path ? -1 : 1);
}

/** Test files, those first that say the most of the task or load the files that it is most about. */
export function rankTests({ task, files, loaded = {} }: Evidence, ranked: readonly Ranked[]): Ranked[] {
  const tests = files.filter(({ path }) => isTestFile(path));
  const about = new Set(ranked.slice(0, MOST_ABOUT).flatMap(({ path }) => loaded[path] ?? []));
  return rankByWords(task, tests, ({ path }) => (about.has(path) ? WEIGHTS.loaded : 0));
}

const MOST_ABOUT = 2;

/** Files of any kind, those first that say the most of the task. */
export function rankByWords(
  task: string,
  files: readonly FileBlock[],
  more: (file: FileBlock) => number = () => 0,
): Ranked[] {
  const heard = hear(termsOf(task), files);
  const most = Math.max(1e-9, ...[...heard.values()].map(({ text }) => text));
  const scored = files.map((file): Ranked => {
    const { text, names, words } = heard.get(file.path)!;
    return { path: file.path, score: text / most + more(file), why: [], lines: [], names: [...names], words };
  });
  return scored.filter(({ score }) => score > 0).sort(byScore);
}

/** What stands beside a program: what its tests are made of, documentation, other people's code. */
const ASIDE =
  /(?:^|\/)(?:tests?|__tests__|fixtures?|docs?|examples?|benchmarks?|vendor|vendored|third_party|dist|build)\/|\.min\.js$|\.d\.[cm]?ts$|(?:^|\/)conftest\.py$/i;
const ASIDE_SHARE = 0.3;

interface Scored {
  score: number;
  why: string[];
}

function ownScores(
  { files, failing = [], loaded = {}, recent }: Evidence,
  heard: ReadonlyMap<string, Heard>,
  places: { task: Places; failures: Places },
): Map<string, Scored> {
  const most = (pick: (each: Heard) => number) => Math.max(1e-9, ...[...heard.values()].map(pick));
  const [text, definitions, path] = [
    most((each) => each.text),
    most((each) => each.definitions),
    most((each) => each.path),
  ];
  const uncommitted = new Set(recent?.uncommitted);
  const commits = recent?.commits ?? [];
  const age = new Map(commits.flatMap((each, at) => each.map((path) => [path, at] as const)).reverse());
  return new Map(
    files.map((file) => {
      const words = heard.get(file.path)!;
      const parts: [number, string][] = [
        [(WEIGHTS.text * words.text) / text, `words: ${[...words.words.keys()].slice(0, 3).join(", ")}`],
        [(WEIGHTS.definitions * words.definitions) / definitions, `defines ${words.names.slice(0, 3).join(", ")}`],
        [(WEIGHTS.path * words.path) / path, "its path"],
        [places.task.named.has(file.path) ? WEIGHTS.named : 0, "named in the task"],
        [tracedWeight(places, file.path), "in a stack trace"],
        [WEIGHTS.loaded * loadedShare(loaded[file.path], failing), "loaded by failing tests"],
        [uncommitted.has(file.path) ? WEIGHTS.uncommitted : 0, "uncommitted changes"],
        [age.has(file.path) ? WEIGHTS.recent / (1 + age.get(file.path)! / 5) : 0, "changed of late"],
      ];
      const telling = parts.filter(([score]) => score > 0);
      return [file.path, { score: telling.reduce((sum, [score]) => sum + score, 0), why: reasonsOf(telling) }];
    }),
  );
}

const LEAST_TELLING = 0.1;

function reasonsOf(parts: readonly (readonly [number, string])[]): string[] {
  const telling = parts.filter(([score]) => score >= LEAST_TELLING);
  return telling.sort(([a], [b]) => b - a).map(([, why]) => why);
}

/** A trace leads furthest where it ends, and one of the task's own further than those of tests that fail anyway. */
function tracedWeight({ task, failures }: { task: Places; failures: Places }, path: string): number {
  const innermost = [...task.traced.keys()].at(-1);
  if (task.traced.has(path)) return WEIGHTS.traced + (innermost === path ? 1 : 0);
  return failures.traced.has(path) ? WEIGHTS.traced * 0.8 : 0;
}

/** How much of what loads a file fails: one that every test loads says little. */
function loadedShare(tests: readonly string[] | undefined, failing: readonly string[]): number {
  if (!tests || failing.length === 0) return 0;
  return tests.filter((test) => failing.includes(test)).length / Math.max(failing.length, tests.length);
}

const MOST_NAMING = 8;
const MOST_NAMES = 4;

/** What each file is lent by one that imports it, that it imports, that tests it, or that uses what it defines: the most of these. */
function spreadScores(
  files: readonly FileBlock[],
  heard: ReadonlyMap<string, Heard>,
  own: ReadonlyMap<string, Scored>,
) {
  const { imports, importers } = importGraph(files);
  const lent = new Map<string, { score: number; why: string; name: string[] }>();
  const lend = (to: string, score: number, why: string, ...name: string[]) => {
    if (score > (lent.get(to)?.score ?? 0)) lent.set(to, { score, why, name });
  };
  for (const [path, { score }] of own) {
    const [out, back] = [imports.get(path) ?? [], importers.get(path) ?? []];
    const given = isTestFile(path) ? SPREAD.tested : SPREAD.imports;
    for (const to of out) lend(to, (given * score) / Math.sqrt(out.length), `imported by ${path}`);
    for (const to of back) lend(to, (SPREAD.importers * score) / Math.sqrt(back.length), `imports ${path}`);
  }
  // What is used by the definitions that the task names, in the files that are most about it.
  const scoreOf = ({ path }: FileBlock) => own.get(path)!.score;
  for (const file of files.toSorted((a, b) => scoreOf(b) - scoreOf(a)).slice(0, MOST_NAMING)) {
    const imported = new Set(imports.get(file.path));
    const names = heard.get(file.path)!.names.slice(0, MOST_NAMES);
    const used = usedFiles(
      file,
      names,
      files.filter(({ path }) => imported.has(path)),
    );
    const score = (SPREAD.used * scoreOf(file)) / Math.sqrt(Math.max(1, used.size));
    for (const [to, name] of used) lend(to, score, `${file.path} uses its ${name}`, name);
  }
  return lent;
}
