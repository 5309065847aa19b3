// Numbers, truth values and strings that are a little, or quite, others.

import type { Syntax } from "../../syntax/tree.ts";
import { isCondition, isValue } from "../../syntax/value.ts";
import { conditionsFor } from "../../words/conditions.ts";
import type { Scene } from "../../words/scene.ts";
import { atom } from "../../words/words.ts";
import type { Operator } from "../operator.ts";
import { type Proposal, rankCost, replaceText } from "../proposal.ts";

const FACTORS = ["60", "3600", "24", "7", "12", "10", "100", "1000", "1024", "360", "365", "26", "16", "1e-9"];

/** Numbers that are taken for one another. */
const TWINS: Record<number, number[]> = {
  1000: [1024, 100, 60],
  1024: [1000],
  60: [3600, 1000, 24],
  3600: [60, 86400],
  24: [12, 60],
  12: [24, 11],
  100: [1000, 10, 99],
  365: [366],
  30: [31],
  28: [29],
  10: [100, 16],
  127: [128, 255],
  255: [256],
  180: [360],
};

/** Other constants in the place of a constant. */
export const constants: Operator = function* (node, scene) {
  if (node.role === "number") yield* otherNumbers(node, scene);
  if (node.role === "boolean") {
    const other = node.text === scene.words.yes ? scene.words.no : scene.words.yes;
    yield replaceText(node, other, "constant", isCondition(node) ? 6 : 2.8);
    // A verdict that was to depend on something.
    const above = node.parent?.role;
    const target = above === "assign" ? node.parent!.child("left")?.text : undefined;
    if (target) yield replaceText(node, scene.words.not(atom(target)).text, "constant", 4.4);
    if (above !== "return" && above !== "assign" && above !== "declarator") return;
    for (const { piece, cost } of conditionsFor(node, scene, 24))
      yield replaceText(node, piece.text, "constant", 4.2 + cost);
  }
};

function* otherNumbers(node: Syntax, scene: Scene): Generator<Proposal> {
  // A minus before it belongs to it.
  const above = node.parent;
  const isNegative = above?.role === "unary" && above.child("operator")?.text === "-";
  const whole = isNegative ? above : node;
  const value = Number(node.text.replaceAll("_", "")) * (isNegative ? -1 : 1);
  if (/^\d+n$/.test(node.text)) {
    const big = BigInt(node.text.slice(0, -1));
    for (const [rank, other] of [big === 0n ? 1n : 0n, big + 1n, 1n].entries())
      if (other !== big) yield replaceText(node, `${other}n`, "constant", 3 + 0.5 * rank);
    return;
  }
  if (!Number.isFinite(value) || /^0[xob]/i.test(node.text)) {
    yield* otherPatterns(node);
    return;
  }
  const isWhole = Number.isInteger(value) && /^[\d_]+$/.test(node.text);
  const near = isWhole ? [value + 1, value - 1] : [];
  const seen = new Set<number>([value]);
  let rank = 0;
  const propose = function* (numbers: number[], base: number): Generator<Proposal> {
    for (const number of numbers) {
      if (seen.has(number)) continue;
      seen.add(number);
      yield replaceText(whole, numberText(number, node.text), "constant", base + 0.7 * rankCost(rank++));
    }
  };
  yield* propose(near, 3);
  if (isWhole) yield* propose([0, 1, -value, -1, 2], 3.8);
  yield* propose(TWINS[value] ?? [], 2.6);
  if (FACTORS.includes(node.text.replaceAll("_", ""))) yield* propose(FACTORS.map(Number), 4);
  if (value !== 0) yield* propose([value * 10, value / 10, value * 100, value / 100, value * 2, value / 2], 4.5);
  yield* propose(scene.ingredients.numbersIn(node).slice(0, 12), 4);
  yield* propose(scene.ingredients.testNumbers.slice(0, 8), 6.5);
  if (isWhole) yield* propose([value + 2, value - 2], 5);
}

