// The wrong versions of a result that its tests should notice: each hunk of the change taken out alone, and mutants of the changed lines.
// The biggest doubt comes first, for there is not time for all.

import { type Change, type FileBlock, isRunnerFile, type ProjectCell } from "@loopwright/workspace";
import { grammarOf, type Node, withTree } from "@loopwright/workspace/grammar";
import { addedLines, hunksOf, isRunOtherwise, PROSE } from "@loopwright/workspace/hunks";
import { applyEdit, listMutants } from "../mutants/mutants.ts";
import type { Trial, Tried } from "./evidence.ts";

/** Of each line the first of these comes first. */
const DOUBT = [
  "boundary",
  "sibling-call",
  "pattern",
  "comparison",
  "negation",
  "early-return",
  "removed-call",
  "constant",
  "swapped-arguments",
];

/** Every wrong version of a change: hunks, then for each changed line its most telling mutant, then the others. */
export async function listTrials(changes: readonly Change[]): Promise<Trial[]> {
  const told = changes.filter(({ path, isHidden }) => !isHidden && !PROSE.test(path) && !isRunnerFile(path));
  const hunks: Trial[] = [];
  const mutants: { round: number; mutant: Trial }[] = [];
  for (const { path, before, after } of told) {
    for (const { count, ...hunk } of before === undefined ? [] : hunksOf(before, after)) {
      const without = applyEdit(after, hunk);
      const title = `${path}:${hunk.line}: ${hunkWords(after, hunk, count)}`;
      if (await isRunOtherwise(path, after, without)) hunks.push({ kind: "hunk", path, title, ...hunk });
    }
    const found = await listMutants(path, after, new Set(addedLines(before ?? "", after)));
    for (const own of Map.groupBy(found, ({ line }) => line).values())
      for (const [round, mutant] of own.toSorted((a, b) => DOUBT.indexOf(a.kind) - DOUBT.indexOf(b.kind)).entries())
        mutants.push({ round, mutant });
  }
  const inOrder = mutants.toSorted((a, b) => a.round - b.round).map(({ mutant }) => mutant);
  return [...hunks, ...inOrder];
}

function hunkWords(after: string, { start, end, text }: Pick<Trial, "start" | "end" | "text">, count: number): string {
  const first = JSON.stringify((after.slice(start, end).trim() || text.trim()).split("\n", 1)[0]!.slice(0, 60));
  if (count === 0) return `${first} comes back`;
  return `${first}${count > 1 ? ` and ${count - 1} more lines` : ""} taken out`;
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
  const instead = [{ path: trial.path, content: applyEdit(file?.content ?? "", trial) }];
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
    const lines = new Set(addedLines(before, after));
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
