// A value passed through a well-known function first, or no longer.

import { ATOM, NOT, type Piece } from "../../syntax/binding.ts";
import type { Syntax } from "../../syntax/tree.ts";
import { isValue, ungroup } from "../../syntax/value.ts";
import type { Kind } from "../../words/kinds.ts";
import type { Scene } from "../../words/scene.ts";
import { atom, wrap } from "../../words/words.ts";
import type { Operator } from "../operator.ts";
import { brief, type Proposal, pieceOf, rankCost, replacePiece } from "../proposal.ts";
import { wrapForms } from "./wrap-tables.ts";

/** A value wrapped in a well-known call, or freed of one. */
export const wraps: Operator = function* (node, scene) {
  if (!isValue(node)) return;
  if (node.role === "call") yield* unwrap(node, scene);
  if (node.role === "unary" && node.child("operator")?.text === "-" && node.child("argument")?.role !== "number")
    yield replacePiece(node, pieceOf(node.child("argument")!, scene.isPython), scene.isPython, "wrap", 3.5);
  if (!/^(?:name|member|index|call|binary|ternary|list|comprehension)$/.test(node.role)) return;
  if (node.field === "function" || node.parent?.role === "express" || node.parent?.role === "group") return;
  const kind = scene.kinds.of(node);
  const far = wrapCost(node);
  const wanted = scene.wantedAt(node);
  for (const [rank, form] of wrapForms(kind, scene.isPython).entries()) {
    const piece = wrapped(node, form, scene);
    const proposal = replacePiece(
      node,
      piece,
      scene.isPython,
      "wrap",
      far + 0.9 * rankCost(rank) + mismatch(form, kind, wanted),
    );
    yield { ...proposal, idea: `wrap ${form}` };
  }
};

/** How little a form gives what the place wants. */
function mismatch(form: string, kind: Kind, wanted: Kind): number {
  if (wanted === "unknown") return 0;
  const made = kindOfForm(form, kind);
  return made === "unknown" || made === wanted ? 0 : 3;
}

function kindOfForm(form: string, kind: Kind): Kind {
  if (/^(?:abs|int|round|len|sum|float|-|max\(\d|min\(\d|Math|Number|parseInt)|\.length$|\.size$/.test(form))
    return "number";
  if (
    /^(?:str|String)\(|\.(?:strip|lower|upper|casefold|title|trim|toLowerCase|toUpperCase|toFixed|rstrip|zfill)\(/.test(
      form,
    )
  )
    return "string";
  if (
    /^(?:list|sorted|tuple|reversed|\[)|split|\.(?:items|keys|values|slice|filter|map|flat|reverse)\(|^Object\./.test(
      form,
    )
  )
    return "list";
  if (/^(?:set\(|new Set)/.test(form)) return "set";
  if (/^(?:dict|\{ \.\.\.)/.test(form)) return "dict";
  return /^(?:not |!)/.test(form) ? "boolean" : /copy|clone| or | \|\| /.test(form) ? kind : "unknown";
}

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
    case "tuple":
    case "list":
      return 4;
    default:
      return 4.8;
  }
}

/** A value in a form of the tables. */
function wrapped(node: Syntax, form: string, scene: Scene): Piece {
  const own = pieceOf(node, scene.isPython);
  const outer = /^not /.test(form)
    ? NOT
    : /^[-!]/.test(form)
      ? 16
      : / or | \|\| /.test(form) && !form.includes("(")
        ? 4
        : / \/ /.test(form)
          ? 14
          : ATOM;
  const inner = /_[.[]|-_|!_/.test(form) ? ATOM : /_ \*/.test(form) ? 14 : outer === ATOM ? 0 : outer;
  return { text: form.replace("_", () => wrap(own, inner)), level: outer };
}

/** A value passed through one of the program's own functions. */
export const ownWraps: Operator = function* (node, scene) {
  if (!isValue(node) || !/^(?:name|member|index)$/.test(node.role) || node.field === "function") return;
  if (node.parent?.role === "member" || scene.kinds.of(node) === "function") return;
  const around = node.above("function");
  let rank = 0;
  for (const [name, declared] of scene.functions) {
    const parameters = (declared.child("parameters")?.parts ?? []).filter(
      ({ text }) => !/^(?:self|cls|this)\b/.test(text),
    );
    const needed = parameters.filter((part) => part.role !== "parameter" || !part.child("value"));
    if (needed.length !== 1 || declared === around || /^(?:__|constructor$)/.test(name) || rank > 4) continue;
    const kin = declared.above("class");
    if (kin && kin !== node.above("class")) continue;
    const call = atom(`${kin ? `${scene.words.self}.` : ""}${name}(${node.text})`);
    const proposal = replacePiece(node, call, scene.isPython, "wrap", 4.8 + 0.8 * rankCost(rank++));
    yield { ...proposal, idea: `wrap ${name}` };
  }
};

/** A value passed through a function of a module that the file calls elsewhere: `math.radians`, `html.escape`. */
export const seenCalls: Operator = function* (node, scene) {
  if (!isValue(node) || !/^(?:name|member|index|binary|call)$/.test(node.role) || node.field === "function") return;
  if (/^(?:express|group|member)$/.test(node.parent?.role ?? "")) return;
  for (const [rank, called] of scene.modulesCalled.slice(0, 6).entries()) {
    const piece = atom(`${called}(${node.text})`);
    if (node.child("function")?.text === called || node.parent?.parent?.child("function")?.text === called) continue;
    yield { ...replacePiece(node, piece, scene.isPython, "wrap", 4.6 + 0.6 * rank), idea: `wrap ${called}` };
  }
};

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
