// Regular expressions, pieces of templates, exception types.

import type { Syntax } from "../../syntax/tree.ts";
import type { Scene } from "../../words/scene.ts";
import type { Operator } from "../operator.ts";
import { brief, type Proposal, rankCost, replaceText } from "../proposal.ts";

/** Patterns with other anchors, flags or quantifiers. */
export const patterns: Operator = function* (node) {
  if (node.role === "regex") {
    const match = /^\/([\s\S]*)\/(\w*)$/.exec(node.text);
    if (!match) return;
    const [, body = "", flags = ""] = match;
    for (const flag of ["g", "i", "m", "u", "s"]) {
      const other = flags.includes(flag) ? flags.replace(flag, "") : flags + flag;
      const cost = flag === "g" || flag === "i" ? 2.8 : 4.5;
      yield replaceText(node, `/${body}/${other}`, "regex", cost);
    }
    for (const { text, cost } of otherPatterns(body)) yield replaceText(node, `/${text}/${flags}`, "regex", cost);
  }
  if (node.role === "template" && isPattern(node)) {
    const [open, close] = [/^[a-zA-Z]*["'`]/.exec(node.text)![0], node.text.at(-1)!];
    const body = node.text.slice(open.length, -1);
    for (const { text, cost } of anchored(body)) yield replaceText(node, open + text + close, "regex", cost);
  }
  if (
    node.role === "name" &&
    node.parent?.parent?.child("constructor")?.text === "RegExp" &&
    node.parent.parts[0] === node
  )
    for (const [rank, text] of [`\`^\${${node.text}}$\``, `\`^\${${node.text}}\``, `\`\${${node.text}}$\``].entries())
      yield replaceText(node, text, "regex", 3.6 + 0.4 * rank);
  if (node.role === "string" && isPattern(node)) {
    const match = /^([a-zA-Z]*)(["'])([\s\S]*)\2$/.exec(node.text);
    if (!match) return;
    const [, prefix = "", quote = '"', body = ""] = match;
    for (const { text, cost } of otherPatterns(body))
      yield replaceText(node, prefix + quote + text + quote, "regex", cost);
  }
};

function isPattern(node: Syntax): boolean {
  const called = node.parent?.role === "arguments" ? node.parent.parent?.child("function") : undefined;
  const maker = node.parent?.role === "arguments" ? node.parent.parent?.child("constructor")?.text : undefined;
  if (maker === "RegExp") return true;
  return /^re\.|\.(?:match|search|sub|findall|split|fullmatch)$/.test(called?.text ?? "") && /^f?r/i.test(node.text);
}

/** The pattern with and without its anchors. */
function* anchored(body: string): Generator<{ text: string; cost: number }> {
  if (!body.startsWith("^")) yield { text: `^${body}`, cost: 3.5 };
  else yield { text: body.slice(1), cost: 4 };
  if (!body.endsWith("$")) yield { text: `${body}$`, cost: 3.2 };
  else yield { text: body.slice(0, -1), cost: 4 };
  if (!/^\^|\$$/.test(body)) yield { text: `^${body}$`, cost: 4 };
}

function* otherPatterns(body: string): Generator<{ text: string; cost: number }> {
  yield* anchored(body);
  for (const match of body.matchAll(/(?<=\(\??:?(?:P?<\w+>)?)[^()|]+(?:\|[^()|]+)+(?=\))/g)) {
    const parts = match[0].split("|");
    for (const order of [parts.toSorted((a, b) => b.length - a.length), parts.toReversed()])
      if (order.join("|") !== match[0])
        yield {
          text: body.slice(0, match.index) + order.join("|") + body.slice(match.index + match[0].length),
          cost: 3.6,
        };
  }
  const swaps: [RegExp, string[]][] = [
    [/(?<=[\w\])}.])\+(?!\?)/g, ["*", "+?", "?"]],
    [/(?<=[\w\])}.])\*(?!\?)/g, ["+", "*?"]],
    [/(?<=[\w\])}])\?/g, ["*", ""]],
    [/(?<!\\)\./g, ["\\."]],
    [/\\\./g, ["."]],
    [/\\d(?![+*{?])/g, ["\\d+", "\\w"]],
    [/\\w/g, ["\\S", "[\\w-]", "[a-zA-Z]"]],
    [/\\s(?![+*])/g, ["\\s+", " "]],
    [/a-z(?!A-Z)/g, ["a-zA-Z", "a-z0-9"]],
    [/A-Z(?!a-z|0-9)/g, ["A-Z0-9"]],
    [/0-9/g, ["1-9", "0-9a-f"]],
    [/\{(\d+)\}/g, ["{1,$1}", "{$1,}"]],
    [/\{(\d+),(\d+)\}/g, ["{$1,}", "{$1}"]],
    [/\((?!\?)/g, ["(?:"]],
    [/\[\^/g, ["["]],
    [/(?<=\]|\\[wdsWDS])(?![+*?{])/g, ["+", "*"]],
  ];
  let rank = 0;
  const seen = new Set<string>();
  for (const [pattern, others] of swaps) {
    // The same everywhere.
    for (const other of [...body.matchAll(pattern)].length > 1 && !/\$/.test(others.join("")) ? others : []) {
      const text = body.replace(pattern, () => other);
      if (!seen.has(text)) yield { text, cost: 4 };
      seen.add(text);
    }
    for (const match of body.matchAll(pattern)) {
      for (const other of others) {
        const piece = other.replace(/\$(\d)/g, (_, digit: string) => match[Number(digit)] ?? "");
        yield {
          text: body.slice(0, match.index) + piece + body.slice(match.index + match[0].length),
          cost: 3.5 + 0.7 * rankCost(rank++),
        };
      }
    }
  }
}

/** Other exceptions, in what is raised and in what is caught. */
export const exceptions: Operator = function* (node, scene) {
  if (node.role === "catch" && scene.isPython) {
    const caught = node.child("value") ?? node.parts.find(({ role }) => role !== "block");
    const name = caught?.role === "other" ? caught.parts[0] : caught;
    if (name && name.role !== "block") yield* otherExceptions(name, scene, 3.8);
  }
  if (node.role === "raise") {
    const value = node.child("value");
    const name = value?.child("function") ?? value?.child("constructor");
    if (name) yield* otherExceptions(name, scene, 4);
  }
};

const pythonErrors = [
  "ValueError",
  "KeyError",
  "TypeError",
  "IndexError",
  "LookupError",
  "ZeroDivisionError",
  "AttributeError",
  "Exception",
  "StopIteration",
  "RuntimeError",
];
const scriptErrors = ["Error", "TypeError", "RangeError", "SyntaxError"];

function* otherExceptions(name: Syntax, scene: Scene, base: number): Generator<Proposal> {
  const own = scene
    .namesAt(name)
    .filter(({ what, text }) => what === "class" && /Error|Exception|Failure|Invalid|[A-Z]\w+/.test(text));
  const all = [...own.map(({ text }) => text), ...(scene.isPython ? pythonErrors : scriptErrors)];
  for (const [rank, text] of all
    .filter((other) => other !== name.text)
    .slice(0, 9)
    .entries())
    yield replaceText(name, text, "exception", base + 0.8 * rankCost(rank));
  if (scene.isPython && name.parent?.role === "catch" && name.role === "name")
    for (const [rank, text] of all.slice(0, 6).entries())
      if (text !== name.text)
        yield {
          ...replaceText(name, `(${name.text}, ${text})`, "exception", base + 0.5 + rankCost(rank)),
          title: `catch ${brief(text)} too`,
        };
}
