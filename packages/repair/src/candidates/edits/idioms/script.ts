// Faults that JavaScript and TypeScript are known for, each with its known cure.

import type { Syntax } from "../../syntax/tree.ts";
import { isValue, ungroup } from "../../syntax/value.ts";
import { insertAfter } from "../../words/layout.ts";
import type { Scene } from "../../words/scene.ts";
import { wrap } from "../../words/words.ts";
import type { Operator } from "../operator.ts";
import { brief, type Proposal, pieceOf, replacePiece, replaceText } from "../proposal.ts";

/** Known faults of scripts. */
export const scriptIdioms: Operator = function* (node, scene) {
  if (scene.isPython) return;
  if (node.role === "binary" && node.child("operator")?.text === "%") yield* floorModulo(node, scene);
  if (node.role === "call") yield* calls(node, scene);
  if (isValue(node)) yield* values(node, scene);
  if (node.role === "member" || node.role === "index" || node.role === "call") yield* chaining(node);
  if (node.role === "declare") yield* blockScope(node);
  if (node.role === "list" || node.role === "dict") yield* deepCopy(node);
  if (node.role === "index") yield* fromTheEnd(node);
  if (node.role === "not") yield* onlyNothing(node);
  if (node.type === "shorthand_property_identifier") yield* ownList(node);
  if (node.role === "declarator") yield* restOfSplit(node, scene);
  if (node.role === "logic") yield* lexicographic(node);
  if (node.role === "compare") yield* notNull(node);
};

/** The remainder of a negative number is negative. */
function* floorModulo(node: Syntax, scene: Scene): Generator<Proposal> {
  const left = wrap(pieceOf(ungroup(node.child("left")!), false), 14);
  const right = wrap(pieceOf(node.child("right")!, false), 14.5);
  const text = `((${left} % ${right}) + ${right}) % ${right}`;
  yield {
    ...replacePiece(node, { text, level: 14 }, scene.isPython, "idiom", 2.5),
    title: `${brief(node.text)} is never negative`,
  };
}

function* calls(node: Syntax, scene: Scene): Generator<Proposal> {
  const called = node.child("function")!;
  const parts = node.child("arguments")?.parts ?? [];
  const property = called.child("property")?.text;
  const object = called.child("object")?.text ?? "";
  const become = (text: string, cost: number): Proposal => ({
    ...replaceText(node, text, "idiom", cost),
    title: `${brief(node.text)} becomes ${brief(text)}`,
  });
  if (property === "fill" && parts.length === 1 && /^(?:list|new|dict|call)$/.test(parts[0]!.role)) {
    const length = called.child("object")?.child("arguments")?.parts[0]?.text;
    if (length)
      yield become(
        `Array.from({ length: ${length} }, () => ${parts[0]!.role === "dict" ? `(${parts[0]!.text})` : parts[0]!.text})`,
        1,
      );
  }
  if (property === "sort" || property === "reverse" || property === "splice") {
    if (property !== "splice") yield become(`[...${object}].${property}${node.child("arguments")!.text}`, 2.5);
  }
  if (property === "map" && parts.length === 1 && /^(?:parseInt|Number|String)$/.test(parts[0]!.text))
    yield become(`${object}.map((value) => ${parts[0]!.text}(value${parts[0]!.text === "parseInt" ? ", 10" : ""}))`, 2);
  if (property === "set" && parts[1]?.role === "list" && parts[1].parts.length === 1)
    yield become(
      `${object}.set(${parts[0]!.text}, [...(${object}.get(${parts[0]!.text}) ?? []), ${parts[1].parts[0]!.text}])`,
      2.5,
    );
  // Months count from 0.
  if (property === "getMonth" || property === "getUTCMonth") {
    const plus = `${node.text} + 1`;
    if (node.parent?.role !== "binary") yield replacePiece(node, { text: plus, level: 13 }, false, "idiom", 2);
  }
  const quotient = /^Math\.(?:floor|trunc)$/.test(called.text) ? parts[0] : undefined;
  if (quotient?.role === "binary" && quotient.child("operator")?.text === "/")
    yield replacePiece(
      node,
      { text: `${quotient.child("left")!.text} % ${quotient.child("right")!.text}`, level: 14 },
      false,
      "idiom",
      3.4,
    );
  if (property === "push" && parts.length === 1) {
    const indices = scene.namesAt(node).filter(({ kind, distance }) => kind === "number" && distance < 2);
    for (const [rank, { text }] of indices.slice(0, 3).entries())
      yield become(`${object}[${text}] = ${parts[0]!.text}`, 4.4 + 0.5 * rank);
  }
  if (property === "localeCompare" && parts.length === 1) {
    yield become(`Number(${object}) - Number(${parts[0]!.text})`, 3);
    yield replacePiece(node, { text: `${object} - ${parts[0]!.text}`, level: 13 }, false, "idiom", 3.5);
    yield become(`${object}.localeCompare(${parts[0]!.text}, undefined, { numeric: true })`, 4.5);
  }
  // slice(-0) takes all.
  const count = /^slice\(-([\w.]+)\)$/.exec(`${property}${node.child("arguments")!.text}`)?.[1];
  if (count && !/^\d/.test(count)) yield become(`${object}.slice(${object}.length - ${count})`, 3);
  if ((property === "slice" && parts.length === 0) || called.text === "Array.from")
    yield become(`structuredClone(${property === "slice" ? object : parts[0]?.text})`, 3.2);
  if (called.text === "isNaN" && parts[0]) yield become(`Number.isNaN(${parts[0].text})`, 2.5);
  if (property === "replace" && parts[0]?.role === "regex" && !/\/\w*g\w*$/.test(parts[0].text))
    yield { ...replaceText(parts[0], `${parts[0].text}g`, "regex", 1.8) };
  if (property === "hasOwnProperty") yield become(`Object.hasOwn(${object}, ${parts[0]?.text ?? ""})`, 3);
  if (isValue(node) && !scene.isPython && property === "get" && parts.length === 1) {
    for (const [rank, fallback] of ["0", "[]", "''"].entries())
      yield {
        ...replacePiece(node, { text: `${node.text} ?? ${fallback}`, level: 3 }, false, "fallback", 4 + 0.6 * rank),
      };
  }
}

