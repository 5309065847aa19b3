// The wrong versions of a result that its tests should notice: each hunk of the change taken out alone, and mutants of the changed lines.
// The biggest doubt comes first, for there is not time for all.

import { type Change, type FileBlock, isRunnerFile, type ProjectCell } from "@loopwright/workspace";
import { PROSE } from "@loopwright/workspace/executed";
import { grammarOf, type Node, withTree } from "@loopwright/workspace/grammar";
import { structuredPatch } from "diff";
import { listMutants } from "../mutants/mutants.ts";
import type { Trial, Tried } from "./evidence.ts";

/** Of each line the first of these comes first. */
const DOUBT = ["boundary", "comparison", "negation", "early-return", "removed-call", "constant", "swapped-arguments"];

/** Every wrong version of a change: hunks, then for each changed line its most telling mutant, then the others. */
export async function listTrials(changes: readonly Change[]): Promise<Trial[]> {
  const told = changes.filter(({ path, isHidden }) => !isHidden && !PROSE.test(path) && !isRunnerFile(path));
  const hunks: (Trial & Hunk)[] = [];
  const mutants: (Trial & { round: number })[] = [];
  for (const { path, before, after } of told) {
    const found = hunksOf(before ?? "", after);
    if (before !== undefined)
      for (const hunk of found)
        if (await doesSomething(path, after, hunk))
          hunks.push({ path, ...hunk, title: `${path}:${hunk.line}: ${hunk.title}` });
    const rounds = new Map<number, number>();
    const byKind = (await listMutants(path, after, linesOf(before ?? "", after))).toSorted(
      (a, b) => DOUBT.indexOf(a.kind) - DOUBT.indexOf(b.kind),
    );
    for (const mutant of byKind) {
      const round = rounds.get(mutant.line) ?? 0;
      rounds.set(mutant.line, round + 1);
      mutants.push({ ...mutant, round });
    }
  }
  const inOrder = mutants.toSorted((a, b) => a.round - b.round).map(({ round: _, ...mutant }) => mutant);
  return [...hunks.map(({ lines: _, ...hunk }) => hunk), ...inOrder];
}

interface Hunk extends Omit<Trial, "path"> {
  /** The lines of the result that it has, from the first up to one before the last. */
  lines: [number, number];
}

/** The lines of the result that a change has made. */
function linesOf(before: string, after: string): Set<number> {
  return new Set(
    hunksOf(before, after).flatMap(({ lines: [from, to] }) => Array.from({ length: to - from }, (_, at) => from + at)),
  );
}

