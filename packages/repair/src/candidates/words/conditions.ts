// Conditions that an edit may write: those of the program, their opposites, and simple ones about what is in scope.

import { pieceOf } from "../edits/proposal.ts";
import { COMPARE, type Piece } from "../syntax/binding.ts";
import type { Syntax } from "../syntax/tree.ts";
import { ungroup } from "../syntax/value.ts";
import type { Scene, Usable } from "./scene.ts";
import { atom, join } from "./words.ts";

/** A condition, and how far-fetched it is, in bits. */
export interface Condition {
  piece: Piece;
  cost: number;
}

const opposites: Record<string, string> = {
  "<": ">=",
  ">=": "<",
  ">": "<=",
  "<=": ">",
  "==": "!=",
  "!=": "==",
  "===": "!==",
  "!==": "===",
  in: "not in",
  "not in": "in",
  is: "is not",
  "is not": "is",
};

/** The opposite of an expression, as a person would write it. */
export function negate(node: Syntax, scene: Scene): Piece {
  const inner = ungroup(node);
  const operators = inner.role === "compare" ? inner.all("operator") : [];
  const opposite = operators.length === 1 ? opposites[operators[0]!.text.replace(/\s+/g, " ")] : undefined;
  if (opposite && (scene.isPython || !/in$/.test(operators[0]!.text))) {
    const operator = operators[0]!;
    const text =
      inner.text.slice(0, operator.start - inner.start) + opposite + inner.text.slice(operator.end - inner.start);
    return { text, level: COMPARE };
  }
  if (inner.role === "not") {
    const argument = inner.child("argument");
    if (argument) return pieceOf(ungroup(argument), scene.isPython);
  }
  return scene.words.not(pieceOf(inner, scene.isPython));
}

/** Conditions for a place, likeliest first, each once. */
export function conditionsFor(place: Syntax, scene: Scene, most = 60): Condition[] {
  const byText = new Map<string, Condition>();
  const add = (piece: Piece, cost: number): void => {
    const before = byText.get(piece.text);
    if (!before || before.cost > cost) byText.set(piece.text, { piece, cost });
  };
  for (const [rank, node] of existing(place, scene).entries()) {
    add(pieceOf(node, scene.isPython), 0.5 * Math.log2(rank + 1));
    add(negate(node, scene), 0.7 + 0.5 * Math.log2(rank + 1));
  }
  for (const { piece, cost } of simple(place, scene)) add(piece, cost);
  for (const { piece, cost } of keyed(place, scene)) add(piece, cost);
  for (const { piece, cost } of constantly(place, scene)) add(piece, cost);
  for (const { piece, cost } of flagged(place, scene)) add(piece, cost);
  for (const { piece, cost } of bothNothing(place, scene)) add(piece, cost);
  for (const { piece, cost } of aboutFields(place, scene)) add(piece, cost);
  return [...byText.values()].sort((a, b) => a.cost - b.cost).slice(0, most);
}

function existing(place: Syntax, scene: Scene): Syntax[] {
  return scene.ingredients
    .conditionsNear(place)
    .filter((node) => node.end - node.start < 80 && scene.canUse(node, place))
    .slice(0, 16);
}

/** Whether a table has a key that the program uses elsewhere. */
function* keyed(place: Syntax, scene: Scene): Generator<Condition> {
  const keys = scene.ingredients.valuesNear(
    place,
    (node) => node.role === "string" && (node.field === "index" || node.field === "left"),
  );
  const tables = scene
    .namesAt(place)
    .filter(({ kind, distance }) => distance === 0 && (kind === "dict" || kind === "list" || kind === "unknown"));
  for (const [rank, key] of keys.slice(0, 2).entries())
    for (const [step, { text }] of tables.slice(0, 3).entries()) {
      const cost = 2.5 + 0.5 * rank + 0.5 * step;
      yield { piece: { text: `${key.text} in ${text}`, level: COMPARE }, cost };
      if (scene.isPython) yield { piece: { text: `${key.text} not in ${text}`, level: COMPARE }, cost: cost + 0.5 };
    }
}

