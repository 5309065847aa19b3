// Keys that leave something out: wherever a table is asked by one value, ask it by two.

import type { Syntax } from "../syntax/tree.ts";
import { functionAround } from "../words/scene.ts";
import type { Operator } from "./operator.ts";
import type { Change, Proposal } from "./proposal.ts";

/** A table's key together with another parameter, in the whole function. */
export const wholeKeys: Operator = function* (node, scene) {
  if (node.role !== "index" && node.role !== "call") return;
  const table = node.role === "index" ? node.child("object") : node.child("function")?.child("object");
  const key = node.role === "index" ? node.child("index") : node.child("arguments")?.parts[0];
  const own = functionAround(node);
  if (!table || !key || key.role !== "name" || own.role === "module" || scene.kinds.of(table) !== "dict") return;
  const places = uses(own, table.text, key.text);
  // The first use speaks for all.
  if (places.length < 2 || places[0] !== key) return;
  const others = scene.namesAt(node).filter(({ what, text }) => what === "parameter" && text !== key.text);
  for (const [rank, { text }] of others.slice(0, 3).entries()) {
    for (const [step, whole] of [
      [key.text, text],
      [text, key.text],
    ].entries()) {
      const form = scene.isPython ? `(${whole.join(", ")})` : `\`\${${whole.join("}:${")}}\``;
      const edits = places.map((place): Change => ({ start: place.start, end: place.end, text: form }));
      yield {
        kind: "key",
        cost: 4.5 + rank + 1.5 * step,
        edits,
        title: `the key of ${table.text} becomes ${form}`,
        at: node,
      } satisfies Proposal;
    }
  }
};

/** Where a function asks a table by a key. */
function uses(own: Syntax, table: string, key: string): Syntax[] {
  const found: Syntax[] = [];
  for (const part of own.walk()) {
    if (part.role !== "name" || part.text !== key) continue;
    const above = part.parent!;
    const isIndex = above.role === "index" && part.field === "index" && above.child("object")?.text === table;
    const isMember = above.role === "compare" && part.field === "left" && above.child("right")?.text === table;
    const isArgument =
      above.role === "arguments" &&
      above.parts[0] === part &&
      above.parent?.child("function")?.child("object")?.text === table;
    if (isIndex || isMember || isArgument) found.push(part);
  }
  return found;
}