/** The hunks of a change, each as the edit that takes it out of the result. */
export function hunksOf(before: string, after: string): Hunk[] {
  const { hunks } = structuredPatch("", "", before, after, "", "", { context: 0 });
  const starts = lineStarts(after);
  const at = (line: number) => starts[line - 1] ?? after.length;
  const old = before.split(/(?<=\n)/);
  return hunks.map(({ oldStart, oldLines, newStart, newLines }) => {
    const [start, end] = [at(newStart), at(newStart + newLines)];
    const text = old.slice(oldStart - 1, oldStart - 1 + oldLines).join("");
    const shown = (after.slice(start, end).trim() || text.trim()).split("\n", 1)[0]!.slice(0, 60);
    const what =
      newLines === 0
        ? `${JSON.stringify(shown)} comes back`
        : `${JSON.stringify(shown)}${newLines > 1 ? ` and ${newLines - 1} more lines` : ""} taken out`;
    return { kind: "hunk", line: newStart, start, end, text, title: what, lines: [newStart, newStart + newLines] };
  });
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** A file's text with the wrong version in it. */
export function textOf(source: string, { start, end, text }: Pick<Trial, "start" | "end" | "text">): string {
  return source.slice(0, start) + text + source.slice(end);
}

/** Whether a hunk changes anything that runs: comments, types and docstrings do not. */
async function doesSomething(path: string, after: string, hunk: Hunk): Promise<boolean> {
  const grammar = grammarOf(path);
  const without = textOf(after, hunk);
  if (!grammar) return without.trim() !== after.trim();
  const [one, other] = await Promise.all([after, without].map((text) => withTree(grammar, text, running)));
  return one === undefined || one !== other;
}

const INERT = /^(?:comment|interface_declaration|type_alias_declaration|type_annotation)$/;

/** What of a source runs, as one text. */
function running(node: Node): string {
  if (INERT.test(node.type)) return "";
  if (node.type === "expression_statement" && node.namedChildren.every((each) => each?.type === "string")) return "";
  if (node.childCount === 0) return `${node.text} `;
  return node.children.map((each) => (each ? running(each) : "")).join("");
}

/** Which test files are run for a changed file, the likeliest to notice first. */
export type SuiteFor = (path: string) => readonly (readonly string[] | true | undefined)[];

export interface Trying {
  suiteFor: SuiteFor;
  /** Tests that fail on the result too, or now and then. */
  ignored: ReadonlySet<string>;
  wallMs: number;
  signal: AbortSignal;
}

/** Runs the tests on a wrong version: one that fails now, or that they cannot be run at all, has noticed it. */
export async function tryVersion(
  cell: ProjectCell,
  trial: Trial,
  { suiteFor, ignored, wallMs, signal }: Trying,
): Promise<Pick<Tried, "outcome" | "by"> & { ms: number }> {
  const [file] = await cell.readFiles([trial.path]);
  const instead = [{ path: trial.path, content: textOf(file?.content ?? "", trial) }];
  let ms = 0;
  for (const suite of suiteFor(trial.path)) {
    const { tests, fault, ...report } = await cell.runTests({ instead, signal, wallMs, ...(suite && { suite }) });
    ms += report.ms;
    const failed = tests.find(({ name, state }) => state === "failed" && !ignored.has(name));
    const by = failed?.name ?? fault?.replace(/\n.*/s, "").slice(0, 200);
    if (by !== undefined) return { outcome: "noticed", by, ms };
  }
  return { outcome: "missed", ms };
}

/** Values that a changed line compares with and that tests have as they are, while neither the task nor the program before has them: what is right for
 * these alone looks so. */
export async function findSpecial(
  changes: readonly Change[],
  tests: readonly FileBlock[],
  task: string,
): Promise<string[]> {
  const inTests = new Set<string>();
  for (const { path, content } of tests) for (const { text } of await literalsIn(path, content)) inTests.add(text);
  const found: string[] = [];
  for (const { path, before = "", after } of changes) {
    const lines = linesOf(before, after);
    const old = new Set((await literalsIn(path, before)).map(({ text }) => text));
    for (const { text, line, isCompared } of await literalsIn(path, after)) {
      const isNew = isCompared && lines.has(line) && inTests.has(text) && !old.has(text);
      if (isNew && !task.includes(text.replace(/^(["'`])(.*)\1$/s, "$2")))
        found.push(`${path}:${line} asks for ${text}`);
    }
  }
  return [...new Set(found)];
}

interface Literal {
  text: string;
  line: number;
  isCompared: boolean;
}

/** The texts and numbers of a source that say something. */
async function literalsIn(path: string, source: string): Promise<Literal[]> {
  const grammar = grammarOf(path);
  if (!grammar) return [];
  const found: Literal[] = [];
  const visit = (node: Node) => {
    if (!/^(?:string|integer|float|number)$/.test(node.type)) {
      for (const each of node.namedChildren) if (each) visit(each);
      return;
    }
    const text = node.text.replace(/^(["'`])(.*)\1$/s, '"$2"');
    if (!/^(?:""|[012])$/.test(text))
      found.push({ text, line: node.startPosition.row + 1, isCompared: isCompared(node) });
  };
  await withTree(grammar, source, visit);
  return found;
}

function isCompared(node: Node): boolean {
  const above = node.parent;
  if (!above) return false;
  if (/^(?:tuple|list|set|array|parenthesized_expression|unary_\w+|union_pattern|case_pattern)$/.test(above.type))
    return isCompared(above);
  if (above.type === "switch_case") return above.childForFieldName("value")?.id === node.id;
  if (above.type === "binary_expression") return /^[!=]==?$/.test(above.childForFieldName("operator")?.text ?? "");
  return above.type === "comparison_operator" || above.type === "case_clause";
}
