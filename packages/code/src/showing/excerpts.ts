// Parts of a file that is too long to be shown whole: the functions that matter and the lines around some places, each line
// with its number in mind, and what is left out said between them.

import { type Grammar, grammarOf, type Node, withTree } from "@loopwright/workspace/grammar";

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

export interface NamedSpan extends Span {
  name: string;
}

const AROUND = 12;
/** What is shown of a definition that is too long to be shown whole. */
const HEAD = 16;
const MARGIN = 2;
const SMALL_GAP = 4;
/** In less room, in characters, what was asked for comes before the head, and less stands around it. */
const LITTLE = 4_000;

/** A text whole where it fits, unless a part is wanted; else its parts that matter, its head among them where there is room. */
export async function excerptOf(
  path: string,
  text: string,
  { names, lines: places }: Interest,
  room: number,
  { isPart = false, hasHead = true } = {},
): Promise<{ text: string; isWhole: boolean }> {
  if (!isPart && text.length <= room) return { text, isWhole: true };
  const lines = text.replace(/\n$/, "").split("\n");
  const named = await spansOf(path, text, names);
  const heads = named.map(({ from }) => ({ from, to: from + HEAD }));
  const around = room < LITTLE ? AROUND / 2 : AROUND;
  const wanted = [...named, ...heads, ...places.map((line) => ({ from: line - around, to: line + around }))];
  const head = hasHead ? [{ from: 1, to: headOf(lines) }] : [];
  let chosen: Span[] = [];
  for (const span of room < LITTLE ? [...wanted, ...head] : [...head, ...wanted]) {
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

async function spansOf(path: string, text: string, names: readonly string[]): Promise<Span[]> {
  const wanted = new Set(names.map((name) => name.split(/[.#]/).at(-1)!.replace(/\(.*$/s, "").trim()));
  const found = await spansIn(path, text, (node) => {
    const name = node.childForFieldName("name")?.text;
    const isDefinition = node.childForFieldName("body") !== null || node.type === "variable_declarator";
    if (name !== undefined && isDefinition && wanted.has(name)) return name;
    const called = calledName(node);
    return called !== undefined && names.includes(called) ? called : undefined;
  });
  const wide = found.map(({ from, to }) => ({ from: from - MARGIN, to: to + MARGIN }));
  // A method before the class that it stands in, of which there may be no room for the whole.
  return wide.sort((a, b) => a.to - a.from - (b.to - b.from));
}

/** The tests of these names, with their decorators, as lines. */
export function testSpans(path: string, text: string, names: ReadonlySet<string>): Promise<NamedSpan[]> {
  return spansIn(path, text, (node, grammar) => {
    const inner = node.type === "decorated_definition" ? node.childForFieldName("definition") : node;
    const isFunction = grammar === "python" && inner?.type === "function_definition";
    const name = isFunction ? inner.childForFieldName("name")?.text : calledName(node);
    return name !== undefined && names.has(name) ? name : undefined;
  });
}

/** What a call is of by its first argument, as in `test("adds", …)`. */
function calledName(node: Node): string | undefined {
  if (node.type !== "call_expression") return undefined;
  const first = node.childForFieldName("arguments")?.namedChildren[0];
  return first && /^(?:string|template_string)$/.test(first.type) ? first.text.slice(1, -1) : undefined;
}

async function spansIn(
  path: string,
  text: string,
  nameOf: (node: Node, grammar: Grammar) => string | undefined,
): Promise<NamedSpan[]> {
  const grammar = grammarOf(path);
  if (!grammar) return [];
  const found = await withTree(grammar, text, (root) => {
    const spans: NamedSpan[] = [];
    const visit = (node: Node) => {
      const name = nameOf(node, grammar);
      if (name !== undefined) spans.push({ name, from: node.startPosition.row + 1, to: node.endPosition.row + 1 });
      for (const child of node.namedChildren) if (child) visit(child);
    };
    visit(root);
    return spans;
  });
  return found ?? [];
}

/** The lines of these spans, and what is left out said between them. */
export function showSpans(text: string, spans: readonly Span[]): string {
  return show(text.replace(/\n$/, "").split("\n"), merge(spans));
}

function merge(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    // A word on few lines takes more room than these.
    if (last && span.from <= last.to + SMALL_GAP) last.to = Math.max(last.to, span.to);
    else merged.push({ ...span });
  }
  return merged;
}

/** A text with a line of ours in place of each of these spans; of spans in one another the outer. */
export function gapsFor(text: string, spans: readonly NamedSpan[], words: (span: NamedSpan) => string): string {
  const lines = text.split("\n");
  const parts: string[] = [];
  let at = 1;
  for (const span of spans.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (span.from < at) continue;
    parts.push(...lines.slice(at - 1, span.from - 1), words(span));
    at = span.to + 1;
  }
  return [...parts, ...lines.slice(at - 1)].join("\n");
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

/** A count of lines, as prompts have it. */
export function lineCount(lines: number): string {
  return lines === 1 ? "1 line" : `${lines} lines`;
}

/** The lines of a text; a last line without an end is one. */
export function countLines(content: string): number {
  if (content === "") return 0;
  return content.split("\n").length - (content.endsWith("\n") ? 1 : 0);
}
