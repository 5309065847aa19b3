// A value passed through a well-known function first, or no longer.

import { ATOM } from "../syntax/binding.ts";
import type { Syntax } from "../syntax/tree.ts";
import { isValue, ungroup } from "../syntax/value.ts";
import type { Kind } from "../words/kinds.ts";
import type { Scene } from "../words/scene.ts";
import { atom, wrap } from "../words/words.ts";
import type { Operator } from "./operator.ts";
import { brief, type Proposal, pieceOf, rankCost, replacePiece } from "./proposal.ts";

type Table = Partial<Record<Kind, string[]>>;

/** `_` stands for the value, `(_)` in a method's place for a value that must bind tightly. */
const python: Table = {
  number: [
    "abs(_)",
    "int(_)",
    "round(_)",
    "-_",
    "max(0, _)",
    "str(_)",
    "float(_)",
    "round(_, 2)",
    "min(1, _)",
    "max(1, _)",
  ],
  string: [
    "_.strip()",
    "_.lower()",
    "_.upper()",
    "int(_)",
    "len(_)",
    "_.split()",
    "_[::-1]",
    "float(_)",
    "list(_)",
    "_.casefold()",
    "sorted(_)",
    "_.title()",
  ],
  list: [
    "sorted(_)",
    "len(_)",
    "list(_)",
    "set(_)",
    "_[::-1]",
    "reversed(_)",
    "sum(_)",
    "_.copy()",
    "tuple(_)",
    "max(_)",
    "min(_)",
    "_[0]",
    "_[-1]",
    "_[1:]",
    "_[:-1]",
    "list(dict.fromkeys(_))",
    "[list(row) for row in _]",
  ],
  dict: ["dict(_)", "_.copy()", "_.items()", "_.values()", "len(_)", "sorted(_)", "list(_)", "_.keys()"],
  set: ["sorted(_)", "set(_)", "_.copy()", "len(_)", "list(_)"],
  boolean: ["not _", "int(_)"],
  unknown: [
    "list(_)",
    "_.lower()",
    "_.strip()",
    "str(_)",
    "int(_)",
    "abs(_)",
    "len(_)",
    "sorted(_)",
    "dict(_)",
    "_.copy()",
    "float(_)",
    "-_",
    "max(0, _)",
    "set(_)",
    "sum(_)",
    "_[0]",
    "_[-1]",
    "tuple(_)",
  ],
};

const script: Table = {
  number: [
    "Math.abs(_)",
    "Math.floor(_)",
    "Math.round(_)",
    "Math.max(0, _)",
    "-_",
    "Math.trunc(_)",
    "Math.ceil(_)",
    "String(_)",
    "Math.min(1, _)",
    "Math.max(1, _)",
    "Math.round(_ * 100) / 100",
    "_.toFixed(2)",
  ],
  string: [
    "_.trim()",
    "_.toLowerCase()",
    "Number(_)",
    "_.toUpperCase()",
    "[..._]",
    "_.length",
    "_.split('')",
    "parseInt(_, 10)",
    "[..._].length",
  ],
  list: [
    "[..._]",
    "_.length",
    "_.slice()",
    "[..._].reverse()",
    "[...new Set(_)]",
    "_.slice(1)",
    "_.slice(0, -1)",
    "_.flat()",
    "new Set(_)",
    "_.map((row) => [...row])",
    "_[0]",
    "_.at(-1)",
    "_.reduce((sum, value) => sum + value, 0)",
    "Math.max(..._)",
  ],
  dict: ["{ ..._ }", "Object.keys(_)", "Object.values(_)", "Object.entries(_)", "structuredClone(_)", "new Map(_)"],
  set: ["[..._]", "new Set(_)", "_.size"],
  boolean: ["!_", "Number(_)"],
  unknown: [
    "[..._]",
    "String(_)",
    "Number(_)",
    "{ ..._ }",
    "_.toLowerCase()",
    "_.trim()",
    "Math.abs(_)",
    "-_",
    "_.length",
    "structuredClone(_)",
    "Math.floor(_)",
    "Math.max(0, _)",
    "_[0]",
    "_.at(-1)",
    "new Set(_)",
  ],
  object: ["{ ..._ }", "structuredClone(_)"],
};

/** A value wrapped in a well-known call, or freed of one. */
export const wraps: Operator = function* (node, scene) {
  if (!isValue(node)) return;
  if (node.role === "call") yield* unwrap(node, scene);
  if (node.role === "unary" && node.child("operator")?.text === "-" && node.child("argument")?.role !== "number")
    yield replacePiece(node, pieceOf(node.child("argument")!, scene.isPython), scene.isPython, "wrap", 3.5);
  if (!/^(?:name|member|index|call|binary|ternary)$/.test(node.role)) return;
  if (node.field === "function" || node.parent?.role === "express" || node.parent?.role === "group") return;
  const kind = scene.kinds.of(node);
  const table = scene.isPython ? python : script;
  const far = wrapCost(node);
  for (const [rank, form] of (table[kind] ?? []).entries()) {
    const piece = wrapped(node, form, scene);
    yield replacePiece(node, piece, scene.isPython, "wrap", far + 0.9 * rankCost(rank));
  }
};

function wrapCost(node: Syntax): number {
  switch (node.parent?.role) {
    case "return":
    case "assign":
    case "declarator":
    case "for":
    case "pair":
      return 3.8;
    case "arguments":
    case "keyword-argument":
    case "compare":
    case "for-clause":
      return 4;
    default:
      return 4.8;
  }
}

/** A value in a form of the tables. */
function wrapped(node: Syntax, form: string, scene: Scene) {
  const own = pieceOf(node, scene.isPython);
  const isTight = /_[.[]|-_|!_|_ \*/.test(form) || form === "not _";
  const text = form.replace("_", () => (isTight ? wrap(own, form === "not _" ? 6 : ATOM) : own.text));
  const level =
    form.startsWith("-") || form.startsWith("!") ? 16 : form === "not _" ? 6 : / [/*] /.test(form) ? 14 : ATOM;
  return { text, level };
}

function* unwrap(node: Syntax, scene: Scene): Generator<Proposal> {
  const called = node.child("function");
  const parts = node.child("arguments")?.parts ?? [];
  if (!called) return;
  const title = (piece: string): string => `${brief(node.text)} becomes ${brief(piece)}`;
  if (called.role === "name" && parts.length >= 1 && parts[0]!.role !== "spread") {
    for (const [rank, part] of parts.slice(0, 3).entries()) {
      if (part.role === "keyword-argument" || part.role === "comprehension" || part.role === "spread") continue;
      const piece = pieceOf(ungroup(part), scene.isPython);
      yield { ...replacePiece(node, piece, scene.isPython, "unwrap", 4.5 + rankCost(rank)), title: title(piece.text) };
    }
  }
  if (called.role === "member") {
    const object = called.child("object")!;
    const isPlain = /^[A-Z]/.test(object.text) || object.text === scene.words.self;
    if (isPlain && parts[0]) {
      const piece = pieceOf(parts[0], scene.isPython);
      yield { ...replacePiece(node, piece, scene.isPython, "unwrap", 4.5), title: title(piece.text) };
    } else if (!isPlain) {
      const piece = atom(object.text);
      yield { ...replacePiece(node, piece, scene.isPython, "unwrap", 4.5), title: title(piece.text) };
    }
  }
}
