// The changed statements of sources, each with a mark before it that tells when it is executed. Pure.
//
// A mark writes its number to a file the first time it is passed, in whatever process that is. A changed line belongs to the
// innermost statement that it stands in; what has no statement of its own, as a comment or a field of a class, to the one around.

import { diffArrays } from "diff";
import { grammarOf, type Node, withTree } from "../tests/grammar.ts";
import type { Change } from "./functions.ts";

/** A statement that was changed, and the mark before it. */
export interface Mark {
  path: string;
  /** The changed lines of it, counted from 1, and the first of them as it reads. */
  lines: number[];
  text: string;
}

/** Sources with marks in them; a mark's number is its place in the list. */
export interface Marked {
  files: { path: string; content: string }[];
  marks: Mark[];
}

/** Where a mark can stand: the node, and how the call of it is put before, and what after. */
interface Place {
  node: Node;
  before: (call: string) => string;
  after?: string;
}

const NAME = "_loopwright_seen_";

/** Puts marks that write to `file` before every changed statement, or before the first of each source alone. */
export async function markChange(
  changes: readonly Change[],
  file: string,
  { isFirstOnly = false } = {},
): Promise<Marked> {
  const marks: Mark[] = [];
  const files: Marked["files"] = [];
  for (const { path, before = "", after } of changes) {
    const grammar = grammarOf(path);
    if (!grammar) continue;
    const added = isFirstOnly ? [] : addedLines(before, after);
    const content = await withTree(grammar, after, (root) => {
      const isPython = grammar === "python";
      const start = startOf(root);
      const places = start === undefined ? [] : placesOf(root, after, start, isPython ? placeInPython : placeInScript);
      const changed = isFirstOnly ? new Map(places.slice(0, 1).map((place) => [place, [1]])) : byPlace(places, added);
      const own = [...changed].flatMap(([{ node, before: put, after: end = "" }, lines]) => {
        marks.push({ path, lines, text: after.split("\n")[lines[0]! - 1]!.trim() });
        const call = `${NAME}(${marks.length - 1})`;
        return [{ at: node.startIndex, text: put(call) }, ...(end ? [{ at: node.endIndex, text: end }] : [])];
      });
      return own.length === 0
        ? undefined
        : insert(after, [{ at: start!, text: isPython ? inPython(file) : inScript(file) }, ...own]);
    });
    if (content !== undefined) files.push({ path, content });
  }
  return { files, marks };
}

function inPython(file: string): string {
  const tell = `(s.add(n), open(${JSON.stringify(file)}, "a").write("%d\\n" % n))`;
  return `${NAME} = lambda n, s=set(): n in s or ${tell}\n`;
}

function inScript(file: string): string {
  const tell = `process.getBuiltinModule("node:fs").appendFileSync(${JSON.stringify(file)}, n + "\\n")`;
  return `var ${NAME} = ((s) => (n) => s.has(n) || (s.add(n), ${tell}))(new Set()); `;
}

/** What is put in at the same place stands in the order in which it is given. */
function insert(source: string, texts: readonly { at: number; text: string }[]): string {
  const sorted = texts.toSorted((a, b) => a.at - b.at);
  const pieces = sorted.map(({ at, text }, index) => text + source.slice(at, sorted[index + 1]?.at));
  return source.slice(0, sorted[0]!.at) + pieces.join("");
}

/** The lines of a text that were put into another, from 1; those of nothing but brackets left out. */
function addedLines(before: string, after: string): number[] {
  const lines = after.split("\n");
  let at = 0;
  const added = diffArrays(before.split("\n"), lines, { maxEditLength: MOST_EDITS })?.flatMap((part) => {
    if (part.removed) return [];
    at += part.value.length;
    return part.added ? part.value.map((_, index) => at - part.value.length + index + 1) : [];
  });
  const found = added ?? lines.map((_, index) => index + 1);
  return found.filter((line) => !/^[\s()[\]{};,]*$/.test(lines[line - 1]!));
}

/** Two texts that differ by more have little in common. */
const MOST_EDITS = 20_000;

/** Where a source may first say something of its own: after directives, its docstring, and what is imported from the future. */
function startOf(root: Node): number | undefined {
  const nodes = root.namedChildren.filter((node) => node !== null && !/comment|hash_bang/.test(node.type)) as Node[];
  const future = nodes.findLastIndex(({ type }) => type === "future_import_statement");
  return nodes.slice(future + 1).find((node) => !isText(node))?.startIndex;
}

function isText(node: Node): boolean {
  return node.type === "expression_statement" && node.namedChildCount === 1 && node.namedChild(0)?.type === "string";
}

/** Everything that a mark can stand before, outer ones first. */
function placesOf(
  root: Node,
  source: string,
  start: number,
  placeOf: (node: Node, source: string) => Place | undefined,
): Place[] {
  const places: Place[] = [];
  const visit = (node: Node) => {
    const place = node.startIndex < start || isText(node) ? undefined : placeOf(node, source);
    if (place) places.push(place);
    for (const child of node.namedChildren) if (child) visit(child);
  };
  visit(root);
  return places;
}

function byPlace(places: readonly Place[], lines: readonly number[]): Map<Place, number[]> {
  const found = new Map<Place, number[]>();
  for (const line of lines) {
    const place = places.findLast(({ node }) => node.startPosition.row < line && line <= node.endPosition.row + 1);
    if (place) found.set(place, [...(found.get(place) ?? []), line]);
  }
  return found;
}

function placeInPython(node: Node, source: string): Place | undefined {
  const isStatement = ["module", "block"].includes(node.parent?.type ?? "") && node.type !== "comment";
  if (!isStatement) return undefined;
  const head = source.slice(source.lastIndexOf("\n", node.startIndex - 1) + 1, node.startIndex);
  return { node, before: (call) => (head.trim() === "" ? `${call}\n${head}` : `${call}; `) };
}

/** What is only for the compiler, or must stand where it stands. */
const UNMARKED =
  /comment|hash_bang|import_statement|interface_declaration|type_alias|ambient_declaration|function_signature|empty_statement/;
const LISTS = ["program", "statement_block", "switch_case", "switch_default"];
const HOLDERS = ["if_statement", "else_clause", "for_statement", "for_in_statement", "while_statement", "do_statement"];

function placeInScript(node: Node): Place | undefined {
  const { parent, type } = node;
  if (!parent || UNMARKED.test(type) || (type === "export_statement" && !isRun(node))) return undefined;
  const isBody = parent.childForFieldName("body")?.id === node.id;
  if (parent.type === "arrow_function")
    return isBody && type !== "statement_block" ? { node, before: (call) => `(${call}, `, after: ")" } : undefined;
  if (LISTS.includes(parent.type) && parent.childForFieldName("value")?.id !== node.id)
    return { node, before: (call) => `${call}; ` };
  const isAlone = /_statement$|_declaration$/.test(type) && HOLDERS.includes(parent.type);
  return isAlone && type !== "statement_block" && (isBody || !isHead(node, parent))
    ? { node, before: (call) => `{ ${call}; `, after: " }" }
    : undefined;
}

/** Whether it is what a loop begins with. */
function isHead(node: Node, parent: Node): boolean {
  return ["initializer", "condition", "increment"].some((field) => parent.childForFieldName(field)?.id === node.id);
}

/** Whether an export has something that is executed. */
function isRun(node: Node): boolean {
  const declared = node.childForFieldName("declaration");
  return declared ? !UNMARKED.test(declared.type) : node.childForFieldName("value") !== null;
}
