// Parentheses: put round a stretch of a long expression, or left out.

import type { Syntax } from "../../syntax/tree.ts";
import { isValue } from "../../syntax/value.ts";
import type { Operator } from "../operator.ts";
import { brief, type Proposal, replaceText } from "../proposal.ts";

const MOST_OPERANDS = 6;

/** `sign * hours * 60 + minutes` for `sign * (hours * 60 + minutes)`, and the other way round. */
export const groupings: Operator = function* (node) {
  const above = node.parent?.role;
  if (node.role === "group" && (above === "binary" || above === "logic")) yield* ungrouped(node);
  if ((node.role !== "binary" && node.role !== "logic") || !isValue(node)) return;
  if (node.role === "binary") yield* factorFirst(node);
  if (above === node.role) return;
  const leaves = leavesOf(node, node.role);
  if (leaves.length > MOST_OPERANDS) return;
  let rank = 0;
  for (let from = 0; from < leaves.length; from++) {
    for (let to = from + 1; to < leaves.length; to++) {
      if (from === 0 && to === leaves.length - 1) continue;
      const [first, last] = [leaves[from]!, leaves[to]!];
      yield {
        kind: "grouping",
        cost: 3.4 + 0.15 * rank++,
        edits: [
          { start: first.start, end: first.start, text: "(" },
          { start: last.end, end: last.end, text: ")" },
        ],
        title: `group ${brief(node.source.slice(first.start, last.end))}`,
        at: node,
      };
    }
  }
};

/** `a / b * c` where rounding wants `a * c / b`. */
function* factorFirst(node: Syntax): Generator<Proposal> {
  const [left, right] = [node.child("left")!, node.child("right")!];
  const divided = left.role === "group" ? left.parts[0] : left;
  const isProduct = node.child("operator")?.text === "*" && divided?.role === "binary";
  const operator = isProduct ? divided.child("operator")!.text : "";
  if (!divided || !/^\/\/?$/.test(operator)) return;
  const text = `${divided.child("left")!.text} * ${right.text} ${operator} ${divided.child("right")!.text}`;
  yield replaceText(node, text, "grouping", 3.4);
}

function* ungrouped(node: Syntax): Generator<Proposal> {
  const inner = node.parts[0];
  if (inner?.role !== "binary" && inner?.role !== "logic") return;
  yield replaceText(node, inner.text, "grouping", 3.4);
}

/** The operands of a chain of operators, as they stand beside each other. */
function leavesOf(node: Syntax, role: Syntax["role"]): Syntax[] {
  if (node.role !== role) return [node];
  return [node.child("left")!, node.child("right")!].flatMap((side) => leavesOf(side, role));
}