/** Whether a value is one of the constants that the program gives it, or that stand in a comparison of its kind. */
function* constantly(place: Syntax, scene: Scene): Generator<Condition> {
  const { equal, differ } = scene.words;
  const asked = [...place.walk()].filter(({ role }) => role === "index" || role === "member" || role === "name");
  const own = new Set(asked.slice(0, 12).map(({ text }) => text));
  const seen = new Set<string>();
  let rank = 0;
  for (const { value, constant } of scene.comparedConstants) {
    if (!scene.canUse(value, place) || rank > 10) continue;
    for (const text of own.has(value.text) ? [value.text] : [value.text, ...likeNames(value, asked)]) {
      for (const operator of [equal, differ]) {
        const whole = `${text} ${operator} ${constant.text}`;
        if (seen.has(whole)) continue;
        seen.add(whole);
        const far = own.has(text) ? 0.8 : 1.6;
        yield { piece: { text: whole, level: COMPARE }, cost: far + 0.4 * Math.log2(++rank) };
      }
    }
  }
}

/** Entries of the same table as a value's: what is asked of one may be asked of another. */
function likeNames(value: Syntax, asked: readonly Syntax[]): string[] {
  const table = value.role === "index" ? value.child("object")?.text : undefined;
  const alike = asked.filter(
    (node) => table !== undefined && node.role === "index" && node.child("object")?.text === table,
  );
  return [...new Set(alike.map(({ text }) => text))].slice(0, 2);
}

/** Flags of the objects at hand. */
function* flagged(place: Syntax, scene: Scene): Generator<Condition> {
  const names = scene.namesAt(place).filter(({ distance, kind }) => distance === 0 && /object|unknown/.test(kind));
  let rank = 0;
  for (const { text } of names.slice(0, 4)) {
    for (const flag of scene.flags.slice(0, 4)) {
      const piece = atom(`${text}.${flag}`);
      const cost = 1.5 + 0.5 * Math.log2(++rank);
      yield { piece, cost };
      yield { piece: scene.words.not(piece), cost: cost + 0.4 };
    }
  }
}

/** What is asked of the fields of an object at hand: a name like them, the same field of another, a constant. */
function* aboutFields(place: Syntax, scene: Scene): Generator<Condition> {
  const { equal, differ } = scene.words;
  const visible = scene.namesAt(place);
  const objects = visible.filter(
    ({ distance, kind, what }) => distance === 0 && /object|unknown|dict/.test(kind) && what !== "import",
  );
  const names = new Set(visible.map(({ text }) => text));
  let rank = 0;
  const ask = function* (left: string, right: string): Generator<Condition> {
    for (const operator of [equal, differ])
      yield { piece: { text: `${left} ${operator} ${right}`, level: COMPARE }, cost: 1.4 + 0.35 * Math.log2(++rank) };
  };
  for (const { text: object } of objects.slice(0, 3)) {
    const fields = new Set([...scene.fieldsOf(object), ...scene.declaredFields]);
    for (const field of [...fields].slice(0, 8)) {
      if (names.has(field) && field !== object) yield* ask(`${object}.${field}`, field);
      for (const { text: other } of objects.slice(0, 3))
        if (other !== object && scene.fieldsOf(other).has(field)) yield* ask(`${object}.${field}`, `${other}.${field}`);
      for (const constant of scene.fieldConstants.get(field) ?? []) yield* ask(`${object}.${field}`, constant);
    }
  }
}

/** Whether both counters of two loops, one in the other, are 0. */
function* bothNothing(place: Syntax, scene: Scene): Generator<Condition> {
  const { and, equal } = scene.words;
  const loops: string[] = [];
  for (let loop = place.above("for", "count", "function"); loop && loop.role !== "function"; ) {
    const target = loop.child("left") ?? loop.child("initializer")?.parts[0]?.child("name");
    if (target?.role === "name") loops.push(target.text);
    loop = loop.above("for", "count", "function");
  }
  const [inner, outer] = loops;
  if (inner && outer) yield { piece: { text: `${outer} ${equal} 0 ${and} ${inner} ${equal} 0`, level: 5 }, cost: 1.5 };
}

function* simple(place: Syntax, scene: Scene): Generator<Condition> {
  const usables = scene.atomsAt(place).slice(0, 14);
  for (const [rank, usable] of usables.entries()) {
    const far = 1 + 0.6 * Math.log2(rank + 1) + (usable.text.endsWith(")") ? 1.2 : 0);
    for (const [index, piece] of aboutOne(usable, scene).entries()) yield { piece, cost: far + 0.5 * index };
  }
  for (const [rank, one] of usables.slice(0, 9).entries()) {
    for (const [step, other] of usables.slice(0, 9).entries()) {
      if (one === other) continue;
      const far = 2 + 0.4 * Math.log2((rank + 1) * (step + 1));
      for (const [index, piece] of aboutTwo(one, other, step > rank, scene).entries())
        yield { piece, cost: far + 0.4 * index };
    }
  }
}

