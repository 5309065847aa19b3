// Operators between values: arithmetic, bits, and/or, augmented assignments, increments.

import { levelOfOperator } from "../../syntax/binding.ts";
import type { Syntax } from "../../syntax/tree.ts";
import type { Scene } from "../../words/scene.ts";
import { join } from "../../words/words.ts";
import type { Operator } from "../operator.ts";
import { type Proposal, pieceOf, rankCost, replacePiece, replaceText } from "../proposal.ts";

const shared: Record<string, string[]> = {
  "+": ["-", "*", "|"],
  "-": ["+", "*", "/", "%"],
  "*": ["/", "+", "**", "-"],
  "%": ["/", "-", "*", "&"],
  "**": ["*"],
  "<<": [">>"],
  "&": ["|", "^"],
  "|": ["&", "^", "+"],
  "^": ["|", "&", "**"],
  "=": ["+=", "-=", "*="],
  "+=": ["-=", "=", "*=", "|="],
  "-=": ["+=", "=", "*="],
  "*=": ["/=", "+=", "**=", "="],
  "/=": ["*=", "//=", "="],
  "&=": ["|=", "^=", "="],
  "|=": ["&=", "^=", "=", "+="],
  "^=": ["|=", "&=", "="],
};

const python: Record<string, string[]> = {
  ...shared,
  "/": ["//", "*", "%", "-"],
  "//": ["/", "%", "*", "-"],
  "%": ["//", "/", "-", "*"],
  ">>": ["<<"],
  "//=": ["/=", "%=", "-="],
  "%=": ["//=", "="],
  and: ["or"],
  or: ["and"],
  "-": ["+", "*", "//", "/", "%"],
};

const script: Record<string, string[]> = {
  ...shared,
  "/": ["*", "%", "-"],
  ">>": [">>>", "<<"],
  ">>>": [">>", "<<"],
  "&&": ["||", "??"],
  "||": ["??", "&&"],
  "??": ["||", "&&"],
  "??=": ["||=", "="],
  "||=": ["??=", "="],
  "++": ["--"],
  "--": ["++"],
};

/** Operators that people take for one another: the others only a wrong key explains. */
const confused = new Set([
  "/ //",
  "// /",
  "|| ??",
  ">> >>>",
  "and or",
  "or and",
  "&& ||",
  "|| &&",
  "^ **",
  "& |",
  "| &",
  "% //",
]);

/** How likely one operator was meant where another stands. */
function swapCost(from: string, to: string, rank: number): number {
  return (confused.has(`${from} ${to}`) ? 2.2 : 3.4) + rankCost(rank);
}

/** Another operator between the same operands. */
export const arithmetic: Operator = function* (node, scene) {
  if (node.role === "binary" || node.role === "logic") yield* swapOperator(node, scene);
  if (node.role === "augment" || node.role === "update") {
    const operator = node.child("operator");
    for (const [rank, other] of others(operator?.text, scene).entries()) {
      const isPlain = other === "=";
      yield replaceText(operator!, other, "assignment", 3 + rankCost(rank) + (isPlain ? 0.3 : 0));
    }
  }
  if (node.role === "assign") yield* augmentAssignment(node, scene);
  if (node.role === "update") yield* otherSteps(node, scene);
  if (node.role === "augment" && node.child("operator")?.text === "+=") yield* putBefore(node, scene);
};

function* swapOperator(node: Syntax, scene: Scene): Generator<Proposal> {
  const operator = node.child("operator")!;
  const [left, right] = [node.child("left")!, node.child("right")!];
  const kinds = [scene.kinds.of(left), scene.kinds.of(right)];
  const isText = operator.text === "+" && kinds.some((kind) => kind === "string" || kind === "list");
  const isKnown = kinds.some((kind) => kind === "number") || node.role === "logic";
  for (const [rank, other] of others(operator.text, scene).entries()) {
    const cost = swapCost(operator.text, other, rank) + (isText ? 4 : isKnown ? 0 : 0.5);
    const title = `${operator.text} becomes ${other}`;
    const isPlain = levelOfOperator(other, scene.isPython) === levelOfOperator(operator.text, scene.isPython);
    if (isPlain) yield replaceText(operator, other, "operator", cost);
    else {
      const piece = join(pieceOf(left, scene.isPython), other, pieceOf(right, scene.isPython), scene.isPython);
      yield { ...replacePiece(node, piece, scene.isPython, "operator", cost), title };
      // The text with only the operator changed may read otherwise, and be what was meant.
      yield replaceText(operator, other, "operator", cost + 1);
    }
  }
}

function* augmentAssignment(node: Syntax, scene: Scene): Generator<Proposal> {
  const equals = node.children.find((child) => child.type === "=");
  const target = node.child("left");
  if (!equals || !target || target.role === "pattern" || target.role === "tuple" || node.child("type")) return;
  // Only what has a value can be added to.
  if (target.role === "name" && !scene.namesAt(node).some(({ text }) => text === target.text)) return;
  for (const [rank, other] of others("=", scene).entries()) {
    yield replaceText(equals, other, "assignment", 3.6 + 1.5 * rankCost(rank));
  }
  if (!scene.isPython && (target.role === "member" || target.role === "index"))
    yield replaceText(equals, "??=", "assignment", 4);
  // Digits, one after the other.
  const value = node.child("right");
  if (value && /^(?:int|Number|parseInt|ord)\b/.test(value.text))
    yield replaceText(value, `${target.text} * 10 + ${value.text}`, "assignment", 4.5);
}

/** `i++` where the step was to be another. */
function* otherSteps(node: Syntax, scene: Scene): Generator<Proposal> {
  const name = node.child("argument")?.text;
  const sign = node.child("operator")?.text[0];
  if (!name || !sign) return;
  const steps = scene.usablesAt(node).filter(({ kind, text }) => kind === "number" && text !== name);
  for (const [rank, step] of ["2", ...steps.slice(0, 5).map(({ text }) => text)].entries())
    yield replaceText(node, `${name} ${sign}= ${step}`, "assignment", 4.2 + 0.7 * rankCost(rank));
}

/** `text += more` where it was to come before. */
function* putBefore(node: Syntax, scene: Scene): Generator<Proposal> {
  const [target, value] = [node.child("left")!, node.child("right")!];
  if (scene.kinds.of(value) === "number") return;
  const sum = join(pieceOf(value, scene.isPython), "+", pieceOf(target, scene.isPython), scene.isPython);
  yield replaceText(node, `${target.text} = ${sum.text}`, "assignment", 4);
}

function others(operator: string | undefined, scene: Scene): string[] {
  return (scene.isPython ? python : script)[operator ?? ""] ?? [];
}
