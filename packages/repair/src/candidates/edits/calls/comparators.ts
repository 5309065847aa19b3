// How things are ordered: comparators with another direction or a further criterion.

import type { Syntax } from "../../syntax/tree.ts";
import { ungroup } from "../../syntax/value.ts";
import { wrap } from "../../words/words.ts";
import type { Operator } from "../operator.ts";
import { type Proposal, pieceOf, replacePiece } from "../proposal.ts";

/** Comparators of scripts. */
export const comparators: Operator = function* (node, scene) {
  if (scene.isPython || node.role !== "function-expression") return;
  const parameters = node.child("parameters")?.parts.map((part) => (part.child("pattern") ?? part).text) ?? [];
  const body = node.child("body");
  const called =
    node.parent?.role === "arguments" ? node.parent.parent?.child("function")?.child("property")?.text : undefined;
  const isComparator =
    /^(?:sort|toSorted)$/.test(called ?? "") || (parameters.join() === "a,b" && node.parent?.role === "declarator");
  if (!isComparator || parameters.length !== 2 || !body || body.role === "block") return;
  const [a, b] = parameters as [string, string];
  const own = wrap(pieceOf(ungroup(body), false), 4);
  const propose = (text: string, cost: number): Proposal =>
    replacePiece(body, { text, level: 4 }, false, "comparator", cost);
  const fields = new Set([...scene.declaredFields, ...propertiesOf(scene.members, [a, b])]);
  for (const [rank, field] of [...fields].slice(0, 8).entries()) {
    if (body.text.includes(`${a}.${field}`)) continue;
    const cost = 4 + 0.5 * rank;
    yield propose(`${own} || ${a}.${field} - ${b}.${field}`, cost);
    yield propose(`${own} || ${a}.${field}.localeCompare(${b}.${field})`, cost + 0.3);
    yield propose(`${own} || ${b}.${field} - ${a}.${field}`, cost + 1);
    yield propose(`${a}.${field} - ${b}.${field}`, cost + 1.5);
  }
  for (const index of [0, 1]) {
    if (body.text.includes(`${a}[${index}]`)) continue;
    yield propose(`${own} || ${a}[${index}] - ${b}[${index}]`, 5.5);
    yield propose(`${own} || ${a}[${index}].localeCompare(${b}[${index}])`, 5.5);
  }
  const inner = ungroup(body);
  if (inner.role === "compare") yield propose(`${inner.child("left")!.text} - ${inner.child("right")!.text}`, 2.5);
  if (inner.role === "binary" && inner.child("operator")?.text === "-")
    yield propose(`${wrap(pieceOf(inner.child("left")!, false), 20)}.localeCompare(${inner.child("right")!.text})`, 4);
};

function propertiesOf(members: readonly Syntax[], names: readonly string[]): string[] {
  const own = members.filter(
    (member) => names.includes(member.child("object")?.text ?? "") && member.field !== "function",
  );
  return own.map((member) => member.child("property")!.text);
}
