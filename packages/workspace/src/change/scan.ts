// What a change newly does to what judges it: patches the test runner or a built-in, gives values that are equal to everything.
//
// Only what the file did not do before counts: a plugin of pytest's that has always used its inner modules may go on doing so.
// Names are read from the syntax: what stands in a string or a comment is nothing.

import type { Finding } from "@loopwright/core";
import { hard } from "../judging/judge.ts";
import { grammarOf, type Node, withTree } from "../tests/grammar.ts";
import type { Change } from "./check.ts";

/** One place that a rule speaks of; the same words in another version of the file are the same use. */
interface Hit {
  code: string;
  what: string;
  line: number;
}

/** Those that block, and why. */
const HARD: Readonly<Record<string, string>> = {
  RUNNER_INTERNALS: "reaches into the test runner",
  RUNNER_PATCHED: "changes the test runner",
  BUILTIN_PATCHED: "changes a built-in for every program in the process",
  EQUALS_EVERYTHING: "is equal to everything",
};
const SHOWN = "can look at who calls it";

/** What a change newly does, each with its file and line, hard findings first. */
export async function scanChange(changes: readonly Change[]): Promise<Finding[]> {
  const found = await Promise.all(changes.map(scanFile));
  return found.flat().sort((a, b) => a.priority - b.priority);
}

async function scanFile({ path, before, after }: Change): Promise<Finding[]> {
  const keyOf = ({ code, what }: Hit) => `${code} ${what}`;
  const known = new Set((await hitsOf(path, before ?? "")).map(keyOf));
  const fresh = (await hitsOf(path, after)).filter((hit) => !known.has(keyOf(hit)));
  // Of several uses of one thing the first is named.
  return [...new Map(fresh.reverse().map((hit) => [keyOf(hit), hit])).values()]
    .reverse()
    .map((hit) => toFinding(path, hit));
}

function toFinding(path: string, { code, what, line }: Hit): Finding {
  const why = HARD[code];
  const message = `${path}:${line}: ${what} ${why ?? SHOWN}`;
  if (why === undefined) return { code, severity: "soft", priority: 3, message };
  return { ...hard(code, message), fix: "write it without: what is tested may not touch what tests it" };
}

async function hitsOf(path: string, source: string): Promise<Hit[]> {
  const grammar = grammarOf(path);
  if (!grammar || source === "") return [];
  return (await withTree(grammar, source, grammar === "python" ? scanPython : scanScript)) ?? [];
}

function hitAt(code: string, node: Node, what = plainText(node)): Hit {
  return { code, what, line: node.startPosition.row + 1 };
}

/** All nodes of a kind. */
function all(root: Node, ...kinds: string[]): Node[] {
  return root.descendantsOfType(kinds) as Node[];
}

// Python

const PYTHON_RUNNERS = /^(?:_pytest|pytest|unittest|pluggy)(?:\.|$)/;
const PYTHON_BUILTINS = /^(?:builtins|__builtin__|__builtins__)$/;
const MATCHERS: Readonly<Record<string, RegExp>> = {
  ANY: /^(?:unittest(?:\.mock)?|mock)$/,
  approx: /^pytest$/,
};
/** By what a program learns from whom it was called, and what for. */
const FRAMES =
  /(?:^|\.)(?:_getframe|_current_frames|currentframe|f_back|f_locals|settrace|setprofile|get_objects|get_referrers)$|^inspect\.stack$/;

