// Statements that the names in scope suggest: one more, one less, remembered, forgotten, reset, put in order.

import type { Syntax } from "../../syntax/tree.ts";
import { isTarget } from "../../syntax/value.ts";
import type { Scene, Usable } from "../../words/scene.ts";
import { likeness } from "../values/names.ts";
import { type Gap, isFirst } from "./gaps.ts";

export interface Suggestion {
  text: string;
  cost: number;
}

/** Statements for a gap, each with how far-fetched it is. */
export function suggestStatements(gap: Gap, scene: Scene): Suggestion[] {
  const usables = scene
    .usablesAt(gap.at)
    .filter(({ distance, what }) => distance < 2 && what !== "function" && what !== "class");
  const writable = usables.filter(({ what }) => what !== "constant");
  const found: Suggestion[] = [
    ...begun(gap, scene),
    ...undone(gap, scene),
    ...counted(writable, gap),
    ...cleared(writable, scene),
    ...remembered(usables, scene),
    ...tidied(usables, gap, scene),
    ...passedOn(writable, usables, gap),
    ...left(gap, usables, scene),
    ...reset(gap, scene),
    ...broughtUpToDate(gap, usables, scene),
    ...collected(gap, usables, scene),
    ...stopped(gap, scene),
  ];
  return found;
}

/** What the class above does first. */
function* begun(gap: Gap, scene: Scene): Generator<Suggestion> {
  const owner = gap.at.above("function", "function-expression");
  const kin = owner?.above("class");
  const name = owner?.child("name")?.text;
  if (!owner || !kin || !name || !isFirst(gap.at)) return;
  const hasParent = kin.child("superclasses") ?? kin.parts.find(({ type }) => type === "class_heritage");
  if (!hasParent || owner.text.includes("super")) return;
  const given = (owner.child("parameters")?.parts ?? []).map(
    (part) => (part.child("name") ?? part.child("pattern") ?? part).text,
  );
  const own = given.filter((text) => text !== "self" && !text.startsWith("*"));
  const call = scene.isPython || name !== "constructor" ? `super().${name}` : "super";
  const start = scene.isPython ? call : call.replace("super()", "super");
  for (let count = own.length; count >= 0; count--)
    yield { text: `${start}(${own.slice(0, count).join(", ")})`, cost: 0.5 + 0.4 * (own.length - count) };
}

/** A field begins again with what the constructor gave it. */
function* reset(gap: Gap, scene: Scene): Generator<Suggestion> {
  let rank = 0;
  for (const { field, value, maker } of scene.firstValues(gap.at)) {
    if (maker.contains(gap.at) || !/^(?:number|nothing|boolean|string|list|dict|unary|call|new|set)$/.test(value.role))
      continue;
    if (value.end - value.start > 20 || !scene.canUse(value, gap.at)) continue;
    const isCollection = /^(?:list|dict|set|call|new)$/.test(value.role);
    const cost = 1.3 + 0.35 * rank++;
    yield { text: `${field} = ${value.text}`, cost };
    if (isCollection) yield { text: scene.isPython ? `${field}.clear()` : `${field}.length = 0`, cost: cost + 0.2 };
  }
}

/** A field that is set once and never again, though the rest changes: it should be what is at hand now. */
function* broughtUpToDate(gap: Gap, usables: readonly Usable[], scene: Scene): Generator<Suggestion> {
  const owner = gap.at.above("class");
  if (!owner) return;
  const locals = usables.filter(({ what, distance }) => distance === 0 && what !== "import" && what !== "field");
  let rank = 0;
  for (const { field, maker } of scene.firstValues(gap.at)) {
    const isStale = ![...owner.walk()].some(
      (node) => node.role === "member" && node.text === field && isTarget(node) && !maker.contains(node),
    );
    const isRead = [...owner.walk()].some((node) => node.role === "member" && node.text === field && !isTarget(node));
    if (!isStale || !isRead || maker.contains(gap.at)) continue;
    for (const { text, kind } of locals.slice(0, 4)) {
      const strange = likeness(kind, scene.kinds.ofText(field));
      if (strange < 4) yield { text: `${field} = ${text}`, cost: 1.2 + 0.4 * rank++ + 0.5 * strange };
    }
  }
}

/** What a loop gathers gets the thing at hand too. */
function* collected(gap: Gap, usables: readonly Usable[], scene: Scene): Generator<Suggestion> {
  const loop = gap.at.above("for", "while", "count", "function");
  if (!loop || loop.role === "function") return;
  const item = loop.child("left")?.role === "name" ? loop.child("left")!.text : undefined;
  if (item === undefined) return;
  for (const [rank, { text, kind }] of usables
    .filter(({ what }) => what === "variable")
    .slice(0, 4)
    .entries()) {
    if (text === item) continue;
    if (kind === "string" || kind === "number") yield { text: `${text} += ${item}`, cost: 1.6 + 0.5 * rank };
    if (kind === "list")
      yield { text: `${text}.${scene.isPython ? "append" : "push"}(${item})`, cost: 1.4 + 0.5 * rank };
  }
}

