// The changed statements of sources, each with a mark before it that tells when it is executed. Pure.
//
// A mark writes its number to a file the first time it is passed, in whatever process that is. A changed line belongs to the
// innermost statement that it stands in; what has no statement of its own, as a comment or a field of a class, to the one around.

import { grammarOf, type Node, withTree } from "../tests/grammar.ts";
import type { Change } from "./check.ts";
import { addedLines } from "./hunks.ts";

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
  /** Sources that cannot be read, or would not be sources any more with marks in them. */
  untold: string[];
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
  const untold: string[] = [];
  for (const { path, before = "", after } of changes) {
    const grammar = grammarOf(path);
    if (!grammar) continue;
    const added = isFirstOnly ? [] : addedLines(before, after);
    const texts = after.split("\n");
    const found = await withTree(grammar, after, (root) => {
      const isPython = grammar === "python";
      const start = startOf(root);
      const places = start === undefined ? [] : placesOf(root, after, start, isPython ? placeInPython : placeInScript);
      const changed = isFirstOnly ? new Map(places.slice(0, 1).map((place) => [place, [1]])) : byPlace(places, added);
      const own: Mark[] = [];
      const put = [...changed].flatMap(([{ node, before: open, after: end = "" }, lines]) => {
        own.push({ path, lines, text: texts[lines[0]! - 1]!.trim() });
        const call = `${NAME}(${marks.length + own.length - 1})`;
        return [{ at: node.startIndex, text: open(call) }, ...(end ? [{ at: node.endIndex, text: end }] : [])];
      });
      const head = isPython ? [{ at: start!, text: inPython(file) }] : inScript(file, path, root, start!);
      return { own, isSound: !root.hasError, content: own.length === 0 ? after : insert(after, [...head, ...put]) };
    });
    if (found?.own.length === 0) {
      if (added.some((line) => !COMMENT.test(texts[line - 1]!))) untold.push(path);
      continue;
    }
    // A grammar may be behind its language: what it cannot read is marked all the same, what the marks break is not.
    const isBroken = found?.isSound && (await withTree(grammar, found.content, (root) => root.hasError)) !== false;
    if (!found || isBroken) {
      untold.push(path);
      continue;
    }
    marks.push(...found.own);
    files.push({ path, content: found.content });
  }
  return { files, marks, untold };
}

/** What the mark calls is taken when the source is loaded: a program or a test may put something else in its place later. */
function inPython(file: string): string {
  const tell = `(lambda d: (w(d, b"%d\\n" % n), c(d)))(o(${JSON.stringify(file)}, f))`;
  const taken = `(lambda o: (o.open, o.write, o.close, o.O_WRONLY | o.O_APPEND | o.O_CREAT, set()))(__import__("os"))`;
  return `${NAME} = (lambda o, w, c, f, s: lambda n: n in s or (s.add(n), ${tell}))(*${taken})\n`;
}

/** A declaration, which is there before anything else of the source is executed, and names nothing that a source may have a name for.
 * Of a source with types nobody asks that the marks have some. */
function inScript(file: string, path: string, root: Node, start: number): { at: number; text: string }[] {
  const take = `const f = (${NAME}.f ??= { ...globalThis.process.getBuiltinModule("node:fs") })`;
  const tell = `const d = f.openSync(${JSON.stringify(file)}, "a"); f.writeSync(d, n + "\\n"); f.closeSync(d);`;
  const once = `const s = (${NAME}.s ??= {}); if (n === undefined || s[n]) return; s[n] = true;`;
  const text = `function ${NAME}(n) { try { ${take}; ${once} ${tell} } catch {} } ${NAME}(); `;
  const [first] = root.namedChildren;
  const top = first?.type === "hash_bang_line" ? first.endIndex + 1 : /^\uFEFF?/.exec(root.text)![0].length;
  return [...(/tsx?$/i.test(path) ? [{ at: top, text: "// @ts-nocheck\n" }] : []), { at: start, text }];
}

/** What is put in at the same place stands in the order in which it is given. */
function insert(source: string, texts: readonly { at: number; text: string }[]): string {
  const sorted = texts.toSorted((a, b) => a.at - b.at);
  const pieces = sorted.map(({ at, text }, index) => text + source.slice(at, sorted[index + 1]?.at));
  return source.slice(0, sorted[0]!.at) + pieces.join("");
}

/** The lines of a text that were put into another, from 1; those of nothing but brackets left out. */
const COMMENT = /^\s*(?:#|\/\/|\/\*|\*|"""|''')/;

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
    if (!isForTypes(node)) for (const child of node.namedChildren) if (child) visit(child);
  };
  visit(root);
  return places;
}

function byPlace(places: readonly Place[], lines: readonly number[]): Map<Place, number[]> {
  const innermost: Place[] = [];
  // Outer ones come first, and what stands in them takes its lines over.
  for (const place of places) {
    const { startPosition, endPosition } = place.node;
    for (let { row } = startPosition; row <= endPosition.row; row += 1) innermost[row] = place;
  }
  const found = new Map<Place, number[]>();
  for (const line of lines) {
    const place = innermost[line - 1];
    if (place) found.set(place, [...(found.get(place) ?? []), line]);
  }
  return found;
}

const COMPOUND = /^(?:if|for|while|try|with|match)_statement$|_definition$/;

function placeInPython(node: Node, source: string): Place | undefined {
  const isStatement =
    ["module", "block"].includes(node.parent?.type ?? "") && !/^(?:comment|case_clause)$/.test(node.type);
  if (!isStatement || isStub(node)) return undefined;
  if (!COMPOUND.test(node.type)) return { node, before: (call) => `${call}; ` };
  const head = source.slice(source.lastIndexOf("\n", node.startIndex - 1) + 1, node.startIndex).replace("\uFEFF", "");
  return { node, before: (call) => `${call}\n${head}` };
}

/** What stands where nothing is to be executed. */
function isStub(node: Node): boolean {
  return node.type === "expression_statement" && node.text === "...";
}

/** What no program executes: declarations of what is elsewhere, and what only a checker of types reads. */
function isForTypes(node: Node): boolean {
  if (/^(?:ambient_declaration|interface_declaration|type_alias_declaration)$/.test(node.type)) return true;
  const { parent } = node;
  const isThen = node.type === "block" && parent?.childForFieldName("consequence")?.id === node.id;
  return isThen && /^(?:\w+\.)?TYPE_CHECKING$/.test(parent?.childForFieldName("condition")?.text ?? "");
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
    ? { node, before: (call) => `{ ${call}; `, after: "\n}" }
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
