// Statements that are missing: copies of the program's own, and those that its names suggest.

import type { Syntax } from "../../syntax/tree.ts";
import { ifLines, relativeLines } from "../../words/layout.ts";
import type { Scene } from "../../words/scene.ts";
import { atom } from "../../words/words.ts";
import type { Operator } from "../operator.ts";
import { brief, type Proposal, rankCost } from "../proposal.ts";
import { type Gap, gapsAt } from "./gaps.ts";
import { suggestStatements } from "./suggestions.ts";

/** Copies of statements, at the gaps of a statement. */
export const copies: Operator = function* (node, scene) {
  for (const gap of gapsAt(node, scene)) {
    let rank = 0;
    for (const { lines, cost } of copiesFor(gap, node, scene).slice(0, 20)) {
      const proposal = propose(gap, lines, "statement-copy", 4.6 + cost + 0.6 * rankCost(rank++));
      if (proposal) yield proposal;
    }
  }
};

/** Statements made of the names in scope, at the gaps of a statement. */
export const additions: Operator = function* (node, scene) {
  for (const gap of gapsAt(node, scene)) {
    for (const { text, cost } of suggestStatements(gap, scene)) {
      const proposal = propose(gap, [text + scene.style.end], "statement", 4.5 + cost);
      if (proposal) yield proposal;
    }
  }
};

function propose(gap: Gap, lines: readonly string[], kind: string, cost: number): Proposal | undefined {
  const change = gap.insert(lines);
  if (!change) return undefined;
  return { kind, cost, edits: [change], title: `insert ${brief(lines.join(" "))}`, at: gap.at };
}

interface Copy {
  lines: string[];
  cost: number;
}

function copiesFor(gap: Gap, node: Syntax, scene: Scene): Copy[] {
  const own = node.above("function", "function-expression");
  const kin = node.above("class");
  const found: Copy[] = [];
  const seen = new Set<string>();
  for (const statement of scene.simpleStatements) {
    if (seen.has(statement.text) || isIdle(statement, node, gap)) continue;
    const isOwn = own?.contains(statement) === true;
    const far = isOwn ? 0 : kin?.contains(statement) ? 0.8 : 1.8;
    const texts = scene.canUse(statement, gap.at)
      ? [statement.text, ...retold(statement, gap, scene)]
      : renamed(statement, gap, scene);
    for (const text of texts) {
      if (seen.has(text) || declaresAgain(statement, gap, scene)) continue;
      seen.add(text);
      const cost =
        far + usualness(statement) + (text === statement.text ? 0 : 1.5) + 0.02 * Math.abs(statement.line - node.line);
      const lines = relativeLines(statement, scene.style, text);
      found.push({ lines, cost });
      const subject = isOwn && node.role !== "for" ? subjectOf(statement, scene) : undefined;
      if (subject && isAfterLoop(node, gap))
        found.push({ lines: ifLines(subject, lines, scene.style, scene.isPython), cost: cost + 0.8 });
    }
  }
  return found.sort((a, b) => a.cost - b.cost);
}

/** Whether a copy would make what follows it idle, or only repeat what stands there. */
function isIdle(statement: Syntax, node: Syntax, gap: Gap): boolean {
  if (statement.role === "return" || statement.role === "raise") return gap.where === "before";
  return statement === node && statement.role !== "express";
}

/** How likely a statement is one that was forgotten: what changes a collection or a count is, a first value is not. */
function usualness(statement: Syntax): number {
  const inner = statement.parts[0];
  if (statement.role === "express" && inner?.role === "call") return 0;
  if (inner?.role === "augment" || inner?.role === "update") return 0.3;
  if (statement.role === "return" && /^return (?:self|this);?$/.test(statement.text)) return -1.2;
  return statement.role === "declare" ? 1.5 : 0.6;
}