/** A timer is stopped before another takes its place. */
function* stopped(gap: Gap, scene: Scene): Generator<Suggestion> {
  if (scene.isPython || gap.where !== "before") return;
  const target = /^(\S+) = set(Timeout|Interval)\(/.exec(gap.at.text);
  if (target) yield { text: `clear${target[2]}(${target[1]})`, cost: -1 };
}

const inverses: Record<string, string> = {
  append: "pop()",
  push: "pop()",
  add: "remove",
  unshift: "shift()",
  appendleft: "popleft()",
  acquire: "release()",
};

/** What was put on before a loop or a call comes off after it. */
function* undone(gap: Gap, scene: Scene): Generator<Suggestion> {
  const body = gap.at.above("function", "function-expression")?.child("body");
  for (const statement of body?.parts ?? []) {
    const called = statement.role === "express" ? statement.parts[0]?.child("function") : undefined;
    const inverse = inverses[called?.child("property")?.text ?? ""];
    if (!inverse || statement.start >= gap.at.start) continue;
    const object = called!.child("object")!.text;
    const given = statement.parts[0]!.child("arguments")!.text;
    if (!inverse.endsWith(")")) yield { text: `${object}.${scene.isPython ? inverse : "delete"}${given}`, cost: 1.5 };
    else yield { text: `${object}.${inverse}`, cost: 1 };
  }
}

function* counted(writable: readonly Usable[], gap: Gap): Generator<Suggestion> {
  const numbers = writable.filter(({ kind }) => kind === "number");
  const isInLoop = gap.at.above("for", "while", "count", "function", "function-expression")?.role !== "function";
  for (const [rank, { text }] of numbers.slice(0, 5).entries()) {
    yield { text: `${text} += 1`, cost: 1.2 + 0.5 * rank + (isInLoop ? 0 : 0.5) };
    yield { text: `${text} -= 1`, cost: 1.8 + 0.5 * rank + (isInLoop ? 0 : 0.5) };
    yield { text: `${text} = 0`, cost: 1.8 + 0.5 * rank };
  }
}

/** A flag raised or lowered, a list begun anew. */
function* cleared(writable: readonly Usable[], { words }: Scene): Generator<Suggestion> {
  const flags = writable.filter(({ kind, what }) => kind === "boolean" && what !== "parameter");
  for (const [rank, { text }] of flags.slice(0, 4).entries()) {
    yield { text: `${text} = ${words.yes}`, cost: 1 + 0.4 * rank };
    yield { text: `${text} = ${words.no}`, cost: 1.2 + 0.4 * rank };
  }
  const lists = writable.filter(({ kind, what }) => kind === "list" && what !== "parameter");
  for (const [rank, { text }] of lists.slice(0, 4).entries()) yield { text: `${text} = []`, cost: 1.5 + 0.4 * rank };
  for (const { text } of writable.filter(({ what }) => what === "field").slice(0, 4))
    yield { text: `${text} = ${words.isPython ? "None" : "undefined"}`, cost: 3 };
}

function* remembered(usables: readonly Usable[], { isPython }: Scene): Generator<Suggestion> {
  const holders = usables.filter(({ kind }) => kind === "list" || kind === "set" || kind === "dict");
  const items = usables.filter(({ kind, what }) => kind !== "function" && what !== "field" && what !== "import");
  for (const [rank, holder] of holders.slice(0, 4).entries()) {
    for (const [step, item] of items.slice(0, 5).entries()) {
      if (item === holder) continue;
      const cost = 1 + 0.5 * rank + 0.5 * step;
      if (holder.kind === "set") {
        yield { text: `${holder.text}.add(${item.text})`, cost };
        yield {
          text: isPython ? `${holder.text}.discard(${item.text})` : `${holder.text}.delete(${item.text})`,
          cost: cost + 1.5,
        };
      } else if (holder.kind === "list") {
        yield {
          text: isPython ? `${holder.text}.append(${item.text})` : `${holder.text}.push(${item.text})`,
          cost: cost + 0.5,
        };
      } else {
        const value = items.find((other) => other !== item && other !== holder);
        if (!isPython) yield { text: `${holder.text}.delete(${item.text})`, cost: cost + 1.2 };
        else yield { text: `del ${holder.text}[${item.text}]`, cost: cost + 1.5 };
        if (value) {
          const isMap = !isPython;
          yield {
            text: isMap
              ? `${holder.text}.set(${item.text}, ${value.text})`
              : `${holder.text}[${item.text}] = ${value.text}`,
            cost: cost + 1.2,
          };
        }
      }
    }
  }
}

function* tidied(usables: readonly Usable[], gap: Gap, { isPython }: Scene): Generator<Suggestion> {
  const writable = usables.filter(({ what }) => what !== "constant" && what !== "field");
  for (const [rank, { text, kind, what }] of writable.slice(0, 5).entries()) {
    const cost = 2 + 0.6 * rank + (what === "parameter" ? 0 : 0.6) + (gap.where === "after" ? 1 : 0);
    if (kind === "string" || (kind === "unknown" && what === "parameter")) {
      const strange = kind === "unknown" ? 1.2 : 0;
      yield { text: isPython ? `${text} = ${text}.strip()` : `${text} = ${text}.trim()`, cost: cost + strange };
      yield {
        text: isPython ? `${text} = ${text}.lower()` : `${text} = ${text}.toLowerCase()`,
        cost: cost + 0.3 + strange,
      };
    }
    if (kind === "list" || (kind === "unknown" && what === "parameter")) {
      const strange = kind === "unknown" ? 1.2 : 0;
      yield {
        text: isPython ? `${text} = sorted(${text})` : `${text} = [...${text}].sort((a, b) => a - b)`,
        cost: cost + strange,
      };
      yield { text: isPython ? `${text} = list(${text})` : `${text} = [...${text}]`, cost: cost + 0.3 + strange };
      yield { text: `${text}.reverse()`, cost: cost + 1 + strange };
    }
    if (kind === "dict")
      yield { text: isPython ? `${text} = dict(${text})` : `${text} = { ...${text} }`, cost: cost + 0.3 };
  }
  const lists = usables.filter(({ kind }) => kind === "list");
  const numbers = writable.filter(
    ({ kind, what }) => kind === "number" || (kind === "unknown" && what === "parameter"),
  );
  for (const [rank, { text }] of numbers.slice(0, 3).entries())
    for (const list of lists.slice(0, 2))
      yield { text: `${text} %= ${isPython ? `len(${list.text})` : `${list.text}.length`}`, cost: 3 + 0.5 * rank };
  for (const { text } of lists.slice(0, 3))
    yield { text: isPython ? `${text}.sort()` : `${text}.sort((a, b) => a - b)`, cost: 2.5 };
  for (const { text } of usables.filter(({ kind, what }) => kind === "list" && what === "field").slice(0, 2))
    yield { text: isPython ? `${text}.clear()` : `${text}.length = 0`, cost: 3 };
}

/** `previous = current`, `self.size = size`. */
function* passedOn(writable: readonly Usable[], usables: readonly Usable[], gap: Gap): Generator<Suggestion> {
  let rank = 0;
  for (const target of writable.slice(0, 8)) {
    for (const value of usables.slice(0, 8)) {
      if (target === value || likeness(target.kind, value.kind) > 1 || value.text.endsWith(".length")) continue;
      const isNamesake = target.text.endsWith(`.${value.text}`);
      const isStale = target.what === "parameter";
      const cost = (isNamesake ? 0.5 : 2.2) + 0.25 * rank + (isStale ? 1 : 0) + (gap.where === "after" ? 0 : 0.3);
      rank++;
      yield { text: `${target.text} = ${value.text}`, cost };
    }
  }
}

/** Leaving the loop, or the function with what it made. */
function* left(gap: Gap, usables: readonly Usable[], scene: Scene): Generator<Suggestion> {
  const loop = gap.at.above("for", "while", "count", "do", "function", "function-expression");
  const isLoop = loop !== undefined && loop.role !== "function" && loop.role !== "function-expression";
  if (gap.where !== "after") return;
  if (isLoop && gap.at.above("if", "for", "while", "count")?.role === "if") {
    yield { text: "break", cost: 1 };
    yield { text: "continue", cost: 1.2 };
  }
  const owner = gap.at.above("function", "function-expression");
  if (owner && returnsNothing(owner)) yield { text: "return", cost: 2 };
  const made = usables.filter(({ what }) => what === "variable" || what === "constant");
  for (const [rank, { text }] of [...made, ...usables.filter(({ what }) => what === "parameter")].slice(0, 5).entries())
    yield { text: `return ${text}`, cost: 1 + 0.7 * rank };
  for (const value of [scene.words.yes, scene.words.no, scene.words.self]) yield { text: `return ${value}`, cost: 2.5 };
}

function returnsNothing(owner: Syntax): boolean {
  return ![...owner.walk()].some((node) => node.role === "return" && node.child("value"));
}