function* values(node: Syntax, scene: Scene): Generator<Proposal> {
  if (!/^(?:name|member|call|index)$/.test(node.role) || node.field === "function" || node.parent?.role === "express")
    return;
  const above = node.parent?.role;
  if (
    node.role === "call" ||
    node.role === "name" ||
    above === "compare" ||
    above === "binary" ||
    above === "arguments" ||
    above === "return"
  ) {
    const own = wrap(pieceOf(node, false), 5.5);
    for (const [rank, fallback] of ["0", "''", "[]"].entries()) {
      const isFitting = scene.kinds.of(node) === "unknown" || rank === 0;
      if (isFitting)
        yield replacePiece(node, { text: `${own} ?? ${fallback}`, level: 3 }, false, "fallback", 5.2 + 0.6 * rank);
    }
  }
}

/** There is nothing at -1. */
function* fromTheEnd(node: Syntax): Generator<Proposal> {
  const at = node.child("index")?.text ?? "";
  if (/^-\d+$/.test(at)) yield replaceText(node, `${node.child("object")!.text}.at(${at})`, "idiom", 1);
}

/** `!value` where 0 or an empty text is a value too. */
function* onlyNothing(node: Syntax): Generator<Proposal> {
  const value = node.child("argument");
  if (!value || !/^(?:name|member|index|call)$/.test(value.role)) return;
  yield replacePiece(node, { text: `${value.text} == null`, level: 7 }, false, "idiom", 3.8);
}

/** A list that all objects share becomes one of each. */
function* ownList(node: Syntax): Generator<Proposal> {
  for (const [rank, value] of ["[]", "{}", "new Map()", "new Set()"].entries())
    yield replaceText(node, `${node.text}: ${value}`, "idiom", 4.2 + 0.5 * rank);
}

