// Keys that leave something out: wherever a table is asked by one value, ask it by two.

import type { Syntax } from "../../syntax/tree.ts";
import { functionAround } from "../../words/scene.ts";
import type { Operator } from "../operator.ts";
import type { Change } from "../proposal.ts";

/** A table's key together with another parameter, in the whole function. */
export const wholeKeys: Operator = function* (node, scene) {
  const table = node.role === "name" ? tableAsked(node) : undefined;
  const own = functionAround(node);
  if (!table || own.role === "module" || scene.kinds.ofText(table) !== "dict") return;
  const places = [...own.walk()].filter(
    (part) => part.role === "name" && part.text === node.text && tableAsked(part) === table,
  );
  // The first use speaks for all.
  if (places.length < 2 || places[0] !== node) return;
  const others = scene.namesAt(node).filter(({ what, text }) => what === "parameter" && text !== node.text);
  for (const [rank, { text }] of others.slice(0, 3).entries()) {
    for (const [step, whole] of [
      [node.text, text],
      [text, node.text],
    ].entries()) {
      const form = scene.isPython ? `(${whole.join(", ")})` : `\`\${${whole.join("}:${")}}\``;
      const edits = places.map((place): Change => ({ start: place.start, end: place.end, text: form }));
      const title = `the key of ${table} becomes ${form}`;
      yield { kind: "key", cost: 4.5 + rank + 1.5 * step, edits, title, at: node };
    }
  }
};

/** The table that a name is the key for. */
function tableAsked(name: Syntax): string | undefined {
  const above = name.parent;
  if (above?.role === "index" && name.field === "index") return above.child("object")?.text;
  if (above?.role === "compare" && name.field === "left" && /\bin$/.test(above.child("operator")?.text ?? ""))
    return above.child("right")?.text;
  if (above?.role === "arguments" && above.parts[0] === name)
    return above.parent?.child("function")?.child("object")?.text;
  return undefined;
}
