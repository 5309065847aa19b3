// Elements of lists and tables that are missing or too many, and keywords that are others.

import type { Syntax } from "../../syntax/tree.ts";
import { isValue } from "../../syntax/value.ts";
import type { Scene } from "../../words/scene.ts";
import type { Operator } from "../operator.ts";
import { brief, rankCost, replaceText } from "../proposal.ts";

/** Lists of constants with one more or one less. */
export const elements: Operator = function* (node, scene) {
  if (!/^(?:list|tuple|set|dict)$/.test(node.role) || !isValue(node) || node.parts.length === 0) return;
  const parts = node.parts;
  if (parts.length > 1) {
    for (const part of parts) {
      const edits = [without(part, parts)];
      yield {
        kind: "element",
        cost: 5 + 0.5 * rankCost(parts.length),
        edits,
        title: `drop ${brief(part.text)} from ${brief(node.text)}`,
        at: node,
      };
    }
  }
  const last = parts.at(-1)!;
  for (const [rank, text] of missing(node, parts, scene).entries()) {
    const edits = [{ start: last.end, end: last.end, text: `, ${text}` }];
    yield {
      kind: "element",
      cost: 5 + 0.8 * rankCost(rank),
      edits,
      title: `add ${brief(text)} to ${brief(node.text)}`,
      at: node,
    };
  }
};

function without(part: Syntax, parts: readonly Syntax[]) {
  const at = parts.indexOf(part);
  const [before, after] = [parts[at - 1], parts[at + 1]];
  if (after) return { start: part.start, end: after.start, text: "" };
  return { start: before?.end ?? part.start, end: part.end, text: "" };
}

/** What lists of the same constants elsewhere hold, and what the tests speak of. */
function missing(node: Syntax, parts: readonly Syntax[], scene: Scene): string[] {
  const own = new Set(parts.map(({ text }) => text));
  if (node.role === "dict") return [];
  if (parts.every(({ role }) => role === "string")) {
    const quote = parts[0]!.text.slice(-1);
    const texts = [...scene.ingredients.stringsIn(node), ...scene.ingredients.testStrings.slice(0, 6)];
    return [...new Set(texts.map((text) => quote + text + quote))].filter((text) => !own.has(text)).slice(0, 8);
  }
  if (parts.every(({ role }) => role === "number"))
    return scene.ingredients
      .numbersIn(node)
      .map(String)
      .filter((text) => !own.has(text))
      .slice(0, 4);
  const names = scene
    .usablesAt(node)
    .filter(
      ({ text, what }) =>
        !own.has(text) && (what === "parameter" || what === "variable" || what === "constant" || what === "field"),
    );
  return names.slice(0, 4).map(({ text }) => text);
}

const keywords = [
  "weeks days hours minutes seconds milliseconds",
  "year month day hour minute second",
  "start stop step",
  "key default",
  "encoding errors",
];

/** Other keywords for an argument. */
export const keywordNames: Operator = function* (node, scene) {
  if (node.role !== "keyword-argument") return;
  const key = node.child("key");
  if (!key) return;
  const group = keywords.find((words) => words.split(" ").includes(key.text))?.split(" ") ?? [];
  const called = node.parent?.parent?.child("function");
  const declared =
    scene.functions.get((called?.child("property") ?? called)?.text ?? "")?.child("parameters")?.parts ?? [];
  const own = declared.map((part) => (part.child("name") ?? part).text).filter((text) => text !== "self");
  for (const [rank, other] of [...group, ...own].filter((text) => text !== key.text).entries())
    yield replaceText(key, other, "keyword", 3.2 + 0.8 * rankCost(rank));
};

/** Parameters that may be left out. */
export const parameterDefaults: Operator = function* (node, scene) {
  if (node.parent?.role !== "parameters" || node.parent.parent?.role !== "function") return;
  const siblings = node.parent.parts;
  if (siblings.at(-1) !== node || node.text === scene.words.self) return;
  const isBare =
    node.role === "name" ||
    (node.role === "parameter" && !node.child("value") && !/^[*.]/.test(node.text) && !node.text.includes("?"));
  if (!isBare) return;
  const name = (node.child("name") ?? node.child("pattern") ?? node).text;
  const values = scene.isPython ? ["None", "0", "1", '""', "()"] : ["0", "1", "''", "[]", "{}"];
  for (const [rank, value] of values.entries()) {
    const text = scene.isPython && !node.text.includes(":") ? `=${value}` : ` = ${value}`;
    yield {
      kind: "parameter",
      cost: 5 + rankCost(rank),
      edits: [{ start: node.end, end: node.end, text }],
      title: `${name} is ${value} where it is not given`,
      at: node,
    };
  }
};
