// Results that are thrown away: a call that changes nothing stands alone, and what it gives was to be kept or returned.

import type { Syntax } from "../../syntax/tree.ts";
import type { Operator } from "../operator.ts";
import { brief, type Proposal, replaceText } from "../proposal.ts";

const pure =
  /^(?:replace|replaceAll|strip|lstrip|rstrip|lower|upper|title|casefold|trim|trimStart|trimEnd|toLowerCase|toUpperCase|concat|slice|map|filter|flat|flatMap|toSorted|toReversed|toSpliced|with|union|difference|intersection|format|zfill|ljust|rjust|padStart|padEnd|quantize|normalize|astimezone|join|split)$/;
const pureFunctions = /^(?:sorted|reversed|str|int|float|round|abs|list|set|dict|tuple|Number|String|structuredClone)$/;

/** A lone call whose result is kept. */
export const results: Operator = function* (node, scene) {
  const call = node.role === "express" ? node.parts[0] : undefined;
  const called = call?.role === "call" ? call.child("function") : undefined;
  if (!call || !called) return;
  const property = called.child("property")?.text;
  if (property === "clear") {
    const object = called.child("object")!.text;
    const first = scene.firstValues(node).find(({ field }) => field === object)?.value.text;
    const fresh = scene.isPython ? ["[]", "{}", "set()"] : ["new Map()", "new Set()"];
    for (const [rank, value] of (first ? [first] : fresh).entries())
      yield { ...replaceText(call, `${object} = ${value}`, "result", 3 + 0.5 * rank), title: `${object} begins anew` };
  }
  const first = call.child("arguments")?.parts[0];
  if (property !== undefined && pure.test(property)) yield kept(node, called.child("object")!.text, 1.5);
  if (called.role === "name" && pureFunctions.test(called.text) && first) yield kept(node, first.text, 1.5);
  const own = scene.functions.get(property ?? called.text);
  if (!own || (called.role === "member" && called.child("object")?.text !== scene.words.self)) return;
  if (![...own.walk()].some((part) => part.role === "return" && part.child("value") && isOf(part, own))) return;
  const isRecursive = own.contains(node);
  yield returned(node, isRecursive ? 2.5 : 4);
  if (first && /^(?:name|member|index)$/.test(first.role)) yield kept(node, first.text, 3);
};

function isOf(node: Syntax, owner: Syntax): boolean {
  return node.above("function", "function-expression") === owner;
}

function kept(node: Syntax, target: string, cost: number): Proposal {
  return {
    kind: "result",
    cost,
    edits: [{ start: node.start, end: node.start, text: `${target} = ` }],
    title: `keep ${brief(node.text)} in ${brief(target)}`,
    at: node,
  };
}

function returned(node: Syntax, cost: number): Proposal {
  return {
    kind: "result",
    cost,
    edits: [{ start: node.start, end: node.start, text: "return " }],
    title: `return ${brief(node.text)}`,
    at: node,
  };
}
