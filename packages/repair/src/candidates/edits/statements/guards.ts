// Guard clauses: a case that is dealt with first; and statements that are done only under a condition.

import type { Syntax } from "../../syntax/tree.ts";
import { conditionsFor } from "../../words/conditions.ts";
import { ifLines, layLines, linesOf, relativeLines, statementsIn } from "../../words/layout.ts";
import type { Scene } from "../../words/scene.ts";
import { indentOf } from "../../words/style.ts";
import type { Operator } from "../operator.ts";
import { brief, type Change, rankCost } from "../proposal.ts";
import { gapsAt, isFirst } from "./gaps.ts";

/** An early way out before a statement. */
export const guards: Operator = function* (node, scene) {
  const gap = gapsAt(node, scene)[0];
  if (!gap) return;
  const isOpening = isFirst(node);
  const ways = waysOut(node, scene);
  for (const { piece, cost } of conditionsFor(node, scene, isOpening ? 56 : 36)) {
    for (const [rank, { text, far }] of ways.slice(0, 7).entries()) {
      const change = gap.insert(ifLines(piece.text, [text + scene.style.end], scene.style, scene.isPython));
      if (!change) continue;
      yield {
        kind: "guard-clause",
        cost: 5 + cost + far + 0.5 * rankCost(rank) + (isOpening ? 0 : 1),
        edits: [change],
        title: `insert if ${brief(piece.text)}: ${brief(text)}`,
        at: node,
      };
    }
  }
};

/** How to leave at a place: what its function does elsewhere first. */
function waysOut(place: Syntax, scene: Scene): { text: string; far: number }[] {
  const owner = place.above("function", "function-expression");
  if (!owner) return [];
  const ways = new Map<string, number>();
  const add = (text: string, far: number): void => {
    if (!ways.has(text) || ways.get(text)! > far) ways.set(text, far);
  };
  const loop = place.above("for", "while", "count", "do", "function", "function-expression");
  const isInLoop = loop !== owner && loop?.role !== "function-expression";
  if (isInLoop) {
    add("continue", 0);
    add("break", 0.5);
  }
  const returned = [...owner.walk()].filter(
    (node) => node.role === "return" && node.above("function", "function-expression") === owner,
  );
  for (const statement of returned) {
    const value = statement.child("value");
    if (!value) add("return", 0);
    else if (scene.canUse(value, place) && value.text.length < 40)
      add(`return ${value.text}`, isConstant(value) ? 0 : 0.8);
  }
  const kinds = new Set(returned.flatMap((node) => node.child("value") ?? []).map((value) => scene.kinds.of(value)));
  for (const [text, far] of emptyOf(kinds, scene)) add(`return ${text}`, far + (isInLoop ? 1 : 0));
  for (const { text, what } of scene.namesAt(place).slice(0, 4)) if (what === "parameter") add(`return ${text}`, 1.5);
  if (returned.length === 0) add("return", 0.3);
  for (const [rank, raised] of scene.raised.entries())
    if (scene.canUse(raised, place)) add(raised.text.replace(/;$/, ""), owner.contains(raised) ? 0.5 : 1 + 0.3 * rank);
  for (const name of scene.ingredients.testErrors.slice(0, 2)) {
    if (scene.raised.some(({ text }) => text.includes(name))) continue;
    const said = scene.isPython ? `raise ${name}("invalid argument")` : `throw new ${name}('invalid argument')`;
    if (!scene.isDeclared(name) && !/Error$/.test(name)) continue;
    add(said, 1.5);
  }
  return [...ways].map(([text, far]) => ({ text, far })).sort((a, b) => a.far - b.far);
}

function emptyOf(kinds: ReadonlySet<string>, { words, isPython }: Scene): [string, number][] {
  const found: [string, number][] = [];
  if (kinds.has("number")) found.push(["0", 0.5], ["-1", 2]);
  if (kinds.has("string")) found.push([isPython ? '""' : "''", 0.5]);
  if (kinds.has("list")) found.push(["[]", 0.5]);
  if (kinds.has("dict")) found.push(["{}", 0.5]);
  if (kinds.has("boolean")) found.push([words.no, 0.3], [words.yes, 0.5]);
  found.push([isPython ? "None" : "undefined", 1.5]);
  if (!isPython) found.push(["null", 2]);
  return found;
}

function isConstant(value: Syntax): boolean {
  return (
    /^(?:number|string|boolean|nothing)$/.test(value.role) ||
    (value.parts.length === 0 && /^(?:list|dict)$/.test(value.role))
  );
}

/** A statement, or it and all that follow it in its block, done only where a condition holds. */
export const wrappings: Operator = function* (node, scene) {
  if (!/^(?:express|return|for|while|if|count|raise|break|continue|delete)$/.test(node.role)) return;
  const above = node.parent;
  if (
    !linesOf(node) ||
    (above?.role !== "block" && above?.role !== "case") ||
    !node.above("function", "function-expression")
  )
    return;
  const lines = relativeLines(node, scene.style);
  const siblings = statementsIn(above);
  const next = siblings[siblings.indexOf(node) + 1];
  const isFollowed =
    next !== undefined && linesOf(next) !== undefined && next.role !== "return" && next.role !== "function";
  const both = isFollowed ? [...lines, ...relativeLines(next, scene.style)] : [];
  for (const { piece, cost } of conditionsFor(node, scene, 30)) {
    const title = `only if ${brief(piece.text)}: ${brief(node.text)}`;
    const base = { kind: "condition-added", title, at: node };
    const far = node.role === "return" ? 1 : 0;
    yield { ...base, cost: 5 + cost + far, edits: [under(piece.text, lines, node, node, scene)] };
    if (isFollowed) yield { ...base, cost: 6 + cost + far, edits: [under(piece.text, both, node, next, scene)] };
  }
};

/** Lines under a condition, in the place of the statements from one to another. */
function under(condition: string, lines: readonly string[], first: Syntax, last: Syntax, scene: Scene): Change {
  const indent = indentOf(first);
  const text = layLines(ifLines(condition, lines, scene.style, scene.isPython), indent, scene.style);
  return { start: first.start, end: last.end, text: text.slice(indent.length).trimEnd() };
}
