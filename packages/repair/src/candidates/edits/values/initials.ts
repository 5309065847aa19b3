// What a variable begins with, and what a parameter is when it is not given.

import type { Syntax } from "../../syntax/tree.ts";
import { isValue } from "../../syntax/value.ts";
import { insertBefore, statementsIn } from "../../words/layout.ts";
import type { Scene } from "../../words/scene.ts";
import type { Operator } from "../operator.ts";
import { brief, type Proposal, rankCost, replaceText } from "../proposal.ts";

const python = ["0", "1", "[]", "None", '""', "{}", "set()", "-1", "True", "False", 'float("inf")', 'float("-inf")'];
const script = [
  "0",
  "1",
  "[]",
  "undefined",
  "null",
  "''",
  "{}",
  "-1",
  "true",
  "false",
  "Infinity",
  "-Infinity",
  "new Set()",
  "new Map()",
];

/** What an empty list may have been meant to hold. */
export const emptyLists: Operator = function* (node, scene) {
  if (node.role !== "list" || node.parts.length > 0 || !isValue(node)) return;
  const items = ["[]", "0", "1", scene.isPython ? '""' : "''", scene.words.nothing];
  const names = scene.namesAt(node).filter(({ what }) => what === "parameter");
  for (const [rank, item] of [...items, ...names.slice(0, 3).map(({ text }) => text)].entries())
    yield replaceText(node, `[${item}]`, "initial-value", 4.5 + 0.7 * rankCost(rank));
};

/** What is taken where there is nothing, and what a table begins with. */
export const fallbacks: Operator = function* (node, scene) {
  const above = node.parent;
  const isFallback =
    above?.role === "logic" && node.field === "right" && /^(?:\?\?|\|\||or)$/.test(above.child("operator")!.text);
  const called = above?.role === "arguments" ? above.parent?.child("function")?.child("property")?.text : undefined;
  const isDefault = /^(?:get|pop|setdefault)$/.test(called ?? "") && above!.parts[1] === node;
  const isEntry = above?.role === "pair" && node.field === "value";
  if ((!isFallback && !isDefault && !isEntry) || !isPlain(node)) return;
  const kind = scene.kinds.of(node);
  const base = isEntry ? 4.6 : 3.8;
  for (const [rank, other] of (scene.isPython ? python : script).entries()) {
    const isNumber = /^-?(?:\d|I)|^float/.test(other);
    if (other === node.text || (kind === "number") !== isNumber) continue;
    yield { ...replaceText(node, other, "initial-value", base + 0.25 * rank), idea: `${node.text} becomes ${other}` };
  }
};

/** Other first values. */
export const initials: Operator = function* (node, scene) {
  if (
    node.role !== "assign" &&
    node.role !== "declarator" &&
    node.role !== "parameter" &&
    node.role !== "field-definition"
  )
    return;
  const value = node.child("right") ?? node.child("value");
  if (scene.isPython && node.role === "parameter" && value) yield* sharedDefault(node, value, scene);
  if (!value || !isPlain(value)) return;
  for (const [rank, other] of (scene.isPython ? python : script).entries()) {
    if (other !== value.text) yield replaceText(value, other, "initial-value", 3.8 + 0.7 * rankCost(rank));
  }
  const lists = scene.namesAt(node).filter(({ kind }) => kind === "list");
  for (const { text } of lists.slice(0, 3)) yield replaceText(value, `${text}[0]`, "initial-value", 4.8);
};

function isPlain(value: Syntax): boolean {
  if (value.role === "number" || value.role === "nothing" || value.role === "boolean" || value.role === "string")
    return true;
  if (value.role === "unary") return value.child("argument")?.role === "number";
  if (value.role === "list" || value.role === "dict") return value.parts.length === 0;
  return value.role === "name" && value.text === "Infinity";
}

/** A default that all calls share becomes one for each call. */
function* sharedDefault(node: Syntax, value: Syntax, scene: Scene): Generator<Proposal> {
  const isShared =
    value.role === "list" ||
    value.role === "dict" ||
    (value.role === "call" && /^(?:set|dict|list)$/.test(value.child("function")?.text ?? ""));
  const owner = node.above("function", "function-expression");
  const body = owner?.child("body");
  const name = node.child("name")?.text;
  if (!isShared || !body || !name || owner?.role !== "function") return;
  const first = statementsIn(body).find(({ role }) => role !== "documentation");
  const change = first && insertBefore(first, [`if ${name} is None:`, `\t${name} = ${value.text}`], scene.style);
  if (!change) return;
  yield {
    kind: "initial-value",
    cost: 1.5,
    edits: [{ start: value.start, end: value.end, text: "None" }, change],
    title: `${name} begins as a new ${brief(value.text)} for each call`,
    at: node,
  };
}
