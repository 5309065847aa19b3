// Expressions rebuilt: a part for the whole, operands swapped, other groupings, one more operand, another expression.

import { levelOf } from "../syntax/binding.ts";
import type { Syntax } from "../syntax/tree.ts";
import { isValue, ungroup } from "../syntax/value.ts";
import type { Scene } from "../words/scene.ts";
import { atom, join } from "../words/words.ts";
import { likeness } from "./names.ts";
import type { Operator } from "./operator.ts";
import { brief, type Proposal, pieceOf, rankCost, replacePiece } from "./proposal.ts";

/** Operations with their parts in another order or another grouping, or with a part dropped. */
export const operations: Operator = function* (node, scene) {
  if (node.role === "ternary") yield* ternaries(node, scene);
  if (node.role !== "binary" && node.role !== "compare") return;
  const [left, right] = [node.child("left"), node.child("right")];
  const operator = node.child("operator")?.text;
  if (!left || !right || !operator || node.parts.length > 2) return;
  const { isPython } = scene;
  const isSymmetric = /^(?:\*|&|\||\^|[!=]==?|is|is not)$/.test(operator);
  const isSum = operator === "+" && scene.kinds.of(node) === "number";
  if (!isSymmetric && !isSum && node.role === "binary") {
    const piece = join(pieceOf(right, isPython), operator, pieceOf(left, isPython), isPython);
    yield {
      ...replacePiece(node, piece, isPython, "operand-order", 3.2),
      title: `${brief(node.text)} becomes ${brief(piece.text)}`,
    };
  }
  if (node.role === "binary") {
    yield* regroup(node, scene);
    for (const [kept, cost] of [
      [left, 4.8],
      [right, 5.2],
    ] as const)
      yield replacePiece(node, pieceOf(ungroup(kept), isPython), isPython, "operand", cost);
  }
};

function* ternaries(node: Syntax, scene: Scene): Generator<Proposal> {
  const [yes, no] = [node.child("consequence"), node.child("alternative")];
  if (!yes || !no) return;
  yield {
    kind: "ternary",
    cost: 3.5,
    edits: [
      { start: yes.start, end: yes.end, text: no.text },
      { start: no.start, end: no.end, text: yes.text },
    ],
    title: `swap ${brief(yes.text)} and ${brief(no.text)}`,
    at: node,
  };
  for (const side of [yes, no]) yield replacePiece(node, pieceOf(side, scene.isPython), scene.isPython, "ternary", 5);
}

/** `a + b * c` for `(a + b) * c` and the other way round. */
function* regroup(node: Syntax, scene: Scene): Generator<Proposal> {
  const { isPython } = scene;
  const operator = node.child("operator")!.text;
  const [left, right] = [node.child("left")!, node.child("right")!];
  const [innerLeft, innerRight] = [ungroup(left), ungroup(right)];
  if (innerLeft.role === "binary") {
    // (a o b) p c becomes a o (b p c).
    const [a, o, b] = [innerLeft.child("left")!, innerLeft.child("operator")!.text, innerLeft.child("right")!];
    const inner = join(pieceOf(b, isPython), operator, pieceOf(right, isPython), isPython);
    yield replacePiece(node, join(pieceOf(a, isPython), o, inner, isPython), isPython, "grouping", 3.2);
  }
  if (innerRight.role === "binary") {
    // a p (b o c) becomes (a p b) o c.
    const [b, o, c] = [innerRight.child("left")!, innerRight.child("operator")!.text, innerRight.child("right")!];
    const inner = join(pieceOf(left, isPython), operator, pieceOf(b, isPython), isPython);
    yield replacePiece(node, join(inner, o, pieceOf(c, isPython), isPython), isPython, "grouping", 3.2);
  }
}

/** A value with one more operand: `x` becomes `x - low`, `total` becomes `total % n`. */
export const operands: Operator = function* (node, scene) {
  if (!isValue(node) || !/^(?:name|member|index|call|binary|number)$/.test(node.role)) return;
  if (node.role === "binary" && node.parent?.role === "binary") return;
  if (node.field === "function" || node.parent?.role === "express" || node.parent?.role === "group") return;
  const kind = scene.kinds.of(node);
  if (kind !== "number" && kind !== "unknown") return;
  const others = scene.atomsAt(node).filter((usable) => usable.kind === "number" && usable.text !== node.text);
  const cost = 5.5 + (kind === "unknown" ? 1.5 : 0) + (node.parent?.role === "index" ? 0.5 : 0);
  for (const [rank, other] of others.slice(0, 7).entries()) {
    const operators = scene.isPython ? ["-", "+", "*", "//", "%", "/"] : ["-", "+", "*", "/", "%"];
    for (const [step, operator] of operators.entries()) {
      const piece = join(pieceOf(node, scene.isPython), operator, atom(other.text), scene.isPython);
      yield replacePiece(node, piece, scene.isPython, "operand", cost + 0.8 * rankCost(rank) + 0.5 * step);
    }
  }
};

/** Another expression of the program in the place of one, the nearest of its kind first. */
export const expressions: Operator = function* (node, scene) {
  if (!isValue(node) || node.role === "group" || node.role === "function-expression") return;
  if (node.field === "function" || node.parent?.role === "express" || node.role === "boolean") return;
  const kind = scene.kinds.of(node);
  const level = levelOf(node, scene.isPython);
  const found = scene.ingredients.valuesNear(node, (other) => {
    if (other.role === "name" || other.role === "number" || other.role === "string" || other.role === "boolean")
      return false;
    if (other.role === "function-expression" || other.field === "function" || other.parent?.role === "express")
      return false;
    return other.end - other.start <= 50 && other.text !== node.text;
  });
  const fitting = found
    .slice(0, 60)
    .map((other) => ({ other, strange: likeness(scene.kinds.of(other), kind) }))
    .filter(({ other, strange }) => strange < 4 && scene.canUse(other, node))
    .sort((a, b) => a.strange - b.strange);
  for (const [rank, { other, strange }] of fitting.slice(0, 14).entries()) {
    const isWider = levelOf(other, scene.isPython) < level ? 0.5 : 0;
    yield replacePiece(
      node,
      pieceOf(other, scene.isPython),
      scene.isPython,
      "expression",
      5 + rankCost(rank) + strange + isWider,
    );
  }
};
