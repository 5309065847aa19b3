// How tightly expressions bind: where a new expression must be put in parentheses.

import type { Syntax } from "./tree.ts";

/** An expression's text, and how tightly its outermost operator binds. */
export interface Piece {
  text: string;
  level: number;
}

/** The level of what needs no parentheses anywhere: names, calls, members. */
export const ATOM = 20;
const UNARY = 16;
export const COMPARE = 7;
export const NOT = 6;
export const TERNARY = 2;
const LOOSE = 1;

const binaryLevels: Record<string, number> = {
  "**": 17,
  "*": 14,
  "/": 14,
  "//": 14,
  "%": 14,
  "@": 14,
  "+": 13,
  "-": 13,
  "<<": 12,
  ">>": 12,
  ">>>": 12,
  "&": 11,
  "^": 10,
  "|": 9,
  "&&": 5,
  and: 5,
  "||": 4,
  or: 4,
  "??": 3,
};

/** In scripts the bit operators bind more loosely than comparisons. */
const scriptLevels: Record<string, number> = { "&": 6.6, "^": 6.4, "|": 6.2 };

/** The level of a binary or joining operator; that of a comparison for any other. */
export function levelOfOperator(operator: string, isPython: boolean): number {
  return (isPython ? undefined : scriptLevels[operator]) ?? binaryLevels[operator] ?? COMPARE;
}

/** How tightly an expression binds as it stands. */
export function levelOf(node: Syntax, isPython: boolean): number {
  switch (node.role) {
    case "binary":
    case "logic":
      return levelOfOperator(node.child("operator")?.text ?? "", isPython);
    case "compare":
      return COMPARE;
    case "not":
      return isPython ? NOT : UNARY;
    case "unary":
    case "await":
    case "update":
      return UNARY;
    case "ternary":
      return TERNARY;
    case "tuple":
      return node.text.startsWith("(") ? ATOM : LOOSE;
    case "function-expression":
    case "yield":
    case "assign":
    case "augment":
    case "spread":
      return LOOSE;
    case "cast":
      return node.type === "non_null_expression" ? ATOM : COMPARE;
    case "number":
      // `1.real` is no member of 1.
      return ATOM - 1;
    default:
      return ATOM;
  }
}

/** How tightly an expression must bind to stand in the place of `node`. */
export function levelNeeded(node: Syntax, isPython: boolean): number {
  const above = node.parent;
  switch (above?.role) {
    case "binary":
    case "logic": {
      const operator = above.child("operator")?.text ?? "";
      const level = levelOfOperator(operator, isPython);
      if (operator === "**") return node.field === "left" ? level + 1 : UNARY;
      // Where `??` meets `||` or `&&`, scripts want parentheses whatever the order.
      if (operator === "??") return node.field === "left" ? level : 5.5;
      return node.field === "left" ? level : level + 0.5;
    }
    case "compare":
      return COMPARE + 0.5;
    case "not":
      return isPython ? NOT : UNARY;
    case "unary":
    case "await":
      return UNARY;
    case "update":
      return ATOM;
    case "member":
      return node.field === "object" ? ATOM : LOOSE;
    case "index":
      return node.field === "object" ? ATOM : LOOSE;
    case "call":
    case "new":
      return ATOM;
    case "ternary":
      return node.field === "alternative" ? TERNARY : TERNARY + 0.5;
    case "cast":
      return ATOM;
    case "spread":
      return TERNARY;
    default:
      return LOOSE;
  }
}

/** An expression's text for the place of `node`, in parentheses where it needs them. */
export function fitPiece(node: Syntax, piece: Piece, isPython: boolean): string {
  return piece.level < levelNeeded(node, isPython) ? `(${piece.text})` : piece.text;
}
