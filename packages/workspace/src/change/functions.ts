// The functions of a source that a change has made or altered, and the source with their bodies taken out. Pure.

import { grammarOf, type Node, withTree } from "../tests/grammar.ts";

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
