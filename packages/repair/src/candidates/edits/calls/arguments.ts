// Arguments: their order, one too many, one that is missing.

import type { Syntax } from "../../syntax/tree.ts";
import type { Scene } from "../../words/scene.ts";
import type { Operator } from "../operator.ts";
import { brief, type Proposal, rankCost } from "../proposal.ts";
import { missingArguments } from "./argument-tables.ts";

/** Calls with arguments swapped, dropped or added. */
export const callArguments: Operator = function* (node, scene) {
  if (node.role !== "call" && node.role !== "new") return;
  const list = node.child("arguments");
  if (list?.role !== "arguments") return;
  const parts = list.parts;
  yield* swapNeighbors(node, parts, 3.5);
  if (parts.length > 1 || (parts.length === 1 && node.role === "call")) {
    for (const part of parts) {
      const cost = part.role === "keyword-argument" ? 4.5 : parts.length > 1 ? 5 : 6;
      yield rewrite(node, list, without(parts, part), cost, `drop ${brief(part.text)} from ${calledName(node)}()`);
    }
  }
  yield* addArguments(node, list, scene);
};

function* swapNeighbors(node: Syntax, parts: readonly Syntax[], cost: number): Generator<Proposal> {
  for (const [at, one] of parts.entries()) {
    for (const other of parts.slice(at + 1)) {
      if (one.text === other.text || [one, other].some((part) => /spread|keyword/.test(part.role))) continue;
      yield {
        kind: "argument-order",
        cost: cost + (parts.length > 2 ? 0.5 : 0),
        edits: [
          { start: one.start, end: one.end, text: other.text },
          { start: other.start, end: other.end, text: one.text },
        ],
        title: `swap ${brief(one.text)} and ${brief(other.text)} in ${calledName(node)}`,
        at: node,
      };
    }
  }
}

function* addArguments(node: Syntax, list: Syntax, scene: Scene): Generator<Proposal> {
  const parts = list.parts.map(({ text }) => text);
  const name = calledName(node);
  for (const [rank, added] of missingArguments(name, parts, scene.isPython).entries()) {
    const texts = added.first ? [added.text, ...parts] : [...parts, added.text];
    yield rewrite(
      node,
      list,
      texts,
      3.2 + 0.8 * rankCost(rank),
      `${name}(${brief(parts.join(", "))}) takes ${added.text} too`,
    );
  }
  for (const text of scene.unusedImports.slice(0, 3))
    if (/^[A-Z]/.test(text)) yield rewrite(node, list, [...parts, text], 4.2, `${name}() takes ${text} too`);
  const declared = parametersOf(name, scene);
  if (!declared || parts.length >= declared.length) return;
  // The program's own functions may have parameters that the call leaves to their defaults.
  const next = declared[parts.length]!;
  const usables = scene
    .usablesAt(node)
    .filter(({ what }) => what !== "function" && what !== "class" && what !== "import");
  const ordered = usables.toSorted((a, b) => Number(b.text.endsWith(next)) - Number(a.text.endsWith(next)));
  for (const [rank, { text }] of ordered.slice(0, 6).entries()) {
    yield rewrite(node, list, [...parts, text], 4 + rankCost(rank), `${name}() takes ${text} too`);
  }
}

function parametersOf(name: string, scene: Scene): string[] | undefined {
  const declared = scene.functions.get(name);
  const list = declared
    ?.child("parameters")
    ?.parts.map((part) => (part.child("name") ?? part.child("pattern") ?? part).text);
  return list?.filter((text) => text !== "self" && text !== "cls" && text !== "this");
}

function rewrite(node: Syntax, list: Syntax, texts: readonly string[], cost: number, title: string): Proposal {
  return {
    kind: "arguments",
    cost,
    edits: [{ start: list.start, end: list.end, text: `(${texts.join(", ")})` }],
    title,
    at: node,
  };
}

function without(parts: readonly Syntax[], part: Syntax): string[] {
  return parts.filter((other) => other !== part).map(({ text }) => text);
}

/** The name that a call calls, without the object. */
export function calledName(node: Syntax): string {
  const called = node.child("function") ?? node.child("constructor");
  return (called?.child("property") ?? called)?.text ?? "";
}
