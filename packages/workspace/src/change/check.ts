// The last look before a run is done: what the change does to its judge, and whether the tests reach it at all: with the bodies
// of the changed functions taken out they must not pass.
//
// A program that passes without them does so by something else: its tests do not try it, or it has done something to their
// judge while it was loaded. A function that is called while the program loads keeps its body, or nothing could be said
// of the others.

import type { Finding } from "@loopwright/core";
import { isRunnerFile } from "../folder/protected.ts";
import { hard, hardOnes, nameSome } from "../judging/judge.ts";
import type { FileBlock, ProjectCell, TestOptions, TestReport } from "../options.ts";
import { grammarOf, type Node, withTree } from "../tests/grammar.ts";
import { scanChange } from "./scan.ts";

/** The tests that a change is for: the files they stand in, and which of their tests count. */
export interface Aimed {
  files: readonly string[];
  counts: (name: string) => boolean;
}

/** Runs the tests with these files in place of their own; nothing of it survives. */
export type RunWith = (files: readonly FileBlock[]) => Promise<Pick<TestReport, "tests" | "fault">>;

/** Findings on what the workspace has changed, whose tests pass. Hard ones must be gone before the run is done. */
export async function checkChange(cell: ProjectCell, signal: AbortSignal, aimed?: Aimed): Promise<Finding[]> {
  const all = await cell.changes();
  const changes = all.filter(({ path, isHidden }) => !isHidden && grammarOf(path) !== undefined && !isRunnerFile(path));
  const found = [...findShadows(changes, await cell.listFiles()), ...(await scanChange(changes))];
  if (hardOnes(found).length > 0) return found;
  return [...(await checkReach(changes, (instead) => runAimed(cell, { instead, signal }, aimed))), ...found];
}

/** Runs the tests that are aimed at; where each file answers for itself, one that does not load is what the run could not do. */
async function runAimed(cell: ProjectCell, options: TestOptions, aimed?: Aimed): Promise<Awaited<ReturnType<RunWith>>> {
  if (!aimed) return cell.runTests(options);
  const { tests, fault, runner } = await cell.runTests({ ...options, suite: aimed.files });
  // A command that is one test is called by itself, and is no file.
  const files = aimed.files.filter((each) => each !== runner);
  const broken = tests.filter(({ name, state }) => state === "failed" && files.includes(name));
  const why = fault ?? (broken.length > 0 ? broken.map(({ failure }) => failure).join("\n") : undefined);
  const counted = tests.filter(({ name }) => aimed.counts(name));
  return { tests: counted, ...(why !== undefined && { fault: why }) };
}

/** Libraries by which Python's tests judge: whoever misses one may be tempted to write it. */
const LIBRARIES =
  /^(?:(?:src|tests?)\/)?(pytest|_pytest|pluggy|unittest|doctest|nose|hypothesis|numpy|pandas|scipy|mock|parameterized|ddt|responses|freezegun)(?:\.py$|\/)/;

/** Hard findings on new modules that are found before the library of their name. One that was there before may go on growing. */
function findShadows(changes: readonly Change[], all: readonly string[]): Finding[] {
  const added = new Set(changes.filter(({ before }) => before === undefined).map(({ path }) => path));
  const isOld = (place: string) =>
    place.endsWith("/") && all.some((each) => each.startsWith(place) && !added.has(each));
  const shadows = [...added].filter((path) => {
    const place = LIBRARIES.exec(path)?.[0];
    return place !== undefined && !isOld(place);
  });
  const fix = "write it under a name of its own";
  return shadows.map((path) => ({
    ...hard("SHADOWS_LIBRARY", `${path} stands in the place of a library that tests judge by`),
    fix,
  }));
}

/** Each round tells of one more function that is needed to load. */
const MOST_ROUNDS = 12;

type Marked = ChangedFunction & { mark: string };

/** Findings on a change whose tests pass: a hard one where they pass without it too. */
export async function checkReach(changes: readonly Change[], runWith: RunWith): Promise<Finding[]> {
  const all = (await changedFunctions(changes)).map((each, index) => ({ ...each, mark: `body-${index}-taken-out` }));
  if (all.length === 0)
    return [soft("NO_FUNCTION_CHANGED", "no function was changed: whether the tests reach the change was not tried")];
  const needed = new Set<string>();
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const out = outermost(all.filter(({ mark }) => !needed.has(mark)));
    if (out.length === 0) break;
    const { tests, fault } = await runWith(takeOut(changes, out));
    if (fault === undefined) return tests.some(({ state }) => state === "failed") ? [] : [unreached(out)];
    const calledAtLoad = out.filter(({ mark }) => fault.includes(mark));
    if (calledAtLoad.length === 0)
      return [soft("REACH_UNKNOWN", "the tests could not be run without what was changed")];
    for (const { mark } of calledAtLoad) needed.add(mark);
  }
  const message = "every changed function is called while the program loads: what the tests reach was not tried";
  return [soft("REACH_UNKNOWN", message)];
}

