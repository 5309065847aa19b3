// Whole statements: deleted, swapped, moved, taken into or out of a block.

import type { Syntax } from "../../syntax/tree.ts";
import { lineAfter, lineBefore, linesOf, relativeLines, statementsIn } from "../../words/layout.ts";
import type { Scene } from "../../words/scene.ts";
import { indentOf } from "../../words/style.ts";
import type { Operator } from "../operator.ts";
import { brief, type Proposal } from "../proposal.ts";

const fixed = new Set([
  "import",
  "function",
  "class",
  "decorated",
  "documentation",
  "pass",
  "export",
  "field-definition",
]);

/** Statements in another order or another place, or gone. */
export const statements: Operator = function* (node, scene) {
  if (!isMovable(node)) return;
  const block = node.parent!;
  const siblings = statementsIn(block);
  const at = siblings.indexOf(node);
  if (at < 0) return;
  const next = siblings[at + 1];
  if (next && isMovable(next)) yield* swap(node, next);
  yield* remove(node, siblings, scene);
  yield* shift(node, siblings, at, scene);
  yield* leave(node, block, scene);
  yield* enter(node, siblings, at, scene);
};

function isMovable(node: Syntax): boolean {
  const above = node.parent?.role;
  if (above !== "block" && above !== "module" && above !== "case") return false;
  return linesOf(node) !== undefined && isMovableRole(node) && node.parent?.parent?.role !== "class";
}

function isMovableRole(node: Syntax): boolean {
  return (
    !fixed.has(node.role) &&
    /^(?:express|declare|return|raise|break|continue|delete|assert|if|while|for|count|try|with|switch|do|other-statement)$/.test(
      node.role,
    )
  );
}

function* swap(one: Syntax, other: Syntax): Generator<Proposal> {
  const isEnd =
    /^(?:return|raise|break|continue)$/.test(other.role) || /^(?:return|raise|break|continue)$/.test(one.role);
  yield {
    kind: "statement-order",
    cost: 4.2 + (isEnd ? 2 : 0) + (isLong(one) || isLong(other) ? 1 : 0),
    edits: [
      { start: one.start, end: one.end, text: other.text },
      { start: other.start, end: other.end, text: one.text },
    ],
    title: `swap ${brief(one.text)} and ${brief(other.text)}`,
    at: one,
  };
}

function* remove(node: Syntax, siblings: readonly Syntax[], scene: Scene): Generator<Proposal> {
  const span = linesOf(node)!;
  const isLone = siblings.length === 1;
  const text = isLone && scene.isPython ? `${indentOf(node)}pass${scene.style.eol}` : "";
  const cost = 5.5 + (isLong(node) ? 1.5 : 0) + (node.role === "raise" || node.role === "return" ? 0.5 : 0);
  yield { kind: "deletion", cost, edits: [{ ...span, text }], title: `delete ${brief(node.text)}`, at: node };
}

/** Further up or down in the same block than a swap brings it. */
function* shift(node: Syntax, siblings: readonly Syntax[], at: number, scene: Scene): Generator<Proposal> {
  if (siblings.length < 3 || node.role === "return") return;
  const span = linesOf(node)!;
  const lines = relativeLines(node, scene.style);
  const gone = { ...span, text: "" };
  for (const [to, other] of siblings.entries()) {
    if (Math.abs(to - at) < 2 || !linesOf(other)) continue;
    const change = to < at ? lineBefore(other, lines, scene.style) : lineAfter(other, lines, scene.style);
    if (!change || other.role === "return" || other.role === "documentation") continue;
    const cost = 5 + 0.3 * Math.abs(to - at) + (isLong(node) ? 1 : 0);
    yield {
      kind: "statement-order",
      cost,
      edits: [gone, change],
      title: `move ${brief(node.text)} to line ${other.line}`,
      at: node,
    };
  }
}

/** Out of the block that it stands in, behind or before the statement that the block belongs to. */
function* leave(node: Syntax, block: Syntax, scene: Scene): Generator<Proposal> {
  if (block.role !== "block") return;
  let owner = block.parent;
  while (owner && /^(?:elif|else|catch|finally)$/.test(owner.role)) owner = owner.parent;
  if (!owner || !/^(?:if|while|for|count|try|with)$/.test(owner.role) || !linesOf(owner)) return;
  const lines = relativeLines(node, scene.style);
  const isLone = statementsIn(block).length === 1;
  const gone = { ...linesOf(node)!, text: isLone && scene.isPython ? `${indentOf(node)}pass${scene.style.eol}` : "" };
  const after = lineAfter(owner, lines, scene.style);
  const before = lineBefore(owner, lines, scene.style);
  const isLast = statementsIn(block).at(-1) === node;
  const cost = (isLast ? 4.5 : 5.2) + (isLone ? 1 : 0);
  if (after) {
    yield {
      kind: "block",
      cost,
      edits: [gone, after],
      title: `move ${brief(node.text)} behind the ${owner.role}`,
      at: node,
    };
  }
  if (before && node.role !== "return" && node.role !== "break" && node.role !== "continue") {
    yield {
      kind: "block",
      cost: cost + 0.5,
      edits: [before, gone],
      title: `move ${brief(node.text)} before the ${owner.role}`,
      at: node,
    };
  }
}

/** Into the block of the statement before or after it. */
function* enter(node: Syntax, siblings: readonly Syntax[], at: number, scene: Scene): Generator<Proposal> {
  const gone = { ...linesOf(node)!, text: "" };
  const lines = relativeLines(node, scene.style);
  for (const [other, isBefore] of [
    [siblings[at - 1], true],
    [siblings[at + 1], false],
  ] as const) {
    for (const block of other ? blocksOf(other) : []) {
      const inside = statementsIn(block);
      const edge = isBefore ? inside.at(-1) : inside[0];
      if (!edge || !linesOf(edge)) continue;
      const change = isBefore ? lineAfter(edge, lines, scene.style) : lineBefore(edge, lines, scene.style);
      if (!change) continue;
      yield {
        kind: "block",
        cost: 5,
        edits: [gone, change],
        title: `move ${brief(node.text)} into the ${other!.role}`,
        at: node,
      };
      if (isBefore && inside.length > 0) {
        const first = lineBefore(inside[0]!, lines, scene.style);
        if (first)
          yield {
            kind: "block",
            cost: 5.5,
            edits: [gone, first],
            title: `move ${brief(node.text)} to the top of the ${other!.role}`,
            at: node,
          };
      }
    }
  }
}

/** The blocks that a compound statement has. */
export function blocksOf(statement: Syntax): Syntax[] {
  if (!/^(?:if|while|for|count|try|with|do)$/.test(statement.role)) return [];
  const found: Syntax[] = [];
  for (const part of statement.parts) {
    if (part.role === "block") found.push(part);
    else if (/^(?:elif|else|catch|finally)$/.test(part.role))
      found.push(...part.parts.filter(({ role }) => role === "block"));
  }
  return found;
}

function isLong(node: Syntax): boolean {
  return node.text.includes("\n");
}
