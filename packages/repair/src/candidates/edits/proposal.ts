// What an operator proposes, and the small words with which it does.

import { fitPiece, levelOf, type Piece } from "../syntax/binding.ts";
import type { Syntax } from "../syntax/tree.ts";

/** A change that an operator thinks of, not yet known to be new or to parse. */
export interface Proposal {
  kind: string;
  /** In bits: each more halves how likely it is. */
  cost: number;
  edits: readonly Change[];
  /** What it does, without the place: `< becomes <=`. */
  title: string;
  /** The thought behind it: the same thought at two places of a statement is hardly less likely than at one. */
  idea?: string;
  /** Whose suspicion it takes. */
  at: Syntax;
}

export interface Change {
  start: number;
  end: number;
  text: string;
}

/** The replacement of a node by another text, as it is. */
export function replaceText(node: Syntax, text: string, kind: string, cost: number): Proposal {
  return {
    kind,
    cost,
    edits: [{ start: node.start, end: node.end, text }],
    title: `${brief(node.text)} becomes ${brief(text)}`,
    at: node,
  };
}

/** The replacement of an expression by another, in parentheses where the place wants them. */
export function replacePiece(node: Syntax, piece: Piece, isPython: boolean, kind: string, cost: number): Proposal {
  const proposal = replaceText(node, fitPiece(node, piece, isPython), kind, cost);
  return { ...proposal, title: `${brief(node.text)} becomes ${brief(piece.text)}` };
}

/** An expression that stands in the program, as a piece. */
export function pieceOf(node: Syntax, isPython: boolean): Piece {
  return { text: node.text, level: levelOf(node, isPython) };
}

/** How much costlier the alternative at a rank (from 0) is than the first. */
export function rankCost(rank: number): number {
  return Math.log2(rank + 1);
}

/** A text in one line and at most 60 characters. */
export function brief(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 57)}...` : line || "nothing";
}
