// Pieces of templates: how a value is written into a text.

import type { Operator } from "../operator.ts";
import { brief, rankCost } from "../proposal.ts";

const python = [":02d", ":.2f", ":,", ":02", "!r", ":.1f", ":,.2f", ":03d", ":x", ":04d", ":>2", ":.0f"];

/** Values in templates, written another way. */
export const formats: Operator = function* (node, scene) {
  if (node.role !== "substitution") return;
  const value = node.child("expression");
  if (!value) return;
  if (scene.isPython) {
    const given = node.source.slice(value.end, node.end - 1);
    const typed = /^:(\d*)([a-z])$/i.exec(given);
    const wider = typed ? [`:02${typed[2]}`, `:2${typed[2]}`, `:04${typed[2]}`, `:08${typed[2]}`] : [];
    for (const [rank, form] of [...wider, ...python].entries()) {
      if (form === given) continue;
      yield {
        kind: "format",
        cost: 3.8 + 0.8 * rankCost(rank),
        edits: [{ start: value.end, end: node.end - 1, text: form }],
        title: `{${brief(value.text)}} is written {${brief(value.text)}${form}}`,
        at: node,
      };
    }
    if (given !== "")
      yield {
        kind: "format",
        cost: 5,
        edits: [{ start: value.end, end: node.end - 1, text: "" }],
        title: `{${brief(value.text)}} is written plainly`,
        at: node,
      };
    return;
  }
  const forms = [
    `String(${value.text}).padStart(2, '0')`,
    `${value.text}.toFixed(2)`,
    `${value.text} + 1`,
    `${value.text} ?? ''`,
  ];
  for (const [rank, text] of forms.entries()) {
    yield {
      kind: "format",
      cost: 4 + rankCost(rank),
      edits: [{ start: value.start, end: value.end, text }],
      title: `\${${brief(value.text)}} becomes \${${brief(text)}}`,
      at: node,
    };
  }
};