/** Masks and other numbers written in bits. */
function* otherPatterns(node: Syntax): Generator<Proposal> {
  const prefix = node.text.slice(0, 2);
  const base = { x: 16, b: 2, o: 8 }[prefix[1]!.toLowerCase()]!;
  const value = Number(node.text.replaceAll("_", "").toLowerCase());
  if (!Number.isSafeInteger(value)) return;
  const others = [
    value + 1,
    value - 1,
    value * 2,
    value * 2 + 1,
    Math.floor(value / 2),
    value * 16,
    Math.floor(value / 16),
  ];
  for (const [rank, other] of others.entries()) {
    if (other >= 0) yield replaceText(node, prefix + other.toString(base), "constant", 3.5 + rankCost(rank));
  }
}

function numberText(value: number, like: string): string {
  const text = String(Number(value.toPrecision(12)));
  if (/^\d+\.0$/.test(like) && Number.isInteger(value)) return `${text}.0`;
  return text;
}

/** Other strings in the place of a string. */
export const strings: Operator = function* (node, scene) {
  if (node.role !== "string" || !isValue(node) || node.parent?.role === "documentation") return;
  const match = /^([a-zA-Z]*)(["'])([^\n]*)\2$/.exec(node.text);
  if (!match) return;
  const [, prefix = "", quote = '"', content = ""] = match;
  const quoted = (text: string) => `${prefix}${quote}${text}${quote}`;
  let rank = 0;
  const seen = new Set([content]);
  const propose = function* (contents: string[], base: number): Generator<Proposal> {
    for (const other of contents) {
      if (seen.has(other) || other.includes(quote)) continue;
      seen.add(other);
      yield replaceText(node, quoted(other), "string", base + rankCost(rank++));
    }
  };
  yield* propose(variantsOf(content), 3.5);
  yield* propose(scene.ingredients.stringsIn(node).slice(0, 10), 4);
  yield* propose(["", " ", ",", ", ", "-", "_", "0", ".", "/", ":", "\\n"], 4.5);
  yield* propose(scene.ingredients.testStrings.slice(0, 8), 7);
};

/** Words that are taken for one another. */
const WORD_GROUPS = `NFC NFD NFKC NFKD | asc desc | left right | start end | min max | x y | row column | width height |
  utf-8 ascii latin-1 | r w a rb wb | first last | before after | up down | north south east west | open closed |
  GET POST PUT | allow deny | am pm | AM PM | user admin | read write | true false | yes no | on off`
  .split("|")
  .map((group) => group.trim().split(/\s+/));

function variantsOf(content: string): string[] {
  const variants: string[] = WORD_GROUPS.filter((group) => group.includes(content)).flat();
  if (/^\s|\s$/.test(content) && content.trim() !== "") variants.push(content.trim());
  if (content !== "" && content.length <= 3 && !/[a-z]/i.test(content)) {
    variants.push(`${content} `, ` ${content}`, content + content);
    if (content.length > 1) variants.push(content.slice(0, 1), content.slice(1));
  }
  if (/[a-z]/.test(content)) variants.push(content.toUpperCase());
  if (/[A-Z]/.test(content)) variants.push(content.toLowerCase());
  if (/^[a-z]/.test(content) && content.length > 1) variants.push(content[0]!.toUpperCase() + content.slice(1));
  variants.push(...formatVariants(content));
  return variants;
}

/** Date and number formats with another letter: `%d/%m` for `%m/%d`, `.3f` for `.2f`. */
function formatVariants(content: string): string[] {
  const variants: string[] = [];
  const pairs = [
    ["%m", "%M"],
    ["%H", "%I"],
    ["%Y", "%y"],
    ["%d", "%m"],
    ["%d", "%j"],
    [".1f", ".2f"],
    [".2f", ".3f"],
    [".2f", ".0f"],
  ] as const;
  for (const [one, other] of pairs) {
    if (content.includes(one)) variants.push(content.replaceAll(one, other));
    if (content.includes(other)) variants.push(content.replaceAll(other, one));
    if (content.includes(one) && content.includes(other))
      variants.push(content.replaceAll(one, "\0").replaceAll(other, one).replaceAll("\0", other));
  }
  return variants;
}
