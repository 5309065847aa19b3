// What is remembered while going through things: added to what was there, the larger of two, never beyond a limit.

import type { Syntax } from "../../syntax/tree.ts";
import { isValue } from "../../syntax/value.ts";
import type { Scene } from "../../words/scene.ts";
import { atom } from "../../words/words.ts";
import type { Operator } from "../operator.ts";
import { brief, type Proposal, rankCost, replacePiece, replaceText } from "../proposal.ts";

const upper =
  /max|upto|^to$|until|limit|cap|upper|ceil|size|total|end|stop|budget|balance|length|width|height|available|remaining/i;
const lower = /min|low|floor|start|begin|base|offset|least/i;

/** Assignments that forget what was there, or go beyond a bound. */
export const accumulations: Operator = function* (node, scene) {
  if (node.role === "call") yield* summedEntry(node);
  if (node.role === "augment") yield* bounded(node, scene);
  if (node.role === "name" || node.role === "member") yield* clampedOperand(node, scene);
  if (node.role !== "assign") return;
  const [target, value] = [node.child("left"), node.child("right")];
  if (!target || !value || node.child("type")) return;
  if (!/^(?:name|member|index)$/.test(target.role) || !/^(?:name|member|index|call|binary)$/.test(value.role)) return;
  yield* extremeOf(target, value, scene);
  yield* clamped(value, scene);
  if (scene.isPython && target.role === "index") {
    const [table, key] = [target.child("object")!.text, target.child("index")!.text];
    yield replaceText(value, `${table}.get(${key}, 0) + ${value.text}`, "accumulation", 3.5);
  }
};

/** `last.end = end` where the larger was meant. */
function* extremeOf(target: Syntax, value: Syntax, scene: Scene): Generator<Proposal> {
  if (target.role === "name" && !scene.namesAt(value).some(({ text }) => text === target.text)) return;
  if (value.text.includes(target.text)) return;
  const kind = scene.kinds.of(value);
  if (kind !== "number" && kind !== "unknown") return;
  for (const [rank, name] of extremesOf(scene).entries())
    yield replacePiece(
      value,
      atom(`${name}(${target.text}, ${value.text})`),
      scene.isPython,
      "accumulation",
      3.6 + 0.5 * rank + (kind === "unknown" ? 0.6 : 0),
    );
}

/** A sum that must stay below what is called a limit, or above what is called a least. */
function* clamped(value: Syntax, scene: Scene): Generator<Proposal> {
  if (value.role !== "binary" || scene.kinds.of(value) !== "number") return;
  const [most, least] = extremesOf(scene);
  const usables = scene.usablesAt(value).filter(({ kind }) => kind === "number" || kind === "unknown");
  let rank = 0;
  for (const { text } of usables) {
    const name = upper.test(text) ? least : lower.test(text) ? most : undefined;
    if (!name || value.text.includes(text) || rank > 4) continue;
    const piece = atom(`${name}(${text}, ${value.text})`);
    yield replacePiece(value, piece, scene.isPython, "accumulation", 3.8 + 0.7 * rankCost(rank++));
  }
}

/** An operand that counts only up to a limit. */
function* clampedOperand(node: Syntax, scene: Scene): Generator<Proposal> {
  if (node.parent?.role !== "binary" || !isValue(node)) return;
  const kind = scene.kinds.of(node);
  if (kind !== "number" && kind !== "unknown") return;
  const [most, least] = extremesOf(scene);
  let rank = 0;
  for (const { text, kind: other } of scene.usablesAt(node)) {
    const name = upper.test(text) ? least : lower.test(text) ? most : undefined;
    if (!name || text === node.text || (other !== "number" && other !== "unknown") || rank > 3) continue;
    const cost = 4.8 + 0.6 * rankCost(rank++) + (kind === "unknown" ? 0.5 : 0);
    yield replacePiece(node, atom(`${name}(${node.text}, ${text})`), scene.isPython, "accumulation", cost);
  }
}

/** `x += n` kept within a bound. */
function* bounded(node: Syntax, scene: Scene): Generator<Proposal> {
  const [target, value] = [node.child("left"), node.child("right")];
  const operator = node.child("operator")?.text;
  if (!target || !value || (operator !== "+=" && operator !== "-=")) return;
  const [most, least] = extremesOf(scene);
  const sum = `${target.text} ${operator[0]} ${value.text}`;
  const usables = scene.usablesAt(node).filter(({ kind }) => kind === "number" || kind === "unknown");
  const bounds = usables.filter(({ text }) => text !== target.text && text !== value.text && upper.test(text));
  const forms =
    operator === "-=" ? [`${most}(0, ${sum})`] : bounds.slice(0, 4).map(({ text }) => `${least}(${text}, ${sum})`);
  for (const [rank, form] of forms.entries())
    yield {
      ...replaceText(node, `${target.text} = ${form}`, "accumulation", 4.4 + 0.7 * rankCost(rank)),
      title: `${brief(node.text)} within ${brief(form)}`,
    };
}

/** `map.set(key, n)` where n was to be added. */
function* summedEntry(node: Syntax): Generator<Proposal> {
  const called = node.child("function");
  const parts = node.child("arguments")?.parts ?? [];
  if (called?.child("property")?.text !== "set" || parts.length !== 2) return;
  const table = called.child("object")!.text;
  const [key, value] = parts as [Syntax, Syntax];
  if (value.text.includes(`${table}.get(`) || /^(?:list|dict|string|new|boolean)$/.test(value.role)) return;
  const text = `(${table}.get(${key.text}) ?? 0) + ${value.text}`;
  yield replacePiece(value, { text, level: 13 }, false, "accumulation", 3.5);
}

function extremesOf({ isPython }: Scene): [string, string] {
  return isPython ? ["max", "min"] : ["Math.max", "Math.min"];
}
