// The wrong method or function of well-known ones.

import type { Syntax } from "../../syntax/tree.ts";
import { isValue } from "../../syntax/value.ts";
import type { Scene } from "../../words/scene.ts";
import type { Operator } from "../operator.ts";
import { brief, type Proposal, rankCost, replaceText } from "../proposal.ts";
import { otherFunctions, otherMethods } from "./method-tables.ts";

/** Another method on the same object, another function of the same arguments. */
export const methods: Operator = function* (node, scene) {
  if (node.role === "member") {
    const property = node.child("property");
    if (!property) return;
    for (const [rank, other] of otherMethods(property.text, scene.isPython).entries())
      yield {
        ...replaceText(property, other, "method", 2.8 + 0.8 * rankCost(rank) + mismatch(node, other, scene)),
        idea: `${property.text} becomes ${other}`,
      };
    return;
  }
  if (node.role === "name" && isFunctionName(node)) {
    for (const [rank, other] of otherFunctions(node.text, scene.isPython).entries())
      yield replaceText(node, other, "function", 3 + 0.8 * rankCost(rank));
  }
  if (node.role === "call") yield* reshape(node, scene);
};

/** How strange a method is for what it is given: what takes several things wants a list of them. */
function mismatch(node: Syntax, method: string, scene: Scene): number {
  const given = node.parent?.child("arguments")?.parts ?? [];
  if (/^(?:extend|update)$/.test(method)) return given[0] && scene.kinds.of(given[0]) === "list" ? 0 : 2.5;
  // The least of one thing is that thing.
  if (/^(?:min|max)$/.test(method)) return given.length > 1 || given[0]?.role === "spread" ? 0 : 4;
  return 0;
}

function isFunctionName(node: Syntax): boolean {
  return (
    node.field === "function" || node.field === "constructor" || (isValue(node) && node.parent?.role === "arguments")
  );
}

/** Calls that are written another way: `x.sort()` for `sorted(x)`, `d.get(k)` for `d[k]`. */
function* reshape(node: Syntax, scene: Scene): Generator<Proposal> {
  const called = node.child("function");
  const list = node.child("arguments");
  if (!called || !list) return;
  const parts = list.parts.map(({ text }) => text);
  const become = (text: string, cost: number): Proposal => ({
    ...replaceText(node, text, "method", cost),
    title: `${brief(node.text)} becomes ${brief(text)}`,
  });
  const object = called.role === "member" ? called.child("object")!.text : "";
  const method = called.role === "member" ? called.child("property")!.text : "";
  if (scene.isPython) {
    if (called.text === "sorted" && parts.length === 1) yield become(`${parts[0]}.sort()`, 6);
    if (method === "get" && parts.length > 0) yield become(`${object}[${parts[0]}]`, 5);
    if (method === "get" && parts.length === 2 && parts[1] !== "None")
      yield become(`${object}.setdefault(${parts.join(", ")})`, 4);
    if (method === "get" && parts.length > 0) yield become(`${object}.pop(${parts[0]}, ${parts[1] ?? "None"})`, 4.2);
    if (method === "append" && parts.length === 1) {
      yield become(`${object}.insert(0, ${parts[0]})`, 4.5);
      yield become(`${object}.append(list(${parts[0]}))`, 4.5);
      yield become(`${object}.append(${parts[0]}.copy())`, 5);
    }
    if (method === "insert" && parts.length === 2) yield become(`${object}.append(${parts[1]})`, 4.5);
    if (method === "extend" && parts.length === 1) yield become(`${object}.append(${parts[0]})`, 4);
    if (method === "remove" && parts.length === 1) yield become(`del ${object}[${parts[0]}]`, 6);
    if (method === "pop" && parts.length === 1 && parts[0] !== "0") yield become(`${object}.pop()`, 4);
    return;
  }
  if (method === "push" && parts.length === 1) {
    const strange = scene.kinds.of(list.parts[0]!) === "list" ? 0 : 2;
    yield become(`${object}.push(...${parts[0]})`, 4.2 + strange);
  }
  if (method === "indexOf" && parts.length === 1) yield become(`${object}.includes(${parts[0]})`, 4);
  if (method === "forEach") yield become(`${object}.map(${parts.join(", ")})`, 5);
  if (method === "concat" && parts.length === 1) yield become(`${object}.push(${parts[0]})`, 5);
}

/** Items by key read another way. */
export const lookups: Operator = function* (node, scene) {
  if (node.role !== "index" || !isValue(node) || !scene.isPython) return;
  const key = node.child("index");
  const object = node.child("object");
  if (!key || !object || key.role === "slice" || key.role === "number") return;
  const kind = scene.kinds.of(object);
  const strange = kind === "dict" ? 0 : kind === "unknown" ? 1 : 2.5;
  for (const [rank, fallback] of ["", ", 0", ", []", ', ""', ", {}"].entries()) {
    yield replaceText(node, `${object.text}.get(${key.text}${fallback})`, "method", 4 + strange + 0.8 * rankCost(rank));
  }
  yield replaceText(node, `${object.text}.setdefault(${key.text}, [])`, "method", 5.5 + strange);
};
