// One too many, one too few: indices, slices, ranges, bounds, counts.

import type { Syntax } from "../../syntax/tree.ts";
import { isValue, ungroup } from "../../syntax/value.ts";
import type { Scene } from "../../words/scene.ts";
import { atom, join } from "../../words/words.ts";
import type { Operator } from "../operator.ts";
import { brief, type Proposal, pieceOf, replacePiece } from "../proposal.ts";

const wrapped = new Set(["name", "member", "call", "index", "binary", "update"]);
const counting =
  /^(?:range|islice|slice|substring|substr|splice|at|charAt|insert|fill|padStart|padEnd|repeat|setDate|setMonth)$/;

/** An expression and one more, or one less; or without the one that it adds. */
export const offByOne: Operator = function* (node, scene) {
  if (!isValue(node)) return;
  if (node.role === "binary") yield* dropOne(node, scene);
  if (!wrapped.has(node.role)) return;
  const kind = scene.kinds.of(node);
  if (kind !== "number" && kind !== "unknown") return;
  const base = baseCost(node);
  if (base === undefined) return;
  const cost = base + (kind === "unknown" ? 1.5 : 0);
  const first = isUpperBound(node) ? "+" : "-";
  for (const [rank, operator] of [first, first === "+" ? "-" : "+"].entries()) {
    const piece = join(pieceOf(node, scene.isPython), operator, atom("1"), scene.isPython);
    yield { ...replacePiece(node, piece, scene.isPython, "off-by-one", cost + 0.5 * rank) };
  }
};

/** How far-fetched one more or less is where the expression stands; undefined where it makes no sense. */
function baseCost(node: Syntax): number | undefined {
  const above = node.parent!;
  switch (above.role) {
    case "index":
      return node.field === "index" ? 3 : undefined;
    case "slice":
      return 3;
    case "compare":
      return 3.5;
    case "arguments": {
      const called = above.parent?.child("function");
      const name = (called?.child("property") ?? called)?.text ?? "";
      return counting.test(name) ? 3 : 4.8;
    }
    case "binary": {
      const operator = above.child("operator")?.text ?? "";
      // Inside a sum it is the same as around the sum.
      if (operator === "+" || operator === "-") return undefined;
      return 4.2;
    }
    case "return":
    case "declarator":
    case "assign":
    case "augment":
    case "yield":
      return 4;
    case "group":
      return undefined;
    case "member":
    case "call":
    case "for":
    case "for-clause":
    case "spread":
    case "express":
    case "logic":
    case "not":
      return undefined;
    default:
      return 5;
  }
}

function isUpperBound(node: Syntax): boolean {
  const above = node.parent!;
  if (above.role === "arguments") return above.parts.at(-1) === node;
  return above.role === "slice" || above.role === "compare";
}

function* dropOne(node: Syntax, scene: Scene): Generator<Proposal> {
  const operator = node.child("operator")!.text;
  const right = ungroup(node.child("right")!);
  if ((operator !== "+" && operator !== "-") || right.role !== "number") return;
  const piece = pieceOf(node.child("left")!, scene.isPython);
  yield {
    ...replacePiece(node, piece, scene.isPython, "off-by-one", 3.6),
    title: `drop ${operator} ${right.text} of ${brief(node.text)}`,
  };
}

/** Slices with other bounds, and ranges that begin elsewhere. */
export const bounds: Operator = function* (node, scene) {
  if (node.role === "slice") yield* sliceBounds(node);
  if (!scene.isPython || node.role !== "call" || node.child("function")?.text !== "range") return;
  const list = node.child("arguments")!;
  const [one, two, three] = list.parts;
  const withArguments = (text: string, cost: number): Proposal => ({
    kind: "bounds",
    cost,
    edits: [{ start: list.start, end: list.end, text: `(${text})` }],
    title: `${brief(node.text)} becomes range(${brief(text)})`,
    at: node,
  });
  if (!one || list.parts.some((part) => part.role === "spread")) return;
  if (!two) {
    const more = join(pieceOf(one, true), "+", atom("1"), true).text;
    const less = join(pieceOf(one, true), "-", atom("1"), true).text;
    yield withArguments(`1, ${one.text}`, 3.2);
    yield withArguments(`1, ${more}`, 3.5);
    yield withArguments(`${less}, -1, -1`, 4.5);
    if (scene.kinds.of(one) !== "number") yield withArguments(`len(${one.text})`, 4.5);
    return;
  }
  if (three) yield withArguments(`${one.text}, ${two.text}`, 4.5);
  else {
    yield withArguments(two.text, 4.5);
    yield withArguments(`${one.text}, ${two.text}, -1`, 5);
    yield withArguments(`${oneLess(two)}, ${oneLess(one)}, -1`, 4);
    yield withArguments(`${one.text}, ${two.text}, 2`, 5.5);
    const [more, below] = [
      join(pieceOf(one, true), "+", atom("1"), true),
      join(pieceOf(two, true), "+", atom("1"), true),
    ];
    yield withArguments(`${more.text}, ${below.text}`, 5);
    for (const name of scene
      .namesAt(node)
      .filter(({ kind }) => kind === "number")
      .slice(0, 4))
      yield withArguments(`${one.text}, ${two.text}, ${name.text}`, 6);
  }
};

/** An expression and one less, without a `+ 1` that it may have. */
function oneLess(node: Syntax): string {
  if (node.role === "number") return String(Number(node.text) - 1);
  const isMore = node.role === "binary" && node.child("operator")?.text === "+" && node.child("right")?.text === "1";
  return isMore ? node.child("left")!.text : join(pieceOf(node, true), "-", atom("1"), true).text;
}

function* sliceBounds(node: Syntax): Generator<Proposal> {
  const colons = node.children.filter((child) => child.type === ":");
  const [start, end] = [
    node.parts.find((part) => part.start < colons[0]!.start),
    node.parts.find((part) => part.start > colons[0]!.start && part.end <= (colons[1]?.start ?? node.end)),
  ];
  const step = colons[1] ? node.text.slice(colons[1].start - node.start) : "";
  const become = (text: string, cost: number): Proposal => ({
    kind: "bounds",
    cost,
    edits: [{ start: node.start, end: node.end, text }],
    title: `[${brief(node.text)}] becomes [${brief(text)}]`,
    at: node,
  });
  if (!start) yield become(`1:${end?.text ?? ""}${step}`, 3.8);
  if (!end) yield become(`${start?.text ?? ""}:-1${step}`, 4);
  if (start) yield become(`:${end?.text ?? ""}${step}`, 4.2);
  if (end) yield become(`${start?.text ?? ""}:${step}`, 4.2);
  if (start && !end && !step) yield become(`:${start.text}`, 4.2);
  if (end && !start && !step) yield become(`${end.text}:`, 4.2);
  if (!step) yield become(`${start?.text ?? ""}:${end?.text ?? ""}:-1`, 5.5);
  else yield become(`${start?.text ?? ""}:${end?.text ?? ""}`, 4.5);
  for (const bound of [start, end]) {
    if (!bound) continue;
    const other = bound.text.startsWith("-")
      ? bound.text.slice(1)
      : `-${/^\w+$/.test(bound.text) ? bound.text : `(${bound.text})`}`;
    yield become(bound === start ? `${other}:${end?.text ?? ""}${step}` : `${start?.text ?? ""}:${other}${step}`, 4.8);
  }
}