function isAfterLoop(node: Syntax, gap: Gap): boolean {
  if (gap.where === "after") return /^(?:for|while|count)$/.test(node.role);
  const siblings = node.parent!.parts;
  const before = siblings[siblings.indexOf(node) - 1];
  return before !== undefined && /^(?:for|while|count)$/.test(before.role);
}

/** What a statement passes on: `if current:` goes before `lines.append(current)`. */
function subjectOf(statement: Syntax, scene: Scene): string | undefined {
  const call = statement.parts[0];
  if (call?.role !== "call") return undefined;
  const argument = call.child("arguments")?.parts[0];
  const name = argument && [...argument.walk()].find(({ role }) => role === "name" || role === "member");
  if (!name) return undefined;
  const kind = scene.kinds.of(name);
  if (scene.isPython) return name.text;
  return kind === "list" || kind === "string"
    ? `${name.text}.length > 0`
    : scene.words.isSomething(atom(name.text)).text;
}

/** The statement with one name that is unknown at the gap replaced by one that is known. */
function renamed(statement: Syntax, gap: Gap, scene: Scene): string[] {
  const names = scene.namesAt(gap.at);
  const visible = new Set(names.map(({ text }) => text));
  const parts = [...statement.walk()].filter(({ role, field }) => role === "name" && field !== "key");
  const strange = new Set(parts.map(({ text }) => text).filter((text) => !visible.has(text) && scene.isDeclared(text)));
  if (strange.size !== 1) return [];
  const [old] = [...strange];
  const kind = scene.kinds.ofText(old!);
  const others = names.filter(
    (usable) => usable.distance < 2 && (usable.kind === kind || usable.kind === "unknown" || kind === "unknown"),
  );
  return others.slice(0, 3).map(({ text }) => {
    let result = statement.text;
    for (const part of parts.filter((part) => part.text === old).reverse())
      result = result.slice(0, part.start - statement.start) + text + result.slice(part.end - statement.start);
    return result;
  });
}

/** The statement with another text in it; behind a loop, with another name for what the loop went through. */
function retold(statement: Syntax, gap: Gap, scene: Scene): string[] {
  const put = (part: Syntax, text: string): string =>
    statement.text.slice(0, part.start - statement.start) + text + statement.text.slice(part.end - statement.start);
  const parts = [...statement.walk()];
  const literals = parts.filter(({ role, parent }) => role === "string" && parent?.role === "arguments");
  const others = literals.flatMap((part) => {
    const quote = part.text.slice(-1);
    const texts = scene.ingredients.stringsIn(part).map((text) => quote + text + quote);
    return texts
      .filter((text) => text !== part.text)
      .slice(0, 3)
      .map((text) => put(part, text));
  });
  const loop = statement.above("for", "function");
  const target = loop?.role === "for" && !loop.contains(gap.at) ? loop.child("left") : undefined;
  const bound = new Set(
    (target ? [...target.walk()] : []).filter(({ role }) => role === "name").map(({ text }) => text),
  );
  const used = parts.filter(({ role, text }) => role === "name" && bound.has(text));
  const olds = [...new Set(used.map(({ text }) => text))].slice(0, 2);
  const names = scene
    .namesAt(gap.at)
    .filter(({ text, distance, what }) => distance < 2 && !bound.has(text) && what !== "function");
  const renamings = olds.flatMap((old) =>
    names.slice(0, 4).map(({ text }) => {
      let result = statement.text;
      for (const part of used.filter((part) => part.text === old).reverse())
        result = result.slice(0, part.start - statement.start) + text + result.slice(part.end - statement.start);
      return result;
    }),
  );
  return [...others.slice(0, 4), ...renamings];
}

function declaresAgain(statement: Syntax, gap: Gap, scene: Scene): boolean {
  if (statement.role !== "declare") return false;
  const name = statement.parts[0]?.child("name")?.text;
  return scene.namesAt(gap.at).some(({ text, distance }) => text === name && distance === 0);
}
