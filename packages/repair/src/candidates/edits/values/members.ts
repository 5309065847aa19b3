// Another property of the same object, the object itself, a field for a name of the same word.

import type { Syntax } from "../../syntax/tree.ts";
import { isValue } from "../../syntax/value.ts";
import type { Scene } from "../../words/scene.ts";
import type { Operator } from "../operator.ts";
import { type Proposal, pieceOf, rankCost, replacePiece, replaceText } from "../proposal.ts";

/** Other properties that the file reads, in the place of one. */
export const members: Operator = function* (node, scene) {
  if (node.role === "name" && isValue(node) && node.field !== "function") yield* toField(node, scene);
  if (node.role !== "member") return;
  const property = node.child("property");
  const object = node.child("object");
  if (!property || !object) return;
  const isCalled = node.field === "function" && node.parent?.role === "call";
  if (isCalled) {
    // The functions of a namespace such as Math have little to do with one another.
    if (object.text === scene.words.self || (object.role === "name" && !/^[A-Z]/.test(object.text)))
      yield* otherMethods(property, object, scene);
    return;
  }
  if (object.text !== scene.words.self) {
    for (const [rank, other] of propertiesLike(node, scene).entries())
      yield replaceText(property, other, "property", 3.2 + rankCost(rank));
  }
  if (isValue(node)) {
    if (object.role === "name")
      yield replacePiece(node, pieceOf(object, scene.isPython), scene.isPython, "property", 5);
    if (object.text === scene.words.self && scene.namesAt(node).some(({ text }) => text === property.text))
      yield replaceText(node, property.text, "property", 3);
  }
};

/** What is looked at where it was to be taken off, and the other way round. */
export const taken: Operator = function* (node, scene) {
  if (node.role !== "index" || !isValue(node)) return;
  const [object, at] = [node.child("object")!.text, node.child("index")!.text];
  const ways = scene.isPython
    ? { "0": ["pop(0)", "pop()", "popleft()"], "-1": ["pop()", "pop(0)"] }[at]
    : { "0": ["shift()", "pop()"] }[at];
  for (const [rank, way] of (ways ?? []).entries())
    yield replaceText(node, `${object}.${way}`, "method", 4.2 + 0.6 * rank);
};

function* toField(node: Syntax, scene: Scene): Generator<Proposal> {
  const field = `${scene.words.self}.${node.text}`;
  if (scene.fieldsAt(node).some(({ text }) => text === field)) yield replaceText(node, field, "property", 3);
  if (node.parent?.role === "member" || scene.kinds.of(node) === "number") return;
  // The value itself where one of its properties was meant.
  const seen = new Set<string>();
  for (const other of scene.members) {
    const property = other.child("property")!.text;
    if (other.child("object")?.text !== node.text || seen.has(property)) continue;
    seen.add(property);
    yield replaceText(node, `${node.text}.${property}`, "property", 4 + rankCost(seen.size - 1));
  }
}

function* otherMethods(property: Syntax, object: Syntax, scene: Scene): Generator<Proposal> {
  const seen = new Set([property.text]);
  let rank = 0;
  for (const other of scene.members) {
    const isSame = other.child("object")?.text === object.text;
    if (!isSame || other.field !== "function" || seen.has(other.child("property")!.text)) continue;
    seen.add(other.child("property")!.text);
    yield replaceText(property, other.child("property")!.text, "method", 4.2 + rankCost(rank++));
  }
  if (object.text !== scene.words.self) return;
  for (const method of property.above("class")?.child("body")?.parts ?? []) {
    const name = (method.child("definition") ?? method).child("name")?.text;
    if (!name || seen.has(name) || /^(?:__|constructor$)/.test(name)) continue;
    seen.add(name);
    yield replaceText(property, name, "method", 4.5 + rankCost(rank++));
  }
}

/** Properties of objects that the file calls the same or that are read beside this one, most alike first. */
function propertiesLike(node: Syntax, scene: Scene): string[] {
  const own = node.child("property")!.text;
  const object = node.child("object")!.text;
  const scores = new Map<string, number>();
  for (const other of scene.members) {
    const property = other.child("property")!.text;
    if (property === own || (other.field === "function" && other.parent?.role === "call")) continue;
    const score = other.child("object")?.text === object ? 2 : 1;
    scores.set(property, Math.max(scores.get(property) ?? 0, score));
  }
  for (const field of scene.declaredFields) if (field !== own && !scores.has(field)) scores.set(field, 0.5);
  return [...scores]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 10)
    .map(([property]) => property);
}
