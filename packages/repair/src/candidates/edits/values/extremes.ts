// Values kept within bounds, rounded up, taken round a circle.

import type { Syntax } from "../../syntax/tree.ts";
import { isValue, ungroup } from "../../syntax/value.ts";
import type { Scene } from "../../words/scene.ts";
import { atom, join, wrap } from "../../words/words.ts";
import type { Operator } from "../operator.ts";
import { type Proposal, pieceOf, rankCost, replacePiece } from "../proposal.ts";

/** The larger or the smaller of a value and another one. */
export const extremes: Operator = function* (node, scene) {
  if (!isValue(node) || !/^(?:name|member|index|call|binary)$/.test(node.role) || node.field === "function") return;
  const above = node.parent?.role;
  if (above === "express" || above === "group" || above === "binary" || above === "compare" || above === "index")
    return;
  const kind = scene.kinds.of(node);
  if (kind !== "number" && kind !== "unknown") return;
  const [least, most] = scene.isPython ? ["min", "max"] : ["Math.min", "Math.max"];
  const others = scene
    .atomsAt(node)
    .filter(
      (usable) =>
        usable.text !== node.text && (usable.kind === "number" || (usable.kind === "unknown" && usable.distance === 0)),
    );
  const lists = scene.atomsAt(node).filter((usable) => usable.kind === "list");
  const bounds = [
    ...others.slice(0, 7).map(({ text }) => text),
    ...others.slice(0, 6).map(({ text }) => `${text} - 1`),
    ...lists.slice(0, 2).map(({ text }) => `${scene.words.length({ text, level: 20 }).text} - 1`),
  ];
  const strange = kind === "unknown" ? 1.2 : 0;
  const isPlace = above === "assign" || above === "return" || above === "declarator" || above === "augment" ? 0 : 0.7;
  for (const [rank, other] of bounds.entries()) {
    for (const [step, name] of [most, least].entries()) {
      const piece = atom(`${name}(${other}, ${node.text})`);
      yield replacePiece(
        node,
        piece,
        scene.isPython,
        "extreme",
        5 + strange + isPlace + 0.8 * rankCost(rank) + 0.3 * step,
      );
    }
  }
};

/** `min(low, max(high, x))` for `max(low, min(high, x))`. */
export const nestedExtremes: Operator = function* (node) {
  const outer = node.role === "call" ? node.child("function") : undefined;
  const inner = node
    .child("arguments")
    ?.parts.find(({ role }) => role === "call")
    ?.child("function");
  const [one, other] = [outer, inner].map((called) => /(?:^|\.)(min|max)$/.exec(called?.text ?? "")?.[1]);
  if (!outer || !inner || !one || !other || one === other) return;
  yield {
    kind: "extreme",
    cost: 3.4,
    edits: [
      { start: outer.start, end: outer.end, text: inner.text },
      { start: inner.start, end: inner.end, text: outer.text },
    ],
    title: `${outer.text} and ${inner.text} swapped`,
    at: node,
  };
};

/** Quotients that were to be rounded up, sums that were to go round. */
export const rounding: Operator = function* (node, scene) {
  if (node.role !== "binary") return;
  const [left, right] = [node.child("left")!, node.child("right")!];
  const operator = node.child("operator")!.text;
  if (scene.isPython && operator === "//") yield* roundUp(node, left, right);
  if (operator === "+" || operator === "-") yield* around(node, scene);
  if (scene.isPython && operator === "+" && ungroup(left).role === "binary" && right.text === "1") {
    const inner = ungroup(left);
    if (inner.child("operator")?.text === "//") yield* roundUp(node, inner.child("left")!, inner.child("right")!);
  }
};

function* roundUp(node: Syntax, left: Syntax, right: Syntax): Generator<Proposal> {
  const [over, by] = [wrap(pieceOf(left, true), 13), wrap(pieceOf(right, true), 14.5)];
  yield replacePiece(node, { text: `(${over} + ${by} - 1) // ${by}`, level: 14 }, true, "rounding", 3.8);
  yield replacePiece(node, { text: `-(-${wrap(pieceOf(left, true), 16)} // ${by})`, level: 16 }, true, "rounding", 5.5);
}

/** `x + n` becomes `(x + n) % k`. */
function* around(node: Syntax, scene: Scene): Generator<Proposal> {
  const indexed = node.field === "index" ? node.parent!.child("object")! : undefined;
  if (indexed) {
    const size = scene.words.length(atom(indexed.text));
    yield replacePiece(
      node,
      join(pieceOf(node, scene.isPython), "%", size, scene.isPython),
      scene.isPython,
      "rounding",
      4,
    );
  }
  if (scene.kinds.of(node) !== "number") return;
  const numbers = scene.ingredients.numbersIn(node).filter((value) => value > 1 && Number.isInteger(value));
  const names = scene
    .atomsAt(node)
    .filter(({ kind, text }) => kind === "number" && !node.text.includes(text))
    .slice(0, 4);
  const lists = scene
    .atomsAt(node)
    .filter(({ kind }) => kind === "list")
    .slice(0, 2);
  const sizes = [
    ...[...new Set([...numbers.slice(0, 4), 26, 10, 12, 24, 7, 60])].map(String),
    ...names.map(({ text }) => text),
    ...lists.map(({ text }) => scene.words.length(atom(text)).text),
  ];
  const own = pieceOf(node, scene.isPython);
  for (const [rank, size] of sizes.entries()) {
    const piece = join(own, "%", atom(size), scene.isPython);
    yield replacePiece(node, piece, scene.isPython, "rounding", 5.5 + 0.7 * rankCost(rank));
  }
}