function scanPython(root: Node): Hit[] {
  const imports = pythonImports(root);
  const isPart = /import|dotted_name/;
  const names = all(root, "identifier", "attribute").filter(
    ({ type, parent }) => !isPart.test(parent!.type) && !(type === "identifier" && parent!.type === "attribute"),
  );
  const matching = names.filter((node) => {
    const text = plainText(node);
    return MATCHERS[text.split(".").at(-1)!]?.test(imports.get(rootOf(text)) ?? "");
  });
  return [
    ...all(root, "import_statement", "import_from_statement")
      .filter(({ text }) => /^(?:from\s+|import\s.*\b)_pytest\b/s.test(text))
      .map((node) => hitAt("RUNNER_INTERNALS", node, "_pytest")),
    ...setInPython(root).flatMap((target) => {
      const name = rootOf(plainText(target));
      const module = imports.get(name);
      if (PYTHON_BUILTINS.test(module ?? name)) return [hitAt("BUILTIN_PATCHED", target)];
      return module !== undefined && PYTHON_RUNNERS.test(module) ? [hitAt("RUNNER_PATCHED", target)] : [];
    }),
    ...comparisons(root)
      .filter(isBlind)
      .map((node) => hitAt("EQUALS_EVERYTHING", node, "__eq__")),
    ...matching.map((node) => hitAt("EQUALS_EVERYTHING", node)),
    ...names.flatMap((node) => (FRAMES.test(plainText(node)) ? [hitAt("LOOKS_AT_CALLERS", node)] : [])),
  ];
}

/** Names by the module that they were imported from: `import a.b as c` binds c to a.b, `from a import b` binds b to a. */
function pythonImports(root: Node): Map<string, string> {
  const found = new Map<string, string>();
  for (const { text } of all(root, "import_statement", "import_from_statement")) {
    const [, from, names = ""] = /^(?:from\s+(\S+)\s+)?import\s+(.*)$/s.exec(text) ?? [];
    for (const [, name = "", alias] of names.matchAll(/([\w.]+)(?:\s+as\s+(\w+))?/g)) {
      const own = from === undefined && alias === undefined ? name.split(".", 1)[0]! : name;
      found.set(alias ?? own, from ?? own);
    }
  }
  return found;
}

/** The members that are given another value. */
function setInPython(root: Node): Node[] {
  const assigned = all(root, "assignment", "augmented_assignment").flatMap((node) => {
    const left = node.childForFieldName("left");
    return left?.type === "pattern_list" ? left.namedChildren : [left];
  });
  const members = assigned.filter((left) => left?.type === "attribute" || left?.type === "subscript");
  const set = all(root, "call").flatMap((node) => {
    const isSetting = /^(?:setattr|delattr)$/.test(node.childForFieldName("function")?.text ?? "");
    return isSetting ? [node.childForFieldName("arguments")?.namedChildren[0]] : [];
  });
  return [...members, ...set].filter((node) => node != null);
}

