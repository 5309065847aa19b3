// Small wrong versions of changed lines: each is an edit that a good test would notice.
//
// One walk over the syntax tree of a Python, TypeScript or JavaScript file. What an operator proposes is kept where it lies on an
// asked line, changes the text, and still parses.

import { type Grammar, grammarOf, type Node, withTree } from "@loopwright/workspace/grammar";
import { operators } from "./operators.ts";

export type MutantKind =
  | "comparison"
  | "boundary"
  | "constant"
  | "negation"
  | "removed-call"
  | "swapped-arguments"
  | "early-return"
  | "sibling-call"
  | "pattern";

/** A replacement of a stretch of a file's text (offsets in UTF-16 units). */
export interface Mutant {
  kind: MutantKind;
  path: string;
  /** From 1. */
  line: number;
  start: number;
  end: number;
  text: string;
  /** In a few words: `app.py:14: "<" becomes "<="`. */
  title: string;
}

/** The mutants of a file's lines (from 1), in the order of the text; none of a language that is not read. */
export async function listMutants(path: string, source: string, lines: ReadonlySet<number>): Promise<Mutant[]> {
  const grammar = grammarOf(path);
  if (!grammar) return [];
  const found = (await withTree(grammar, source, (root) => propose(root, grammar, lines))) ?? [];
  const kept = new Map<string, Mutant>();
  for (const { kind, line, start, end, text } of found) {
    const before = source.slice(start, end);
    const title = `${path}:${line}: ${quote(before)} becomes ${quote(text)}`;
    const mutant = { kind, path, line, start, end, text, title };
    const whole = applyEdit(source, mutant);
    if (whole === source || kept.has(whole)) continue;
    if (await parses(grammar, whole)) kept.set(whole, mutant);
  }
  return [...kept.values()].toSorted((a, b) => a.start - b.start || a.end - b.end);
}

/** A file's text with an edit made in it. */
export function applyEdit(source: string, { start, end, text }: Pick<Mutant, "start" | "end" | "text">): string {
  return source.slice(0, start) + text + source.slice(end);
}

interface Placed {
  kind: MutantKind;
  line: number;
  start: number;
  end: number;
  text: string;
}

function propose(root: Node, grammar: Grammar, lines: ReadonlySet<number>): Placed[] {
  const isPython = grammar === "python";
  const found: Placed[] = [];
  const visit = (node: Node) => {
    if (isInert(node)) return;
    for (const operator of operators) {
      for (const { kind, at, end = at, text } of operator(node, isPython)) {
        const line = at.startPosition.row + 1;
        if (lines.has(line)) found.push({ kind, line, start: at.startIndex, end: end.endIndex, text });
      }
    }
    for (const child of node.namedChildren) visit(child);
  };
  visit(root);
  return found;
}

/** What does nothing when the program runs: types, imports, a docstring. */
function isInert(node: Node): boolean {
  if (/^(?:comment|import|type_|interface_|ambient_)|^type$|^future_import/.test(node.type)) return true;
  return node.type === "expression_statement" && node.namedChildren.every(({ type }) => type === "string");
}

async function parses(grammar: Grammar, text: string): Promise<boolean> {
  return (await withTree(grammar, text, (root) => !root.hasError)) === true;
}

function quote(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  if (line === "") return "nothing";
  return JSON.stringify(line.length > 60 ? `${line.slice(0, 57)}...` : line);
}
