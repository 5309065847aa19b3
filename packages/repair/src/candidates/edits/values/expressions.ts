// Expressions rebuilt: a part for the whole, operands swapped, other groupings, one more operand, another expression.

import { levelOf, type Piece } from "../../syntax/binding.ts";
import type { Syntax } from "../../syntax/tree.ts";
import { isValue, ungroup } from "../../syntax/value.ts";
import type { Kind } from "../../words/kinds.ts";
import { statementAround } from "../../words/layout.ts";
import type { Scene, Usable } from "../../words/scene.ts";
import { atom, join, wrap } from "../../words/words.ts";
import type { Operator } from "../operator.ts";
import { brief, type Proposal, pieceOf, rankCost, replacePiece } from "../proposal.ts";
import { likeness } from "./names.ts";

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
  if (operator === "-")
    yield replacePiece(node, { text: `-${wrap(pieceOf(right, isPython), 16)}`, level: 16 }, isPython, "operand", 4.5);
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

/** `a + b * c` for `(a + b) * c` and the other way round, however deep. */
function* regroup(node: Syntax, scene: Scene): Generator<Proposal> {
  const { isPython } = scene;
  const operator = node.child("operator")!.text;
  const [left, right] = [node.child("left")!, node.child("right")!];
  const own = (part: Syntax): Piece => pieceOf(part, isPython);
  // a p ((b o c) q d) becomes ((a p b) o c) q d; (a o (b q c)) p d becomes a o (b q (c p d)).
  const rebuild = (part: Syntax, side: "left" | "right", made: (leaf: Piece) => Piece): Piece[] => {
    const inner = ungroup(part);
    if (inner.role !== "binary") return [];
    const [one, o, two] = [inner.child("left")!, inner.child("operator")!.text, inner.child("right")!];
    const leaf = side === "left" ? one : two;
    const put = (piece: Piece): Piece =>
      side === "left" ? join(piece, o, own(two), isPython) : join(own(one), o, piece, isPython);
    return [put(made(own(leaf))), ...rebuild(leaf, side, made).map(put)];
  };
  const rightward = rebuild(right, "left", (leaf) => join(own(left), operator, leaf, isPython));
  const leftward = rebuild(left, "right", (leaf) => join(leaf, operator, own(right), isPython));
  for (const [rank, piece] of [...rightward, ...leftward].entries())
    yield replacePiece(node, piece, isPython, "grouping", 3.2 + 0.3 * rank);
}

/** A value with one more operand: `x` becomes `x - low`, `total` becomes `total % n`. */
export const operands: Operator = function* (node, scene) {
  if (!isValue(node) || !/^(?:name|member|index|call|binary|number)$/.test(node.role)) return;
  if (node.role === "binary" && node.parent?.role === "binary") return;
  if (node.field === "function" || node.parent?.role === "express" || node.parent?.role === "group") return;
  const kind = scene.kinds.of(node);
  if (kind === "list" || kind === "string") yield* joined(node, kind, scene);
  if (kind !== "number" && kind !== "unknown") return;
  const isAmount = ({ kind, what, text, distance }: Usable): boolean => {
    const isOpen = what === "parameter" || what === "field" || (distance === 0 && what !== "function");
    return text !== node.text && (kind === "number" || (kind === "unknown" && isOpen));
  };
  const others = [...siblingFields(node, scene), ...scene.atomsAt(node).filter(isAmount)];
  const cost = 5.5 + (kind === "unknown" ? 1.5 : 0) + (node.parent?.role === "index" ? 0.5 : 0);
  const operators = scene.isPython ? ["-", "+", "*", "//", "%", "/"] : ["-", "+", "*", "/", "%"];
  const far = scene.ingredients
    .valuesNear(
      node,
      (other) =>
        /^(?:call|member|index)$/.test(other.role) && scene.kinds.of(other) === "number" && other.field !== "function",
    )
    .filter((other) => other.text !== node.text && other.end - other.start < 40 && scene.canUse(other, node));
  const near = others.slice(0, 6).map(({ text }) => text);
  const amounts = [...new Set([...near, ...sizesNear(node), ...far.slice(0, 6).map(({ text }) => text)])];
  for (const [rank, other] of amounts.entries()) {
    for (const [step, operator] of operators.entries()) {
      const piece = join(pieceOf(node, scene.isPython), operator, atom(other), scene.isPython);
      yield replacePiece(node, piece, scene.isPython, "operand", cost + 0.8 * rankCost(rank) + 0.5 * step);
    }
  }
};

/** Other fields of the object that a member is read from: the price, times the quantity. */
function siblingFields(node: Syntax, scene: Scene): Usable[] {
  const object = node.role === "member" ? node.child("object")?.text : undefined;
  if (!object || object === scene.words.self) return [];
  const own = node.child("property")!.text;
  const beside = scene.members.filter((other) => other.child("object")?.text === object && other.field !== "function");
  const fields = new Set([...beside.map((other) => other.child("property")!.text), ...scene.declaredFields]);
  fields.delete(own);
  return [...fields]
    .slice(0, 5)
    .map((field) => ({ text: `${object}.${field}`, kind: "number", what: "field", distance: 0 }));
}

/** How long the texts are that stand in the same statement: what is cut off must leave room for them. */
function sizesNear(node: Syntax): string[] {
  const statement = statementAround(node);
  const texts = statement ? [...statement.walk()].filter(({ role }) => role === "string") : [];
  return [...new Set(texts.map(({ text }) => text.length - 2).filter((size) => size > 1 && size < 6))].map(String);
}

/** A list or a text with another one before or behind it. */
function* joined(node: Syntax, kind: Kind, scene: Scene): Generator<Proposal> {
  if (node.parent?.role === "index" || node.parent?.role === "for") return;
  const found = scene.ingredients.valuesNear(
    node,
    (other) => scene.kinds.of(other) === kind && other.end - other.start < 20,
  );
  const others = found.filter((other) => !other.text.includes("\n") && scene.canUse(other, node)).slice(0, 5);
  const own = pieceOf(node, scene.isPython);
  for (const [rank, other] of others.entries()) {
    const piece = pieceOf(other, scene.isPython);
    for (const [one, two] of [
      [own, piece],
      [piece, own],
    ] as const) {
      const whole =
        scene.isPython || kind === "string"
          ? join(one, "+", two, scene.isPython)
          : atom(`[...${one.text}, ...${two.text}]`);
      yield replacePiece(node, whole, scene.isPython, "operand", 6 + rankCost(rank));
    }
  }
}

/** Another expression of the program in the place of one, the nearest of its kind first. */
export const expressions: Operator = function* (node, scene) {
  if (!isValue(node) || node.role === "group" || node.role === "function-expression") return;
  if (node.field === "function" || node.parent?.role === "express" || node.role === "boolean") return;
  const held = scene.kinds.of(node);
  const kind = held === "unknown" ? scene.wantedAt(node) : held;
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
      4.6 + 0.8 * rankCost(rank) + strange + isWider,
    );
  }
};
