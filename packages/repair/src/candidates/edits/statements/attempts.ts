// What may fail is tried; what must be done in any case is done at the end.

import type { Syntax } from "../../syntax/tree.ts";
import { layLines, linesOf, relativeLines, statementsIn } from "../../words/layout.ts";
import type { Scene } from "../../words/scene.ts";
import { indentOf } from "../../words/style.ts";
import type { Operator } from "../operator.ts";
import { brief, type Proposal, rankCost } from "../proposal.ts";

/** Statements in a try, with what to do when they fail. */
export const attempts: Operator = function* (node, scene) {
  const above = node.parent?.role;
  if ((above !== "block" && above !== "case") || !linesOf(node) || !node.above("function", "function-expression"))
    return;
  if (node.role === "return" || node.role === "express") yield* caught(node, scene);
  yield* atTheEnd(node, scene);
};

function* caught(node: Syntax, scene: Scene): Generator<Proposal> {
  const kind = scene.isPython
    ? faultOf(node)
    : /JSON\.parse|decodeURI|BigInt\(|new URL/.test(node.text)
      ? "error"
      : undefined;
  if (!kind) return;
  const isInLoop = node.above("for", "while", "count", "function", "function-expression")?.role !== "function";
  const ways = [
    scene.isPython ? "return None" : "return undefined",
    ...(scene.isPython ? [] : ["return null"]),
    "return 0",
    `return ${scene.words.no}`,
    ...(isInLoop ? ["continue"] : []),
  ];
  const lines = relativeLines(node, scene.style).map((line) => `\t${line}`);
  const { end } = scene.style;
  for (const [rank, way] of ways.entries()) {
    const whole = scene.isPython
      ? ["try:", ...lines, `except ${kind}:`, `\t${way}`]
      : ["try {", ...lines, "} catch {", `\t${way}${end}`, "}"];
    yield {
      kind: "attempt",
      cost: 5.5 + rankCost(rank),
      edits: [replaced(node, node, whole, scene)],
      title: `try ${brief(node.text)}, else ${way}`,
      at: node,
    };
  }
}

/** What a statement's calls may fail with. */
function faultOf(node: Syntax): string | undefined {
  if (/\b(?:int|float|Decimal|index|strptime|fromisoformat)\(/.test(node.text)) return "ValueError";
  if ([...node.walk()].some((part) => part.role === "index" && part.child("index")?.role !== "slice"))
    return "(KeyError, IndexError)";
  return / \/ | % | \/\/ /.test(node.text) ? "ZeroDivisionError" : undefined;
}

/** A statement after one that may fail, done all the same. */
function* atTheEnd(node: Syntax, scene: Scene): Generator<Proposal> {
  const siblings = statementsIn(node.parent!);
  const at = siblings.indexOf(node);
  const [before, after] = [siblings[at - 1], siblings[at + 1]];
  if (node.role !== "express" || !before || !linesOf(before) || !/\(/.test(before.text)) return;
  const last = relativeLines(node, scene.style).map((line) => `\t${line}`);
  const wrapped = (tried: readonly string[]): string[] =>
    scene.isPython ? ["try:", ...tried, "finally:", ...last] : ["try {", ...tried, "} finally {", ...last, "}"];
  const made = madeBy(before);
  if (made && after?.role === "return" && after.child("value")?.text === made.name) {
    const lines = wrapped([`\treturn ${made.value}${scene.style.end}`]);
    yield {
      kind: "attempt",
      cost: 4.5,
      edits: [replaced(before, after, lines, scene)],
      title: `${brief(node.text)} in any case`,
      at: node,
    };
  }
  if (before.role === "express") {
    const lines = wrapped(relativeLines(before, scene.style).map((line) => `\t${line}`));
    yield {
      kind: "attempt",
      cost: 5.5,
      edits: [replaced(before, node, lines, scene)],
      title: `${brief(node.text)} in any case`,
      at: node,
    };
  }
}

/** The name and the value of a variable that a statement makes. */
function madeBy(statement: Syntax): { name: string; value: string } | undefined {
  const inner = statement.parts[0];
  const [name, value] = [inner?.child("left") ?? inner?.child("name"), inner?.child("right") ?? inner?.child("value")];
  return name?.role === "name" && value ? { name: name.text, value: value.text } : undefined;
}

function replaced(first: Syntax, last: Syntax, lines: readonly string[], scene: Scene) {
  const indent = indentOf(first);
  const text = layLines(lines, indent, scene.style).slice(indent.length).trimEnd();
  return { start: first.start, end: last.end, text };
}
