// Formulas that everyone has to get right once: leap years, medians, check digits.

import type { Syntax } from "../../syntax/tree.ts";
import { ifLines, insertAfter } from "../../words/layout.ts";
import type { Scene } from "../../words/scene.ts";
import type { Operator } from "../operator.ts";
import { type Proposal, pieceOf, replacePiece } from "../proposal.ts";

/** Well-known formulas, completed. */
export const formulas: Operator = function* (node, scene) {
  if (node.role === "compare" || node.role === "logic") yield* leapYear(node, scene);
  if (node.role === "index") yield* median(node, scene);
  if (node.role === "express") yield* checkDigit(node, scene);
};

function* leapYear(node: Syntax, scene: Scene): Generator<Proposal> {
  const { and, or, equal, differ } = scene.words;
  const match = /^(.+?) % 4 ={2,3} 0(?: (?:and|&&) \1 % (?:100|400) !={1,2} 0)?$/.exec(node.text);
  if (!match || (node.role === "compare" && node.parent?.role === "logic")) return;
  const year = match[1]!;
  const text = `${year} % 4 ${equal} 0 ${and} (${year} % 100 ${differ} 0 ${or} ${year} % 400 ${equal} 0)`;
  yield replacePiece(node, { text, level: 5 }, scene.isPython, "formula", 2.5);
}

/** The middle of an even number of values is the mean of two. */
function* median(node: Syntax, scene: Scene): Generator<Proposal> {
  const [list, at] = [node.child("object"), node.child("index")];
  if (!list || !at || (at.role !== "name" && at.role !== "binary" && at.role !== "call")) return;
  const length = scene.words.length({ text: list.text, level: 20 }).text;
  const halves = scene.isPython ? `${length} // 2` : `Math.floor(${length} / 2)`;
  const isHalf = at.text === halves || scene.source.text.includes(`${at.text} = ${halves}`);
  if (!isHalf || node.parent?.role === "binary") return;
  const two = `(${list.text}[${at.text} - 1] + ${list.text}[${at.text}]) / 2`;
  const even = `${length} % 2 ${scene.words.equal} 0`;
  const text = scene.isPython ? `${two} if ${even} else ${node.text}` : `${even} ? ${two} : ${node.text}`;
  yield replacePiece(node, { text, level: 2 }, scene.isPython, "formula", 3);
}

/** The digits of a doubled digit are added up. */
function* checkDigit(node: Syntax, scene: Scene): Generator<Proposal> {
  const inner = node.parts[0];
  const target = inner?.child("left");
  if (
    inner?.role !== "augment" ||
    inner.child("operator")?.text !== "*=" ||
    inner.child("right")?.text !== "2" ||
    !target
  )
    return;
  const { text } = pieceOf(target, scene.isPython);
  const lines = ifLines(`${text} > 9`, [`${text} -= 9${scene.style.end}`], scene.style, scene.isPython);
  const change = insertAfter(node, lines, scene.style);
  if (change)
    yield { kind: "formula", cost: 4, edits: [change], title: `take 9 off where ${text} has two digits`, at: node };
}
