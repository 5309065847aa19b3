// Conditions: negated, with a part dropped or added, or quite another.

import { COMPARE, levelOfOperator, type Piece } from "../../syntax/binding.ts";
import type { Syntax } from "../../syntax/tree.ts";
import { isCondition, isValue, ungroup } from "../../syntax/value.ts";
import { conditionsFor, negate } from "../../words/conditions.ts";
import type { Scene } from "../../words/scene.ts";
import { atom, join, wrap } from "../../words/words.ts";
import type { Operator } from "../operator.ts";
import { brief, type Proposal, pieceOf, replacePiece } from "../proposal.ts";

/** Other conditions in the place of one. */
export const conditions: Operator = function* (node, scene) {
  if (node.role === "logic" && node.child("operator")?.text !== "??") yield* dropParts(node, scene);
  if (node.role === "not") {
    const piece = pieceOf(ungroup(node.child("argument") ?? node), scene.isPython);
    yield {
      ...replacePiece(node, piece, scene.isPython, "condition", 4),
      title: `drop the negation of ${brief(piece.text)}`,
    };
  }
  if (node.role === "group" || !isTruth(node, scene)) return;
  if (node.role !== "not") {
    yield {
      ...replacePiece(node, negate(node, scene), scene.isPython, "condition", 4.2),
      title: `negate ${brief(node.text)}`,
    };
  }
  yield* addParts(node, scene);
  if (isCondition(node)) yield* replaceWhole(node, scene);
};

/** Whether an expression is asked for its truth. */
export function isTruth(node: Syntax, scene: Scene): boolean {
  if (!isValue(node)) return false;
  if (isCondition(node)) return true;
  const above = node.parent!;
  if (above.role === "return") return scene.kinds.of(node) === "boolean";
  if (above.role === "function-expression") return node.field === "body" && scene.kinds.of(node) === "boolean";
  if (above.role === "comprehension") return node.field === "body" && scene.kinds.of(node) === "boolean";
  if (above.role === "assign" || above.role === "declarator") return node.role === "compare" || node.role === "logic";
  return above.role === "logic" && isTruth(above, scene) && above.child("operator")?.text !== "??";
}

function* dropParts(node: Syntax, scene: Scene): Generator<Proposal> {
  for (const [kept, dropped] of [
    ["left", "right"],
    ["right", "left"],
  ] as const) {
    const piece = pieceOf(node.child(kept)!, scene.isPython);
    const title = `drop ${brief(node.child(dropped)!.text)} from the condition`;
    yield { ...replacePiece(node, piece, scene.isPython, "condition", 4.5), title };
  }
}

function* addParts(node: Syntax, scene: Scene): Generator<Proposal> {
  // Added to a part of an `and` it is the same as added to the whole.
  const above = node.parent;
  const { and, or } = scene.words;
  const joined = above?.role === "logic" ? above.child("operator")?.text : undefined;
  const inner = node.role === "logic" ? node.child("operator")?.text : undefined;
  const own = pieceOf(node, scene.isPython);
  for (const { piece, cost } of conditionsFor(node, scene, 50)) {
    if (piece.text === node.text) continue;
    for (const operator of [and, or]) {
      if (operator === joined) continue;
      const isMixed = !isCondition(node) && !joined && /^[\w.$]+$/.test(piece.text) ? 1.5 : 0;
      const far =
        4 + cost + isMixed + (joined ? 1.5 : 0) + (operator === or ? 0.7 : 0) + (inner && inner !== operator ? 0.5 : 0);
      const title = `${brief(node.text)} ${operator} ${brief(piece.text)}`;
      // A part that keeps the other from failing stands before it.
      const isBefore = guards(piece, node);
      const whole = isBefore ? joinLogic(piece, operator, own, scene) : joinLogic(own, operator, piece, scene);
      yield {
        ...replacePiece(node, whole, scene.isPython, "condition-part", far),
        title: `condition becomes ${title}`,
      };
    }
  }
}

function guards(piece: Piece, node: Syntax): boolean {
  return /\b(?:is|not)\b|undefined|null|length|len\(/.test(piece.text) && node.role !== "logic";
}

function joinLogic(left: Piece, operator: string, right: Piece, scene: Scene): Piece {
  const level = levelOfOperator(operator, scene.isPython);
  // `a and b or c` reads better, and is safer in scripts, with parentheses.
  const side = (piece: Piece): Piece =>
    piece.level < 7 && piece.level > level && piece.level <= 5 ? atom(`(${piece.text})`) : piece;
  const text = `${wrap(side(left), level)} ${operator} ${wrap(side(right), level)}`;
  return { text, level };
}

function* replaceWhole(node: Syntax, scene: Scene): Generator<Proposal> {
  for (const { piece, cost } of conditionsFor(node, scene, 40)) {
    if (piece.text !== node.text) yield replacePiece(node, piece, scene.isPython, "condition", 5 + cost);
  }
  const { yes, no } = scene.words;
  for (const constant of [yes, no]) yield replacePiece(node, atom(constant), scene.isPython, "condition", 8);
  if (node.role === "name" || node.role === "member" || node.role === "call") {
    const own = pieceOf(node, scene.isPython);
    const { words, isPython } = scene;
    yield replacePiece(node, words.isSomething(own), isPython, "condition", 3.2);
    yield replacePiece(node, join(own, ">", atom("0"), isPython), isPython, "condition", 4.5);
    if (!isPython) yield replacePiece(node, join(own, "!==", atom("-1"), isPython), isPython, "condition", 4.5);
  }
  const looked = node.role === "call" && node.child("function")?.child("property")?.text === "get" ? node : undefined;
  const key = looked?.child("arguments")?.parts[0]?.text;
  if (looked && key) {
    const table = looked.child("function")!.child("object")!.text;
    const has = scene.isPython ? { text: `${key} in ${table}`, level: COMPARE } : atom(`${table}.has(${key})`);
    yield replacePiece(node, has, scene.isPython, "condition", 2.8);
  }
  if (node.role === "not") {
    const own = pieceOf(ungroup(node.child("argument")!), scene.isPython);
    yield replacePiece(node, scene.words.isNothing(own), scene.isPython, "condition", 3.2);
  }
}
