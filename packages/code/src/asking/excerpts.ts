// Parts of a file that is too long to be shown whole: the functions that matter and the lines around some places, each line
// with its number in mind, and what is left out said between them.

import { grammarOf, type Node, withTree } from "@loopwright/workspace/grammar";

/** What of a file matters. */
export interface Interest {
  /** Functions and classes by name. */
  names: readonly string[];
  /** Lines, from 1. */
  lines: readonly number[];
}

interface Span {
  from: number;
  to: number;
}

const AROUND = 12;
/** What is shown of a definition that is too long to be shown whole. */
const HEAD = 16;
const MARGIN = 2;

/** A text whole where it fits, else its parts that matter, its head always among them. */
export async function excerptOf(
  path: string,
  text: string,
  { names, lines: places }: Interest,
  room: number,
): Promise<{ text: string; isWhole: boolean }> {
  if (text.length <= room) return { text, isWhole: true };
  const lines = text.split("\n");
  const named = await spansOf(path, text, names);
  const heads = named.map(({ from }) => ({ from, to: from + HEAD }));
  const wanted = [...named, ...heads, ...places.map((line) => ({ from: line - AROUND, to: line + AROUND }))];
  let chosen: Span[] = [];
  for (const span of [{ from: 1, to: headOf(lines) }, ...wanted]) {
    const next = merge([...chosen, { from: Math.max(1, span.from), to: Math.min(lines.length, span.to) }]);
    if (show(lines, next).length <= room) chosen = next;
  }
  return { text: show(lines, chosen), isWhole: false };
}

/** Where imports and the like end: the first lines, up to a few dozen. */
function headOf(lines: readonly string[]): number {
  const first = lines.findIndex((line) => /^(?:export\s+)?(?:async\s+)?(?:def|class|function)\b/.test(line));
  return Math.min(first < 0 ? 40 : first, 40);
}

/** The definitions of these names, as lines. */
async function spansOf(path: string, text: string, names: readonly string[]): Promise<Span[]> {
  const grammar = grammarOf(path);
  if (!grammar || names.length === 0) return [];
  const wanted = new Set(names.map((name) => name.split(/[.#]/).at(-1)!.replace(/\(.*$/s, "").trim()));
  const found = await withTree(grammar, text, (root) => {
    const spans: Span[] = [];
    const visit = (node: Node) => {
      const name = node.childForFieldName("name")?.text;
      const isDefinition = node.childForFieldName("body") !== null || node.type === "variable_declarator";
      if (name !== undefined && isDefinition && wanted.has(name))
        spans.push({ from: node.startPosition.row + 1 - MARGIN, to: node.endPosition.row + 1 + MARGIN });
      for (const child of node.namedChildren) if (child) visit(child);
    };
    visit(root);
    return spans;
  });
  // A method before the class that it stands in, of which there may be no room for the whole.
  return (found ?? []).sort((a, b) => a.to - a.from - (b.to - b.from));
}

function merge(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && span.from <= last.to + 1) last.to = Math.max(last.to, span.to);
    else merged.push({ ...span });
  }
  return merged;
}

function show(lines: readonly string[], spans: readonly Span[]): string {
  const parts: string[] = [];
  let at = 1;
  for (const { from, to } of spans) {
    if (from > at) parts.push(gap(at, from - 1));
    parts.push(lines.slice(from - 1, to).join("\n"));
    at = to + 1;
  }
  if (at <= lines.length) parts.push(gap(at, lines.length));
  return parts.join("\n");
}

function gap(from: number, to: number): string {
  return `[lines ${from} to ${to} are not shown]`;
}