/** Those that stand in no other of them. */
function outermost(functions: readonly Marked[]): Marked[] {
  const holds = (outer: Marked, inner: Marked) =>
    outer !== inner && outer.path === inner.path && outer.from <= inner.from && inner.to <= outer.to;
  return functions.filter((each) => !functions.some((other) => holds(other, each)));
}

function unreached(out: readonly Marked[]): Finding {
  const names = nameSome(out.map(({ path, name }) => `${name} in ${path}`));
  const message = `the tests pass just as well when ${names} ${out.length === 1 ? "has" : "have"} no body: what was changed is not what makes them pass`;
  return hard("TESTS_DO_NOT_REACH_CHANGE", message);
}

function soft(code: string, message: string): Finding {
  return { code, severity: "soft", priority: 4, message };
}

/** A file of a change: what it was, unless it is new, and what it is. */
export interface Change {
  path: string;
  before?: string;
  after: string;
  /** Whether it is a link, or no text: nobody can say what it is. */
  isHidden?: boolean;
}

/** A function of a changed file that is new, or not what it was. */
export interface ChangedFunction {
  path: string;
  name: string;
  /** Where its body stands in the text, as characters. */
  from: number;
  to: number;
  /** Whether the body is an expression, as a lambda's is, or that of a generator. */
  kind: "plain" | "expression" | "generator";
  /** What it is known by: the same function of another version has the same. */
  key: string;
  text: string;
}

const CLASSES = ["class_definition", "class_declaration", "abstract_class_declaration", "class"];
const PYTHON = ["function_definition", "lambda"];
const SCRIPT = [
  ...["function_declaration", "function_expression", "arrow_function", "method_definition"],
  ...["generator_function", "generator_function_declaration"],
];

/** The functions that a change has made or altered, those that stand in others too, outer ones first. */
export async function changedFunctions(changes: readonly Change[]): Promise<ChangedFunction[]> {
  const found = await Promise.all(
    changes.map(async ({ path, before, after }) => {
      const old = new Map((await functionsOf(path, before ?? "")).map(({ key, text }) => [key, text]));
      return (await functionsOf(path, after)).filter(({ key, text }) => old.get(key) !== text);
    }),
  );
  return found.flat();
}

async function functionsOf(path: string, source: string): Promise<ChangedFunction[]> {
  const grammar = grammarOf(path);
  if (!grammar) return [];
  const kinds = grammar === "python" ? PYTHON : SCRIPT;
  return (await withTree(grammar, source, (root) => collect(root, path, kinds))) ?? [];
}

function collect(root: Node, path: string, kinds: readonly string[]): ChangedFunction[] {
  const counts = new Map<string, number>();
  const found: ChangedFunction[] = [];
  const visit = (node: Node, within: string) => {
    const body = kinds.includes(node.type) ? node.childForFieldName("body") : null;
    const named = body || CLASSES.includes(node.type) ? `${within}${nameOf(node)}` : within;
    if (body) {
      const count = (counts.get(named) ?? 0) + 1;
      counts.set(named, count);
      found.push({
        ...{ path, name: named, from: body.startIndex, to: body.endIndex, key: `${named} ${count}`, text: node.text },
        kind: node.type === "lambda" ? "expression" : yields(body) ? "generator" : "plain",
      });
    }
    for (const child of node.namedChildren) if (child) visit(child, named === within ? within : `${named}.`);
  };
  visit(root, "");
  return found;
}

/** A function's own name, else that of what it is the value of. */
function nameOf(node: Node): string {
  const values = ["name", "left", "key"].map((field) => node.parent?.childForFieldName(field)?.text);
  return node.childForFieldName("name")?.text ?? values.find((text) => text !== undefined) ?? "it";
}

/** The changed files with the bodies of these functions replaced by a raise; each says which of them it is. */
export function takeOut(
  changes: readonly Change[],
  functions: readonly (ChangedFunction & { mark: string })[],
): { path: string; content: string }[] {
  return changes.flatMap(({ path, after }) => {
    const own = functions.filter((each) => each.path === path).sort((a, b) => b.from - a.from);
    if (own.length === 0) return [];
    const isPython = grammarOf(path) === "python";
    let content = after;
    for (const each of own) content = content.slice(0, each.from) + raiseOf(each, isPython) + content.slice(each.to);
    return [{ path, content }];
  });
}

/** Whether a Python body is a generator's: what its inner functions yield is theirs. */
function yields(body: Node): boolean {
  return body.namedChildren.some(
    (each) => each !== null && (each.type === "yield" || (!PYTHON.includes(each.type) && yields(each))),
  );
}

/** In Python an exception that `except Exception` lets through; a generator stays one. */
function raiseOf({ kind, mark }: { kind: ChangedFunction["kind"]; mark: string }, isPython: boolean): string {
  if (!isPython) return `{ throw new Error("${mark}"); }`;
  if (kind === "expression") return `(_ for _ in ()).throw(BaseException("${mark}"))`;
  return `raise BaseException("${mark}")${kind === "generator" ? "; yield" : ""}`;
}