/** null is an object too. */
function* notNull(node: Syntax): Generator<Proposal> {
  const value = /^typeof (\S+) ={2,3} ['"]object['"]$/.exec(node.text)?.[1];
  if (value) {
    const isPlain = `${node.text} && !Array.isArray(${value})`;
    yield replacePiece(node, { text: isPlain, level: 5 }, false, "idiom", 2.8);
  }
  if (value && !new RegExp(`${value.replace(/\W/g, "\\$&")} !==? null`).test(node.parent?.text ?? ""))
    yield replacePiece(node, { text: `${node.text} && ${value} !== null`, level: 5 }, false, "idiom", 1.8);
}

/** `a.b` where a may be missing. */
function* chaining(node: Syntax): Generator<Proposal> {
  if (node.role === "call") return;
  const chain = node.child("optional_chain");
  const object = node.child("object");
  if (chain) {
    if (node.role === "member")
      yield { ...replaceText(chain, ".", "chaining", 5), title: `${brief(node.text)} without ?.` };
    return;
  }
  if (
    !object ||
    object.role === "self" ||
    /^[A-Z]/.test(object.text) ||
    node.parent?.field === "left" ||
    node.field === "left"
  )
    return;
  const text = node.role === "member" ? "?" : "?.";
  yield {
    kind: "chaining",
    cost: 4.5,
    edits: [{ start: object.end, end: object.end, text }],
    title: `${brief(object.text)} may be missing in ${brief(node.text)}`,
    at: node,
  };
}

/** split cuts at every separator: what stands behind the second is lost. */
function* restOfSplit(node: Syntax, scene: Scene): Generator<Proposal> {
  const [pattern, value] = [node.child("name"), node.child("value")];
  const separator = /\.split\(((['"]).+?\2)\)$/.exec(value?.text ?? "")?.[1];
  const [first, second] = pattern?.type === "array_pattern" ? pattern.parts : [];
  const name = second?.role === "pattern" ? second.child("left") : second;
  if (!separator || !pattern || pattern.parts.length !== 2 || name?.role !== "name" || node.parent?.role !== "declare")
    return;
  const rest = `${name.text}Parts`;
  const line = `${node.parent.child("kind")?.text ?? "const"} ${name.text} = ${rest}.join(${separator})${scene.style.end}`;
  const after = insertAfter(node.parent, [line], scene.style);
  const edit = { start: pattern.start, end: pattern.end, text: `[${first!.text}, ...${rest}]` };
  if (after)
    yield {
      kind: "idiom",
      cost: 3,
      edits: [edit, after],
      title: `${name.text} is all that follows ${separator}`,
      at: node,
    };
}

/** `[...rows]` and `{ ...tree }` share what is inside. */
function* deepCopy(node: Syntax): Generator<Proposal> {
  const only = node.parts.length === 1 ? node.parts[0] : undefined;
  const copied = only?.role === "spread" ? only.child("argument") : undefined;
  if (!copied) return;
  yield replaceText(node, `structuredClone(${copied.text})`, "idiom", 3);
  if (node.role === "dict") return;
  yield replaceText(node, `${wrap(pieceOf(copied, false), 20)}.map((item) => ({ ...item }))`, "idiom", 3.2);
  yield replaceText(node, `${wrap(pieceOf(copied, false), 20)}.map((row) => [...row])`, "idiom", 3.2);
}

/** `var` in a loop is one variable for all rounds. */
function* blockScope(node: Syntax): Generator<Proposal> {
  const kind = node.child("kind") ?? node.children[0];
  if (kind?.text === "var") yield replaceText(kind, "let", "idiom", 2);
}

/** `a.x < b.x && a.y < b.y` where the second counts only if the first are equal. */
function* lexicographic(node: Syntax): Generator<Proposal> {
  const [one, two] = [ungroup(node.child("left")!), ungroup(node.child("right")!)];
  if (one.role !== "compare" || two.role !== "compare") return;
  const [a, b] = [one.child("left")!.text, one.child("right")!.text];
  const [first, second] = [one.child("operator")!.text, two.child("operator")!.text];
  if (!/^[<>]/.test(first) || !/^[<>]/.test(second) || first[0] !== second[0]) return;
  yield replacePiece(
    node,
    { text: `${a} ${first[0]} ${b} || (${a} === ${b} && ${two.text})`, level: 4 },
    false,
    "idiom",
    3.5,
  );
}