/** What one asks about a single value. */
function aboutOne({ text, kind, what }: Usable, { words, isPython }: Scene): Piece[] {
  const piece = atom(text);
  const compare = (operator: string, value: string): Piece => join(piece, operator, atom(value), isPython);
  if (what === "function" || kind === "function") return [];
  switch (kind) {
    case "number":
      return [
        compare("<=", "0"),
        compare(">", "0"),
        compare(words.equal, "0"),
        compare("<", "0"),
        compare(words.differ, "0"),
        compare(">", "1"),
        compare(words.equal, "1"),
        compare("<", "1"),
        compare(">=", "0"),
      ];
    case "string":
      return isPython
        ? [
            ...[words.not(piece), piece, compareLengthOf(words.length(piece), ">", "1")],
            ...[words.not(atom(`${text}.strip()`)), atom(`${text}.strip()`)],
          ]
        : [
            compare("===", "''"),
            compare("!==", "''"),
            words.not(piece),
            piece,
            compareLength(`${text}.trim()`, "===", "0"),
          ];
    case "list":
      return [
        words.isEmpty(piece),
        isPython ? piece : compareLength(text, ">", "0"),
        compareLengthOf(words.length(piece), ">", "1"),
        compareLengthOf(words.length(piece), words.equal, "1"),
      ];
    case "dict":
    case "set":
      return isPython ? [words.not(piece), piece] : [words.isNothing(piece), compareLength(text, "===", "0", "size")];
    case "boolean":
      return [piece, words.not(piece)];
    default:
      return [
        ...[words.isNothing(piece), words.isSomething(piece), words.not(piece), piece],
        ...(isPython ? [] : [compare("===", "null"), compare("!==", "null")]),
      ];
  }
}

/** What one asks about two values together. */
function aboutTwo(one: Usable, other: Usable, isFirst: boolean, scene: Scene): Piece[] {
  const { words, isPython } = scene;
  const [left, right] = [atom(one.text), atom(other.text)];
  const compare = (operator: string): Piece => join(left, operator, right, isPython);
  const kinds = [one.kind, other.kind];
  const isNumber = kinds.includes("number") && kinds.every((kind) => kind === "number" || kind === "unknown");
  const isSame = one.kind === other.kind && (one.kind === "string" || one.kind === "unknown");
  const inside = isPython ? `0 <= ${one.text} < ${other.text}` : `${one.text} >= 0 && ${one.text} < ${other.text}`;
  const within: Piece[] = isNumber ? [{ text: inside, level: isPython ? COMPARE : 5 }] : [];
  const ordered = [
    compare("<"),
    compare(">"),
    compare(words.equal),
    compare("<="),
    compare(">="),
    compare(words.differ),
  ];
  if (isNumber) return isFirst ? [...ordered, ...within] : within;
  if (one.kind === "number" && other.kind === "list")
    return [join(left, "<", words.length(right), isPython), join(left, ">=", words.length(right), isPython)];
  if (other.kind === "set" || other.kind === "dict" || (other.kind === "list" && one.kind !== "list")) {
    if (isPython) return [compare("in"), compare("not in")];
    const has = atom(other.kind === "list" ? `${other.text}.includes(${one.text})` : `${other.text}.has(${one.text})`);
    return [has, words.not(has)];
  }
  if (one.kind === "list" && other.kind === "list" && isFirst) {
    const [length, wanted] = [words.length(left), words.length(right)];
    return [join(length, words.equal, wanted, isPython), join(length, words.differ, wanted, isPython)];
  }
  if (!isSame || !isFirst) return [];
  return [compare(words.equal), compare(words.differ), ...(one.kind === "unknown" ? [compare("<"), compare(">")] : [])];
}

function compareLength(text: string, operator: string, value: string, property = "length"): Piece {
  return { text: `${text}.${property} ${operator} ${value}`, level: COMPARE };
}

function compareLengthOf(length: Piece, operator: string, value: string): Piece {
  return { text: `${length.text} ${operator} ${value}`, level: COMPARE };
}
