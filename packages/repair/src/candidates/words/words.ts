// What a language calls the things that edits write: all that differs between Python and scripts, in one table each.

import { ATOM, COMPARE, levelOfOperator, NOT, type Piece } from "../syntax/binding.ts";

/** The words of a language. Pieces go in and come out with the parentheses that they need. */
export interface Words {
  isPython: boolean;
  and: string;
  or: string;
  equal: string;
  differ: string;
  yes: string;
  no: string;
  nothing: string;
  self: string;
  emptyList: string;
  not(piece: Piece): Piece;
  length(piece: Piece): Piece;
  isNothing(piece: Piece): Piece;
  isSomething(piece: Piece): Piece;
  isEmpty(piece: Piece): Piece;
}

const python: Words = {
  isPython: true,
  and: "and",
  or: "or",
  equal: "==",
  differ: "!=",
  yes: "True",
  no: "False",
  nothing: "None",
  self: "self",
  emptyList: "[]",
  not: (piece) => ({ text: `not ${wrap(piece, NOT)}`, level: NOT }),
  length: (piece) => ({ text: `len(${piece.text})`, level: ATOM }),
  isNothing: (piece) => ({ text: `${wrap(piece, COMPARE + 0.5)} is None`, level: COMPARE }),
  isSomething: (piece) => ({ text: `${wrap(piece, COMPARE + 0.5)} is not None`, level: COMPARE }),
  isEmpty: (piece) => python.not(piece),
};

const script: Words = {
  isPython: false,
  and: "&&",
  or: "||",
  equal: "===",
  differ: "!==",
  yes: "true",
  no: "false",
  nothing: "undefined",
  self: "this",
  emptyList: "[]",
  not: (piece) => ({ text: `!${wrap(piece, 16)}`, level: 16 }),
  length: (piece) => ({ text: `${wrap(piece, ATOM)}.length`, level: ATOM }),
  isNothing: (piece) => ({ text: `${wrap(piece, COMPARE + 0.5)} === undefined`, level: COMPARE }),
  isSomething: (piece) => ({ text: `${wrap(piece, COMPARE + 0.5)} !== undefined`, level: COMPARE }),
  isEmpty: (piece) => ({ text: `${wrap(piece, ATOM)}.length === 0`, level: COMPARE }),
};

/** The words of a file's language. */
export function wordsOf(isPython: boolean): Words {
  return isPython ? python : script;
}

/** A piece in parentheses where it binds more loosely than asked. */
export function wrap(piece: Piece, level: number): string {
  return piece.level < level ? `(${piece.text})` : piece.text;
}

/** A name, a call or another text that needs no parentheses. */
export function atom(text: string): Piece {
  return { text, level: ATOM };
}

/** Two pieces joined by an operator of any kind. */
export function join(left: Piece, operator: string, right: Piece, isPython: boolean): Piece {
  const level = levelOfOperator(operator, isPython);
  const isChain = level === COMPARE;
  return { text: `${wrap(left, isChain ? level + 0.5 : level)} ${operator} ${wrap(right, level + 0.5)}`, level };
}
