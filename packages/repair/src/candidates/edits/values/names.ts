// Another name, another field.

import type { Syntax } from "../../syntax/tree.ts";
import { isTarget, isValue } from "../../syntax/value.ts";
import type { Kind } from "../../words/kinds.ts";
import type { Scene, Usable } from "../../words/scene.ts";
import type { Operator } from "../operator.ts";
import { type Proposal, rankCost, replaceText } from "../proposal.ts";

/** What else than a name a name may stand for. */
const other = new Set(["number", "string", "nothing", "member", "index", "call", "binary", "list", "dict"]);

/** Names in scope, and fields, in the place of a name or a field. */
export const names: Operator = function* (node, scene) {
  const isField = node.role === "member" && node.child("object")?.text === scene.words.self;
  if (node.role !== "name" && !isField) {
    if (isValue(node) && other.has(node.role) && node.parent?.role !== "express") yield* otherNames(node, scene, 4.5);
    return;
  }
  const above = node.parent!;
  if (node.field === "function" && above.role === "call") {
    yield* otherFunctions(node, scene);
    return;
  }
  // The object at hand is seldom taken for another.
  if (isValue(node)) yield* otherNames(node, scene, node.text === scene.words.self ? 5.5 : 3);
  else if (isTarget(node) && (above.role === "assign" || above.role === "augment")) yield* otherTargets(node, scene);
};

function* otherNames(node: Syntax, scene: Scene, base: number): Generator<Proposal> {
  const held = scene.kinds.of(node);
  const kind = held === "unknown" ? scene.wantedAt(node) : held;
  // A name that is passed on, compared or returned may be any; one that is called upon must be able to answer.
  const usables = scene.usablesAt(node).filter(({ text, what }) => {
    if (text === node.text) return false;
    return what !== "import" && what !== "class" && (what !== "function" || kind === "function");
  });
  for (const [rank, usable] of sortByLikeness(usables, node.text, kind).entries()) {
    const strange = likeness(usable.kind, kind);
    const proposal = replaceText(node, usable.text, "name", base + 0.8 * rankCost(rank) + strange);
    yield { ...proposal, idea: `${node.text} becomes ${usable.text}` };
  }
  if (kind === "unknown") {
    const imported = scene
      .namesAt(node)
      .filter(({ what, text }) => what === "import" && isUpper(text) === isUpper(node.text));
    for (const { text } of imported) if (text !== node.text) yield replaceText(node, text, "name", base + 1.5);
  }
}

function* otherTargets(node: Syntax, scene: Scene): Generator<Proposal> {
  const kind = scene.kinds.of(node);
  const usables = scene
    .usablesAt(node)
    .filter(
      ({ text, what }) => text !== node.text && (what === "variable" || what === "field" || what === "parameter"),
    );
  for (const [rank, usable] of sortByLikeness(usables, node.text, kind).slice(0, 6).entries()) {
    yield replaceText(node, usable.text, "target", 5 + rankCost(rank) + likeness(usable.kind, kind));
  }
}

function* otherFunctions(node: Syntax, scene: Scene): Generator<Proposal> {
  const known = scene.namesAt(node);
  const own = known.find(({ text }) => text === node.text)?.what;
  const given = node.parent!.child("arguments")?.parts.length ?? 0;
  const others = known.filter(
    ({ text, what }) => text !== node.text && (what === "function" || what === "import" || scene.functions.has(text)),
  );
  for (const [rank, { text, what }] of others.slice(0, 8).entries()) {
    const declared = scene.functions.get(text)?.child("parameters")?.parts.length;
    const strange = (what === own ? 0 : 1.5) + (declared === undefined || declared === given ? 0 : 1);
    yield replaceText(node, text, "function", 4 + rankCost(rank) + strange);
  }
}

/** How strange it is to put a value of one kind for one of another, in bits. */
export function likeness(one: Kind, other: Kind): number {
  if (one === other) return one === "unknown" ? 0.5 : 0;
  return one === "unknown" || other === "unknown" ? 1 : 4;
}

/** The likeliest first: of the same kind, declared near, and called alike. */
export function sortByLikeness(usables: readonly Usable[], text: string, kind: Kind): Usable[] {
  const score = (usable: Usable): number =>
    2 * likeness(usable.kind, kind) + usable.distance - (sharesWord(usable.text, text) ? 1.5 : 0);
  return usables
    .map((usable) => ({ usable, score: score(usable) }))
    .sort((a, b) => a.score - b.score)
    .map(({ usable }) => usable);
}

function sharesWord(one: string, other: string): boolean {
  const words = (text: string): string[] =>
    text
      .replace(/^(?:self|this)\./, "")
      .split(/_|(?=[A-Z])|\./)
      .map((word) => word.toLowerCase())
      .filter((word) => word !== "");
  const others = new Set(words(other));
  return words(one).some((word) => others.has(word)) || (one.length === 1 && other.length === 1);
}

function isUpper(text: string): boolean {
  return text === text.toUpperCase();
}
