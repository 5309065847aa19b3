// Two names or two indices taken for each other.

import { isStatement } from "../../syntax/roles.ts";
import type { Syntax } from "../../syntax/tree.ts";
import { isTarget, isValue } from "../../syntax/value.ts";
import type { Scene } from "../../words/scene.ts";
import type { Operator } from "../operator.ts";
import { brief, type Change, type Proposal } from "../proposal.ts";
import { likeness } from "./names.ts";

/** Names and indices exchanged within a statement. */
export const exchanges: Operator = function* (node, scene) {
  if (node.role === "index") yield* indices(node);
  if (isStatement(node.role) && !node.text.includes("\n")) yield* names(node, scene);
  if (isStatement(node.role) && !/^(?:function|class|if|for|while|count|try|with)$/.test(node.role)) {
    yield* constants(node, "number", 3.4);
    yield* constants(node, "string", 3.8);
    yield* operandsOf(node);
  }
};

/** `grid[x][y]` for `grid[y][x]`. */
function* indices(node: Syntax): Generator<Proposal> {
  const inner = node.child("object");
  const [second, first] = [node.child("index"), inner?.role === "index" ? inner.child("index") : undefined];
  if (!first || !second || first.text === second.text || first.role === "slice" || second.role === "slice") return;
  const edits = [replaced(first, second.text), replaced(second, first.text)];
  yield {
    kind: "exchange",
    cost: 3.2,
    edits,
    title: `${brief(node.text)} with its indices swapped`,
    at: node,
    idea: "indices",
  };
}

/** Every `a` becomes `b` and every `b` becomes `a`. */
function* names(node: Syntax, scene: Scene): Generator<Proposal> {
  const found = [...node.walk()].filter(
    (part) => part.role === "name" && (isValue(part) || isTarget(part)) && part.field !== "function",
  );
  const texts = [...new Set(found.map(({ text }) => text))].slice(0, 5);
  for (const [at, one] of texts.entries()) {
    for (const other of texts.slice(at + 1)) {
      if (likeness(scene.kinds.ofText(one), scene.kinds.ofText(other)) > 1) continue;
      const edits = found.flatMap((part) =>
        part.text === one ? replaced(part, other) : part.text === other ? replaced(part, one) : [],
      );
      yield { kind: "exchange", cost: 4.2, edits, title: `swap ${one} and ${other} in ${brief(node.text)}`, at: node };
    }
  }
}

/** Two numbers or two texts of a statement, each in the other's place. */
function* constants(node: Syntax, role: "number" | "string", cost: number): Generator<Proposal> {
  const found = [...node.walk()].filter((part) => part.role === role && part.parent?.role !== "documentation");
  if (found.length > 8) return;
  for (const [at, one] of found.entries()) {
    for (const other of found.slice(at + 1)) {
      if (one.text === other.text) continue;
      const edits = [replaced(one, other.text), replaced(other, one.text)];
      yield { kind: "exchange", cost, edits, title: `swap ${brief(one.text)} and ${brief(other.text)}`, at: node };
    }
  }
}

/** Factors of two products of a sum: `a * f + b * (1 - f)` for `a * (1 - f) + b * f`. */
function* operandsOf(node: Syntax): Generator<Proposal> {
  for (const sum of node.walk()) {
    if (sum.role !== "binary" || !/^[-+]$/.test(sum.child("operator")?.text ?? "")) continue;
    const [left, right] = [sum.child("left")!, sum.child("right")!];
    if (left.role !== "binary" || right.role !== "binary") continue;
    for (const one of [left.child("left")!, left.child("right")!]) {
      for (const other of [right.child("left")!, right.child("right")!]) {
        if (one.text === other.text) continue;
        const edits = [replaced(one, other.text), replaced(other, one.text)];
        const title = `swap ${brief(one.text)} and ${brief(other.text)}`;
        yield { kind: "exchange", cost: 3.6, edits, title, at: sum };
      }
    }
  }
}

function replaced(node: Syntax, text: string): Change {
  return { start: node.start, end: node.end, text };
}
