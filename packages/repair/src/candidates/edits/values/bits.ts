// Bits: clearing one is not toggling it.

import { levelOfOperator } from "../../syntax/binding.ts";
import { wrap } from "../../words/words.ts";
import type { Operator } from "../operator.ts";
import { pieceOf, replacePiece } from "../proposal.ts";

/** `flags ^ bit` and `flags & bit` where `flags & ~bit` was meant, and the other way round. */
export const bits: Operator = function* (node, scene) {
  const { isPython } = scene;
  const operator = node.child("operator")?.text ?? "";
  const right = node.child("right");
  if (!right || (node.role !== "binary" && node.role !== "augment")) return;
  const own = pieceOf(right, isPython);
  const level = levelOfOperator("&", isPython);
  if (node.role === "augment") {
    if (!/^(?:\^|&|\||-)=$/.test(operator)) return;
    const text = `${node.child("left")!.text} &= ~${wrap(own, 16)}`;
    yield replacePiece(node, { text, level: 1 }, isPython, "bits", operator === "-=" ? 5 : 3);
    return;
  }
  if (!/^[\^&|]$/.test(operator)) return;
  const left = wrap(pieceOf(node.child("left")!, isPython), level);
  const isInverse = right.role === "unary" && right.text.startsWith("~");
  if (isInverse)
    yield replacePiece(
      node,
      { text: `${left} ${operator} ${right.child("argument")!.text}`, level },
      isPython,
      "bits",
      3.5,
    );
  else
    yield replacePiece(
      node,
      { text: `${left} & ~${wrap(own, 16)}`, level },
      isPython,
      "bits",
      operator === "^" ? 3 : 4,
    );
};
