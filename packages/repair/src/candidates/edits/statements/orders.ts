// Things in another order: calls in a chain, branches of an if, elements of a list or a tuple.

import type { Syntax } from "../../syntax/tree.ts";
import { isTarget, isValue } from "../../syntax/value.ts";
import { layLines, relativeLines, statementsIn } from "../../words/layout.ts";
import type { Scene } from "../../words/scene.ts";
import { indentOf } from "../../words/style.ts";
import type { Operator } from "../operator.ts";
import { brief, type Change, type Proposal } from "../proposal.ts";

/** Elements, calls and branches in another order. */
export const orders: Operator = function* (node, scene) {
  if ((node.role === "tuple" || node.role === "list" || node.role === "pattern") && (isValue(node) || isTarget(node)))
    yield* elements(node);
  if (node.role === "dict" && node.parts.some(({ role }) => role === "spread")) yield* elements(node);
  if ((node.role === "list" || node.role === "tuple" || node.role === "dict") && isValue(node)) yield* moved(node);
  if (node.role === "call" && isOutermost(node)) yield* chains(node);
  if (node.role === "if" && node.parent?.role !== "else") yield* chainOfBranches(node, scene);
};

function* elements(node: Syntax): Generator<Proposal> {
  const parts = node.parts;
  if (parts.length < 2 || parts.length > 5) return;
  for (const [at, one] of parts.entries()) {
    for (const other of parts.slice(at + 1)) {
      if (one.text === other.text) continue;
      const cost = parts.length === 2 ? 3.5 : 4.5;
      yield {
        kind: "order",
        cost,
        edits: exchange(one, other),
        title: `swap ${brief(one.text)} and ${brief(other.text)}`,
        at: node,
      };
    }
  }
}

/** A rule that was to come first, or last. */
function* moved(node: Syntax): Generator<Proposal> {
  const parts = node.parts;
  if (parts.length < 3 || parts.length > 12) return;
  const texts = parts.map(({ text }) => text);
  const propose = (order: readonly string[], cost: number, title: string): Proposal => ({
    kind: "order",
    cost,
    edits: parts.map((part, at) => ({ start: part.start, end: part.end, text: order[at]! })),
    title,
    at: node,
  });
  for (const [at, text] of texts.entries()) {
    const rest = texts.toSpliced(at, 1);
    if (at > 1) yield propose([text, ...rest], 4.4, `${brief(text)} comes first`);
    if (at < texts.length - 2) yield propose([...rest, text], 4.6, `${brief(text)} comes last`);
  }
  yield propose(texts.toReversed(), 4.6, `${brief(node.text)} in reverse order`);
}

function isOutermost(node: Syntax): boolean {
  return node.parent?.role !== "member" || node.parent.field !== "function";
}

/** `x.a().b()` for `x.b().a()`. */
function* chains(node: Syntax): Generator<Proposal> {
  const links: { start: number; end: number; text: string }[] = [];
  let call: Syntax | undefined = node;
  while (call?.role === "call") {
    const called: Syntax | undefined = call.child("function");
    const object: Syntax | undefined = called?.role === "member" ? called.child("object") : undefined;
    if (!object) break;
    links.unshift({ start: object.end, end: call.end, text: call.source.slice(object.end, call.end) });
    call = object;
  }
  if (links.length < 2) return;
  const [first, last] = [links[0]!, links.at(-1)!];
  const become = (texts: string[], cost: number): Proposal => ({
    kind: "order",
    cost,
    edits: [{ start: first.start, end: last.end, text: texts.join("") }],
    title: `the calls become ${brief(texts.join(""))}`,
    at: node,
  });
  const texts = links.map(({ text }) => text);
  for (let at = 0; at + 1 < texts.length; at++)
    yield become(texts.with(at, texts[at + 1]!).with(at + 1, texts[at]!), 4.2);
  if (texts.length > 2) {
    yield become([texts.at(-1)!, ...texts.slice(0, -1)], 4.5);
    yield become([...texts.slice(1), texts[0]!], 4.8);
    yield become(texts.toReversed(), 5);
  }
  for (const [at, text] of texts.entries())
    if (texts.length > 1) yield { ...become(texts.toSpliced(at, 1), 5), title: `drop ${brief(text)}` };
}

interface Branch {
  condition: Syntax;
  block: Syntax;
}

/** The branches of an if, tried in another order. */
function* chainOfBranches(node: Syntax, scene: Scene): Generator<Proposal> {
  const branches = branchesOf(node);
  if (branches.length < 2) return;
  const put = (order: readonly Branch[], cost: number, title: string): Proposal | undefined => {
    const edits: Change[] = [];
    for (const [at, branch] of branches.entries()) {
      const other = order[at]!;
      if (other === branch) continue;
      edits.push({ start: branch.condition.start, end: branch.condition.end, text: other.condition.text });
      edits.push({
        start: branch.block.start,
        end: branch.block.end,
        text: blockText(other.block, branch.block, scene),
      });
    }
    return { kind: "branch-order", cost, edits, title, at: node };
  };
  for (let at = 0; at + 1 < branches.length; at++) {
    const [one, other] = [branches[at]!, branches[at + 1]!];
    const order = branches.with(at, other).with(at + 1, one);
    const proposal = put(order, 4, `ask ${brief(other.condition.text)} before ${brief(one.condition.text)}`);
    if (proposal) yield proposal;
  }
  const turned = branches.length > 2 ? put(branches.toReversed(), 4, "ask the conditions in reverse order") : undefined;
  if (turned) yield turned;
}

function branchesOf(node: Syntax): Branch[] {
  const branches: Branch[] = [];
  let at: Syntax | undefined = node;
  while (at) {
    const [condition, block] = [at.child("condition"), at.child("consequence")];
    if (condition && block) branches.push({ condition, block });
    const next: Syntax | undefined = at.child("alternative");
    if (next?.role === "elif") {
      for (const clause of node.all("alternative")) {
        const [asked, done] = [clause.child("condition"), clause.child("consequence")];
        if (clause.role === "elif" && asked && done) branches.push({ condition: asked, block: done });
      }
      return branches;
    }
    at = next?.role === "else" ? next.parts.find(({ role }) => role === "if") : undefined;
  }
  return branches;
}

/** A block's text where another block stands; both are equally deep, so only inline blocks differ. */
function blockText(block: Syntax, place: Syntax, scene: Scene): string {
  if (!scene.isPython || indentOf(block) === indentOf(place)) return block.text;
  return layLines(
    statementsIn(block).flatMap((each) => relativeLines(each, scene.style)),
    indentOf(place),
    scene.style,
  ).trim();
}

function exchange(one: Syntax, other: Syntax): Change[] {
  return [
    { start: one.start, end: one.end, text: other.text },
    { start: other.start, end: other.end, text: one.text },
  ];
}
