// Where the program goes on: break, continue and return, if and while, elif and if, branches that are missing.

import type { Syntax } from "../../syntax/tree.ts";
import { negate } from "../../words/conditions.ts";
import { ifLines, insertAfter, layLines, linesOf, relativeLines, statementsIn } from "../../words/layout.ts";
import type { Scene } from "../../words/scene.ts";
import { indentOf } from "../../words/style.ts";
import type { Operator } from "../operator.ts";
import { brief, type Proposal, pieceOf, replaceText } from "../proposal.ts";

/** Jumps to elsewhere. */
export const jumps: Operator = function* (node, scene) {
  const end = scene.style.end;
  const isIn = (loop: Syntax | undefined): boolean =>
    loop !== undefined && loop.role !== "function" && loop.role !== "function-expression";
  const loop = node.above("for", "while", "count", "do", "function", "function-expression");
  if (node.role === "break") {
    yield replaceText(node, `continue${end}`, "jump", 3);
    yield replaceText(node, `return${end}`, "jump", 4.5);
  }
  if (node.role === "continue") {
    yield replaceText(node, `break${end}`, "jump", 3);
    yield replaceText(node, `return${end}`, "jump", 5);
  }
  if (node.role === "return" && isIn(loop)) {
    yield replaceText(node, `continue${end}`, "jump", 4.2);
    yield replaceText(node, `break${end}`, "jump", 4.2);
  }
  if (node.role === "break" || node.role === "continue" || (node.role === "return" && isPlainReturn(node)))
    for (const [rank, raised] of scene.raised.slice(0, 3).entries())
      if (scene.canUse(raised, node)) yield replaceText(node, raised.text, "jump", 4.4 + 0.5 * rank);
  if (node.role === "return") yield* notYet(node, loop, scene);
  if (node.role === "express" && node.parts[0]?.role === "call")
    yield { ...replaceText(node, `return ${node.text}`, "jump", 4), title: `return ${brief(node.text)}` };
  if (node.role === "yield") yield* yields(node, scene);
  if (node.role === "case" && !scene.isPython) yield* fallThrough(node, scene);
};

function isPlainReturn(node: Syntax): boolean {
  const value = node.child("value");
  return !value || /^(?:nothing|boolean|number|name)$/.test(value.role);
}

/** A verdict inside a loop that was only to be given where it is clear; or remembered until the loop is over. */
function* notYet(node: Syntax, loop: Syntax | undefined, scene: Scene): Generator<Proposal> {
  const value = node.child("value");
  const isInLoop = loop !== undefined && loop.role !== "function" && loop.role !== "function-expression";
  if (!value || !isInLoop || !linesOf(node)) return;
  const { yes, no } = scene.words;
  const { end } = scene.style;
  const indent = indentOf(node);
  const under = (condition: string, text: string): string =>
    layLines(ifLines(condition, [`return ${text}${end}`], scene.style, scene.isPython), indent, scene.style)
      .slice(indent.length)
      .trimEnd();
  if (/^(?:call|compare|logic|not|name|member)$/.test(value.role)) {
    const base = { kind: "jump", at: node };
    const become = (text: string, cost: number): Proposal => ({
      ...base,
      cost,
      edits: [{ start: node.start, end: node.end, text }],
      title: `${brief(node.text)} becomes ${brief(text)}`,
    });
    yield become(under(value.text, yes), 3);
    yield become(under(negate(value, scene).text, no), 3.2);
    yield become(under(scene.words.isSomething(pieceOf(value, scene.isPython)).text, value.text), 3.8);
    yield become(under(value.text, value.text), 4);
  }
  const kept = scene.namesAt(node).filter(({ what, distance }) => what === "variable" && distance === 0);
  for (const [rank, { text }] of kept.slice(0, 3).entries())
    yield replaceText(node, `${text} = ${value.text}${end}`, "jump", 4.2 + 0.6 * rank);
}

function* yields(node: Syntax, scene: Scene): Generator<Proposal> {
  const value = node.child("value");
  const delegate = scene.isPython ? "yield from" : "yield*";
  if (!value) return;
  const isDelegate = /^yield(?: from|\*)/.test(node.text);
  yield replaceText(node, `${isDelegate ? "yield" : delegate} ${value.text}`, "jump", 3);
}

/** A case that runs on into the next one. */
function* fallThrough(node: Syntax, scene: Scene): Generator<Proposal> {
  const inside = statementsIn(node);
  const last = inside.at(-1);
  if (!last || /^(?:break|return|raise|continue)$/.test(last.role)) return;
  const change = insertAfter(last, [`break${scene.style.end}`], scene.style);
  if (change)
    yield {
      kind: "jump",
      cost: 2,
      edits: [change],
      title: `end ${brief(node.text.split("\n")[0]!)} with break`,
      at: last,
    };
}

