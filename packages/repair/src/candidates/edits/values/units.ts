// Other units: a value times, divided by or modulo a well-known number; what is left of a whole.

import type { Syntax } from "../../syntax/tree.ts";
import { isValue } from "../../syntax/value.ts";
import type { Scene } from "../../words/scene.ts";
import { atom, join } from "../../words/words.ts";
import type { Operator } from "../operator.ts";
import { type Proposal, pieceOf, rankCost, replacePiece } from "../proposal.ts";

const FACTORS = [100, 1000, 60, 2, 10, 3600];
/** Words that are measured in units: seconds, cents, percents, angles. */
const measured =
  /time|date|now|second|sec|minute|hour|day|ms|cent|amount|price|rate|percent|pct|ratio|angle|deg|elapsed/i;

/** Values in another unit. */
export const units: Operator = function* (node, scene) {
  if (!isValue(node) || !/^(?:name|member|call|binary|index)$/.test(node.role) || node.field === "function") return;
  const above = node.parent?.role ?? "";
  if (/^(?:express|member|index|template)$/.test(above) || (above === "group" && node.role !== "binary")) return;
  if (node.role === "binary" && above === "binary") return;
  const kind = scene.kinds.of(node);
  if (kind !== "number" && kind !== "unknown") return;
  const far =
    5.2 + (kind === "unknown" ? 1 : 0) + (above === "compare" ? 0.6 : 0) - (measured.test(node.text) ? 0.6 : 0);
  yield* scaled(node, far, scene);
  if (node.role === "name" || node.role === "member" || node.role === "index") yield* complements(node, far, scene);
};

function* scaled(node: Syntax, far: number, scene: Scene): Generator<Proposal> {
  const { isPython } = scene;
  const near = scene.ingredients.numbersIn(node).filter((value) => value > 1);
  const operators = isPython ? ["/", "*", "%", "//"] : ["/", "*", "%"];
  for (const [rank, factor] of [...new Set([...near.slice(0, 4), ...FACTORS])].entries()) {
    for (const [step, operator] of operators.entries()) {
      const piece = join(pieceOf(node, isPython), operator, atom(String(factor)), isPython);
      const strange = operator === "%" && !near.includes(factor) ? 1 : 0;
      yield replacePiece(node, piece, isPython, "unit", far + 0.7 * rankCost(rank) + 0.4 * step + strange);
    }
  }
}

/** `x` where `n - x` was meant. */
function* complements(node: Syntax, far: number, scene: Scene): Generator<Proposal> {
  const { isPython } = scene;
  const numbers = scene.ingredients.numbersIn(node).filter((value) => value > 1 && Number.isInteger(value));
  const names = scene.atomsAt(node).filter(({ kind, text }) => kind === "number" && text !== node.text);
  const wholes = [...new Set([1, ...numbers.slice(0, 4)])].map(String);
  for (const [rank, whole] of [...wholes, ...names.slice(0, 4).map(({ text }) => text)].entries()) {
    const piece = join(atom(whole), "-", pieceOf(node, isPython), isPython);
    yield replacePiece(node, piece, isPython, "complement", far + 0.4 + 0.6 * rankCost(rank));
  }
}