/** What is called `__eq__`: a method, or a lambda. */
function comparisons(root: Node): Node[] {
  const isNamed = (node: Node | null) =>
    ["name", "left", "key"].some((field) => /\b__eq__["']?$/.test(node?.childForFieldName(field)?.text ?? ""));
  const lambdas = all(root, "lambda").filter(({ parent }) => isNamed(parent));
  return [...all(root, "function_definition").filter(isNamed), ...lambdas];
}

/** Whether a comparison says yes without a look at the other value. */
function isBlind(node: Node): boolean {
  const body = node.childForFieldName("body");
  const other = node.childForFieldName("parameters")?.namedChildren[1];
  const name = other?.type === "identifier" ? other.text : other && all(other, "identifier")[0]?.text;
  if (!body || all(body, "identifier").some(({ text }) => text === name)) return false;
  const returned = node.type === "lambda" ? [body] : all(body, "return_statement");
  return returned.some(({ text }) => !/^(?:return\b)?\s*(?:False|NotImplemented|None)?$/.test(text));
}

// TypeScript and JavaScript

const SCRIPT_RUNNERS = /^(?:node:)?(?:assert|test)(?:\/|$)|^(?:vitest|@vitest|chai|@jest|jest|mocha)(?:\/|$)/;
const SCRIPT_BUILTINS =
  /^(?:(?:globalThis|global|window)\.)?(?:Object|Function|Array|String|Number|Boolean|Symbol|BigInt|Math|JSON|Reflect|Proxy|Error|Promise|Map|Set|WeakMap|WeakSet|RegExp|Date|Iterator)\b[^(]*$/;
const SETS = /^(?:Object|Reflect)\.(?:defineProperty|defineProperties|assign|setPrototypeOf|set)$/;

function scanScript(root: Node): Hit[] {
  const imports = scriptImports(root);
  const isRunners = (text: string) =>
    SCRIPT_RUNNERS.test(imports.get(rootOf(text)) ?? (rootOf(text) === "expect" ? "jest" : ""));
  const matching = all(root, "call_expression").flatMap((node) => {
    const callee = node.childForFieldName("function");
    const text = callee ? plainText(callee) : "";
    return /\.(?:anything|any)$/.test(text) && isRunners(text) ? [callee!] : [];
  });
  return [
    ...setInScript(root).flatMap((target) => {
      const text = plainText(target);
      if (isRunners(text)) return [hitAt("RUNNER_PATCHED", target)];
      return SCRIPT_BUILTINS.test(text) && !imports.has(rootOf(text)) ? [hitAt("BUILTIN_PATCHED", target)] : [];
    }),
    ...all(root, "method_definition", "pair", "public_field_definition")
      .filter(isMatchingAll)
      .map((node) => hitAt("EQUALS_EVERYTHING", node, "asymmetricMatch")),
    ...matching.map((node) => hitAt("EQUALS_EVERYTHING", node)),
  ];
}

/** What a script's imports and plain requires bind. */
function scriptImports(root: Node): Map<string, string> {
  const found = new Map<string, string>();
  const bind = (names = "", module = "") => {
    for (const [name] of names.matchAll(/[\w$]+/g)) if (!/^(?:type|as|from)$/.test(name)) found.set(name, module);
  };
  for (const { text } of all(root, "import_statement")) {
    const [, names, module] = /^import\b([^"']*)["']([^"']+)/.exec(text) ?? [];
    bind(names, module);
  }
  for (const node of all(root, "variable_declarator")) {
    const value = node.childForFieldName("value")?.text ?? "";
    const module = /^\(?(?:await\s+)?(?:require|import)\(\s*["'`]([^"'`]+)/.exec(value)?.[1];
    if (module !== undefined) bind(node.childForFieldName("name")?.text, module);
  }
  return found;
}

/** What is given other members: by an assignment, by `Object.assign` and the like, by `expect.extend`. */
function setInScript(root: Node): Node[] {
  const assigned = all(root, "assignment_expression", "augmented_assignment_expression")
    .flatMap((node) => node.childForFieldName("left") ?? [])
    .filter((left) => MEMBERS.includes(bare(left).type));
  const set = all(root, "call_expression").flatMap((node) => {
    const callee = node.childForFieldName("function");
    const name = callee ? plainText(callee) : "";
    if (name === "expect.extend") return [callee!];
    return SETS.test(name) ? (node.childForFieldName("arguments")?.namedChildren[0] ?? []) : [];
  });
  return [...assigned, ...set];
}

/** An asymmetric matcher that matches whatever it is given. */
function isMatchingAll(node: Node): boolean {
  const [name = "", value = ""] = [
    ["name", "key"],
    ["body", "value"],
  ].map(([one, other]) => (node.childForFieldName(one!) ?? node.childForFieldName(other!))?.text);
  return /^["']?asymmetricMatch["']?$/.test(name) && /^(?:.*=>\s*)?(?:true|\{\s*return\s+true;?\s*\})$/s.test(value);
}

// Expressions

const MEMBERS = ["attribute", "subscript", "member_expression", "subscript_expression"];
const WRAPPERS = /^(?:parenthesized|as|satisfies|non_null)_expression$|^type_assertion$/;

/** An expression without brackets, casts and assertions of its type. */
function bare(node: Node): Node {
  const inner = WRAPPERS.test(node.type) && node.namedChildren.find((each) => each?.type !== "type_arguments");
  return inner ? bare(inner) : node;
}

/** A member expression without casts in it: `(Array.prototype as any).at` is Array.prototype.at. */
function plainText(node: Node): string {
  const inner = bare(node);
  const isMember = MEMBERS.includes(inner.type);
  const object = isMember ? (inner.childForFieldName("object") ?? inner.childForFieldName("value")) : null;
  if (!object) return inner.text;
  const member = inner.childForFieldName("property") ?? inner.childForFieldName("attribute");
  return member ? `${plainText(object)}.${member.text}` : `${plainText(object)}[]`;
}

/** What `a.b[].d` is a part of; what a call gives is a part of nothing. */
function rootOf(text: string): string {
  return /^([\w$]+)[^(]*$/.exec(text)?.[1] ?? "";
}
