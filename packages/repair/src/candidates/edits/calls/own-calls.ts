// The program's own functions, asked in the place of what was written out by hand: their parameters are called like what is
// in scope.

import type { Syntax } from "../../syntax/tree.ts";
import { isValue } from "../../syntax/value.ts";
import type { Scene } from "../../words/scene.ts";
import { atom } from "../../words/words.ts";
import type { Operator } from "../operator.ts";
import { rankCost, replacePiece } from "../proposal.ts";
import { likeness } from "../values/names.ts";

const MOST = 6;

/** Calls of functions whose arguments the place has. */
export const ownCalls: Operator = function* (node, scene) {
  if (!isValue(node) || !/^(?:call|member|index|name|binary)$/.test(node.role) || node.field === "function") return;
  if (/^(?:express|group|member)$/.test(node.parent?.role ?? "")) return;
  const kind = scene.kinds.of(node);
  let rank = 0;
  for (const [name, declared] of scene.functions) {
    if (rank >= MOST) break;
    const call = callOf(name, declared, node, scene);
    if (call === undefined || call === node.text) continue;
    const strange = likeness(scene.kinds.ofText(`${name}()`), kind);
    if (strange >= 4) continue;
    const proposal = replacePiece(node, atom(call), scene.isPython, "call", 4.6 + strange + 0.8 * rankCost(rank++));
    yield { ...proposal, idea: `call ${name}` };
  }
};

function callOf(name: string, declared: Syntax, place: Syntax, scene: Scene): string | undefined {
  if (declared.contains(place) || /^(?:__|constructor$)/.test(name) || name === "") return undefined;
  const kin = declared.above("class");
  if (kin && kin !== place.above("class")) return undefined;
  const parameters = (declared.child("parameters")?.parts ?? [])
    .map((part) => ({ name: (part.child("name") ?? part.child("pattern") ?? part).text, value: part.child("value") }))
    .filter((parameter) => !/^(?:self|cls|this)\b/.test(parameter.name) && !parameter.value);
  if (parameters.length === 0 ? !kin : parameters.length > 3) return undefined;
  const visible = new Set(scene.namesAt(place).map(({ text }) => text));
  const inside = [...place.walk()].filter(({ role }) => role === "name").map(({ text }) => text);
  const given = parameters.map((parameter) => {
    if (visible.has(parameter.name)) return parameter.name;
    const only = inside.find((text) => visible.has(text));
    return parameters.length === 1 ? only : undefined;
  });
  if (given.some((argument) => argument === undefined)) return undefined;
  return `${kin ? `${scene.words.self}.` : ""}${name}(${given.join(", ")})`;
}
