// What can be wrong with a node, in both languages' grammars.

import type { Node } from "@loopwright/workspace/grammar";
import type { MutantKind } from "./mutants.ts";

/** A text in the place of a node, or of the stretch from one to another. */
interface Proposal {
  kind: MutantKind;
  at: Node;
  end?: Node;
  text: string;
}

type Operator = (node: Node, isPython: boolean) => Iterable<Proposal>;

const opposite: Record<string, string> = {
  "==": "!=",
  "!=": "==",
  "===": "!==",
  "!==": "===",
  "<": ">=",
  "<=": ">",
  ">": "<=",
  ">=": "<",
  in: "not in",
  "not in": "in",
  is: "is not",
  "is not": "is",
};

const neighbor: Record<string, string> = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };

const otherConstant: Record<string, string> = { True: "False", False: "True", true: "false", false: "true" };

const comparison: Operator = function* (node, isPython) {
  if (!/^(?:comparison_operator|binary_expression)$/.test(node.type)) return;
  for (const at of operatorsOf(node)) {
    const words = at.text.replace(/\s+/g, " ");
    if (neighbor[words]) yield { kind: "boundary", at, text: neighbor[words] };
    // A script's `in` has no opposite of one word.
    if (opposite[words] && (isPython || words !== "in")) yield { kind: "comparison", at, text: opposite[words] };
  }
};