/** What follows a try: in any case, or only where nothing went wrong. */
export const endings: Operator = function* (node, scene) {
  const word = node.children[0];
  if (!scene.isPython || !word || node.parent?.role !== "try") return;
  if (node.role === "finally") yield { ...replaceText(word, "else", "branch", 3.8), title: "finally becomes else" };
  if (node.role === "else") yield { ...replaceText(word, "finally", "branch", 3.8), title: "else becomes finally" };
};

/** If for while, if for elif, and the other way round. */
export const branches: Operator = function* (node, scene) {
  const word = node.children[0];
  if (!word) return;
  const hasElse = node.all("alternative").length > 0;
  if (node.role === "if" && word.text === "if" && !hasElse) yield replaceText(word, "while", "branch", 3.8);
  if (node.role === "while" && word.text === "while" && !hasElse) yield replaceText(word, "if", "branch", 3.8);
  if (scene.isPython && node.role === "if") {
    const before = previousStatement(node);
    const endsFree = before?.role === "if" && !before.parts.some(({ role }) => role === "else");
    if (endsFree) yield { ...replaceText(word, "elif", "branch", 3.5), title: "if becomes elif" };
  }
  if (scene.isPython && node.role === "elif")
    yield { ...replaceText(word, "if", "branch", 3.5), title: "elif becomes if" };
  if (!scene.isPython && node.role === "if") yield* scriptElse(node);
  if (node.role === "else" && scene.isPython && node.parent?.role === "if") yield* dropElse(node, scene);
  if (node.role === "if" && !hasElse) yield* restAsElse(node, scene);
};

function* scriptElse(node: Syntax): Generator<Proposal> {
  const before = previousStatement(node);
  if (before?.role === "if" && !before.child("alternative") && before.parent === node.parent) {
    yield {
      kind: "branch",
      cost: 3.5,
      edits: [{ start: before.end, end: node.start, text: " else " }],
      title: "if becomes else if",
      at: node,
    };
  }
  if (node.parent?.role === "else" && node.parent.parent) {
    const indent = indentOf(node.parent.parent);
    const clause = node.parent;
    const gap = clause.source.slice(0, clause.start).match(/\s*$/)?.[0].length ?? 0;
    yield {
      kind: "branch",
      cost: 3.5,
      edits: [{ start: clause.start - gap, end: node.start, text: `\n${indent}` }],
      title: "else if becomes if",
      at: node,
    };
  }
}

/** What stands under else is done in any case. */
function* dropElse(node: Syntax, scene: Scene): Generator<Proposal> {
  const block = node.parts.find(({ role }) => role === "block");
  const owner = node.parent!;
  if (!block || !linesOf(owner)) return;
  const lines = statementsIn(block).flatMap((statement) => relativeLines(statement, scene.style));
  const start = node.source.lastIndexOf("\n", node.start - 1) + 1;
  const end = linesOf(owner)!.end;
  yield {
    kind: "branch",
    cost: 5,
    edits: [{ start, end, text: layLines(lines, indentOf(owner), scene.style) }],
    title: "drop the else, keep what it does",
    at: node,
  };
}

/** What follows an if is done only where its condition does not hold. */
function* restAsElse(node: Syntax, scene: Scene): Generator<Proposal> {
  const above = node.parent;
  if (!above || !linesOf(node)) return;
  const siblings = statementsIn(above);
  const next = siblings[siblings.indexOf(node) + 1];
  const span = next && linesOf(next);
  if (!next || !span || /^(?:return|function|class)$/.test(next.role)) return;
  const lines = relativeLines(next, scene.style).map((line) => `\t${line}`);
  const indent = indentOf(node);
  if (scene.isPython) {
    const text = layLines(["else:", ...lines], indent, scene.style);
    yield { kind: "branch", cost: 4.8, edits: [{ ...span, text }], title: `only else ${brief(next.text)}`, at: next };
    return;
  }
  const consequence = node.child("consequence");
  if (consequence?.role !== "block") {
    const text = `${scene.style.eol}${indent}else ${next.text}`;
    const edits = [{ start: node.end, end: next.end, text }];
    yield { kind: "branch", cost: 4.2, edits, title: `only else ${brief(next.text)}`, at: next };
    return;
  }
  const text = ` else {${scene.style.eol}${layLines([...lines, "}"], indent, scene.style)}`;
  yield {
    kind: "branch",
    cost: 4.8,
    edits: [{ start: node.end, end: span.end, text }],
    title: `only else ${brief(next.text)}`,
    at: next,
  };
}

function previousStatement(node: Syntax): Syntax | undefined {
  const siblings = node.parent ? statementsIn(node.parent) : [];
  return siblings[siblings.indexOf(node) - 1];
}