const constant: Operator = function* (at, isPython) {
  const kind = "constant";
  if (/^(?:integer|float|number)$/.test(at.type)) {
    const value = Number(at.text.replaceAll("_", ""));
    if (!Number.isFinite(value) || !/^[\d._]+$/.test(at.text)) return;
    const isWhole = Number.isInteger(value);
    yield { kind, at, text: isWhole ? String(value + 1) : String(value * 2) };
    if (isWhole && value > 0) yield { kind, at, text: String(value - 1) };
  } else if (otherConstant[at.text] && /^(?:true|false)$/.test(at.type)) {
    yield { kind, at, text: otherConstant[at.text]! };
  } else if (at.type === "string" && at.parent?.type !== "concatenated_string" && !isKey(at) && !isMessage(at)) {
    const isEmpty = at.namedChildren.every(({ type }) => /^string_(?:start|end)$/.test(type));
    const [, prefix = "", mark = '"'] = /^(\w*)("""|'''|"|')/.exec(at.text) ?? [];
    const own = isPython ? prefix : "";
    yield { kind, at, text: isEmpty ? `${own}${mark}x${mark}` : `${own}${mark}${mark}` };
  }
};

const negation: Operator = function* (node, isPython) {
  const kind = "negation";
  const condition = conditionOf(node, isPython);
  if (condition && !isComparison(condition)) {
    yield { kind, at: condition, text: isPython ? `not (${condition.text})` : `!(${condition.text})` };
  }
  const argument = node.childForFieldName("argument");
  if (argument && (node.type === "not_operator" || (node.type === "unary_expression" && node.text.startsWith("!")))) {
    yield { kind, at: node, text: argument.text };
  }
  if (node.type === "boolean_operator" || node.type === "binary_expression") {
    const at = node.childForFieldName("operator");
    const other: Record<string, string> = { and: "or", or: "and", "&&": "||", "||": "&&" };
    if (at && other[at.text]) yield { kind, at, text: other[at.text]! };
  }
};

const removedCall: Operator = function* (node, isPython) {
  const kind = "removed-call";
  if (node.type === "expression_statement") {
    const [inner, ...others] = node.namedChildren;
    const call = inner && /^await/.test(inner.type) ? inner.namedChildren[0] : inner;
    if (call && isCall(call) && others.length === 0) yield { kind, at: node, text: isPython ? "pass" : ";" };
    return;
  }
  if (!isCall(node) || /^(?:expression_statement|await|raise|throw)/.test(node.parent?.type ?? "")) return;
  const [called, given] = [node.childForFieldName("function"), argumentsOf(node)];
  const object = called?.childForFieldName("object");
  // `text.strip()` becomes `text`, `int(text)` becomes `text`.
  if (object && given.length === 0) yield { kind, at: node, text: object.text };
  if (called?.type === "identifier" && given.length === 1 && isPlain(given[0]!)) {
    yield { kind, at: node, text: given[0]!.text };
  }
};

const swappedArguments: Operator = function* (node) {
  if (!isCall(node) && node.type !== "new_expression") return;
  if (/(?:^|\.)(?:max|min)$/.test(node.childForFieldName("function")?.text ?? "")) return;
  const given = argumentsOf(node);
  for (const [index, at] of given.entries()) {
    const end = given[index + 1];
    if (!end || !isPlain(at) || !isPlain(end)) continue;
    const between = node.text.slice(at.endIndex - node.startIndex, end.startIndex - node.startIndex);
    yield { kind: "swapped-arguments", at, end, text: `${end.text}${between}${at.text}` };
  }
};

const earlyReturn: Operator = function* (node, isPython) {
  const kind = "early-return";
  if (node.type === "return_statement") {
    const value = node.namedChildren.find(({ type }) => type !== "comment");
    if (value) yield { kind, at: value, text: isPython ? "None" : "undefined" };
    return;
  }
  if (!isStatement(node) || !isInFunction(node)) return;
  const before = node.previousNamedSibling;
  // At the start of a block the whole of it is left out; between two statements, what follows is.
  if (before && /^(?:return|raise|throw|break|continue)/.test(before.type)) return;
  yield { kind, at: node, text: isPython ? "return" : "return;" };
};

/** Calls that are easily taken for one another. */
const PAIRS =
  "lstrip strip, trimStart trim, strip rstrip, trim trimEnd, startswith endswith, startsWith endsWith, any all, some every, min max, floor ceil, upper lower, toUpperCase toLowerCase, replaceAll replace, indexOf lastIndexOf, append insert, push unshift, shift pop";
const sibling: Record<string, string> = Object.fromEntries(
  PAIRS.split(", ").flatMap((pair) => {
    const [one = "", other = ""] = pair.split(" ");
    return [
      [other, one],
      [one, other],
    ];
  }),
);

const siblingCall: Operator = function* (node) {
  if (!isCall(node)) return;
  const called = node.childForFieldName("function");
  const at = called?.childForFieldName("attribute") ?? called?.childForFieldName("property") ?? called;
  if (at && Object.hasOwn(sibling, at.text)) yield { kind: "sibling-call", at, text: sibling[at.text]! };
};

/** What is easily wrong in a pattern: an anchor, an alternative, a repetition, the last of a class. */
const PATTERNS: readonly [RegExp, string][] = [
  [/^\^/, ""],
  [/(?<!\\)\$$/, ""],
  [/([\])\w])\+/, "$1"],
  [/([\])\w.])\*/, "$1+"],
  [/\|[^|()[\]]+/, ""],
  [/(\[\^?[^\]]*[^\]\\-])[^\]\\-]\]/, "$1]"],
];

const pattern: Operator = function* (node, isPython) {
  const isOfRe = /^re\.\w+$/.test(node.parent?.parent?.childForFieldName("function")?.text ?? "");
  const isPattern = isPython
    ? node.type === "string" && isOfRe && node.parent!.namedChildren[0]?.id === node.id
    : node.type === "regex";
  const at = isPattern && node.namedChildren.find(({ type }) => type === "string_content" || type === "regex_pattern");
  for (const [what, instead] of at ? PATTERNS : []) {
    const text = (at as Node).text.replace(what, instead);
    if (text !== (at as Node).text) yield { kind: "pattern", at: at as Node, text };
  }
};

export const operators: readonly Operator[] = [
  comparison,
  constant,
  negation,
  removedCall,
  swappedArguments,
  earlyReturn,
  siblingCall,
  pattern,
];

function operatorsOf(node: Node): Node[] {
  return [...node.childrenForFieldName("operators"), ...node.childrenForFieldName("operator")].filter(
    (at) => at !== null,
  );
}

function conditionOf(node: Node, isPython: boolean): Node | null | undefined {
  if (/^(?:if|elif|while|do)_|^ternary_expression$|^if_clause$/.test(node.type)) {
    const condition = node.childForFieldName("condition") ?? (node.type === "if_clause" ? node.namedChildren[0] : null);
    return isPython || condition?.type !== "parenthesized_expression" ? condition : condition.namedChildren[0];
  }
  return node.type === "conditional_expression" ? node.namedChildren[1] : undefined;
}

/** What the operator of comparisons, or that of negations, changes already. */
function isComparison(node: Node): boolean {
  if (node.type === "comparison_operator" || node.type === "not_operator") return true;
  if (node.type === "unary_expression") return node.text.startsWith("!");
  return node.type === "binary_expression" && (node.childForFieldName("operator")?.text ?? "") in opposite;
}

function isCall(node: Node): boolean {
  return node.type === "call" || node.type === "call_expression";
}

function argumentsOf(call: Node): Node[] {
  const list = call.childForFieldName("arguments");
  return list && /^argument/.test(list.type) ? list.namedChildren.filter(({ type }) => type !== "comment") : [];
}

/** A positional argument that can stand anywhere. */
function isPlain(node: Node): boolean {
  return !/^(?:keyword_argument|(?:list|dictionary)_splat|spread_element|generator_expression)$/.test(node.type);
}

/** A key of a table names its entry: a wrong one is another program, and rarely one that a test misses. */
function isKey(node: Node): boolean {
  const above = node.parent;
  return above?.type === "pair" && above.childForFieldName("key")?.id === node.id;
}

/** A text that is only thrown: its wording is nobody's to test. */
function isMessage(node: Node): boolean {
  let above = node.parent;
  while (above && !/_statement$|block$/.test(above.type)) above = above.parent;
  return /^(?:raise|throw)/.test(above?.type ?? "");
}

function isStatement(node: Node): boolean {
  if (!/^(?:block|statement_block)$/.test(node.parent?.type ?? "")) return false;
  return /^(?:expression_statement|(?:if|for|for_in|while|try|with|switch|match)_statement)$/.test(node.type);
}

function isInFunction(node: Node): boolean {
  for (let above = node.parent; above; above = above.parent) {
    if (/class_(?:body|definition|static_block)/.test(above.type)) return false;
    if (/function|arrow|method_definition|lambda/.test(above.type)) return true;
  }
  return false;
}
