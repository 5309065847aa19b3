// Branches that are missing: what to do where a condition does not hold.

import type { Syntax } from "../../syntax/tree.ts";
import { layLines, linesOf, statementsIn } from "../../words/layout.ts";
import type { Scene } from "../../words/scene.ts";
import { indentOf } from "../../words/style.ts";
import type { Operator } from "../operator.ts";
import { brief, type Proposal, rankCost } from "../proposal.ts";

/** An else that does what the function does elsewhere. */
export const elseBranches: Operator = function* (node, scene) {
  if (node.role !== "if" || node.child("alternative") || !linesOf(node) || node.parent?.role === "else") return;
  const block = node.child("consequence");
  const last = block?.role === "block" ? statementsIn(block).at(-1) : undefined;
  if (!block || !last || /^(?:return|raise|continue|break)$/.test(last.role)) return;
  const changed = new Set(statementsIn(block).flatMap((statement) => targetOf(statement) ?? []));
  let rank = 0;
  for (const { text, isReset } of bodies(node, changed, scene)) {
    const proposal = elseOf(node, text, 4.8 + 0.9 * rankCost(rank++) + (isReset ? 0 : 1), scene);
    if (proposal) yield proposal;
    if (rank > 12) return;
  }
};

/** Simple statements for an else, those that set again what the if has changed first. */
function bodies(node: Syntax, changed: ReadonlySet<string>, scene: Scene): { text: string; isReset: boolean }[] {
  const own = node.above("function", "function-expression");
  const found = new Map<string, boolean>();
  for (const statement of scene.simpleStatements) {
    if (!own?.contains(statement) || statement.text.includes("\n") || node.contains(statement)) continue;
    const target = targetOf(statement);
    const isReset = target !== undefined && changed.has(target);
    const text = statement.role === "declare" ? resetText(statement) : statement.text;
    if (text !== undefined && scene.canUse(statement, node)) found.set(text, isReset);
  }
  for (const target of changed) {
    for (const value of ["0", "1", scene.words.emptyList])
      if (!found.has(`${target} = ${value}${scene.style.end}`))
        found.set(`${target} = ${value}${scene.style.end}`, true);
    found.set(`${target} -= 1${scene.style.end}`, true);
  }
  if (node.above("for", "while", "count"))
    for (const jump of ["break", "continue"]) found.set(jump + scene.style.end, false);
  return [...found].map(([text, isReset]) => ({ text, isReset })).sort((a, b) => Number(b.isReset) - Number(a.isReset));
}

/** `let run = 1;` as `run = 1;`. */
function resetText(statement: Syntax): string | undefined {
  const declarator = statement.parts[0];
  if (statement.child("kind")?.text === "const" || declarator?.child("name")?.role !== "name") return undefined;
  return statement.text.replace(/^(?:let|var)\s+/, "").replace(/^(\w+)\s*:[^=]+=/, "$1 =");
}

/** What a simple assignment writes to. */
function targetOf(statement: Syntax): string | undefined {
  const inner = statement.parts[0];
  if (!inner) return undefined;
  if (inner.role === "declarator") return inner.child("name")?.text;
  if (inner.role !== "assign" && inner.role !== "augment")
    return inner.role === "update" ? inner.child("argument")?.text : undefined;
  const target = inner.child("left");
  return target && /^(?:name|member|index)$/.test(target.role) ? target.text : undefined;
}

function elseOf(node: Syntax, text: string, cost: number, scene: Scene): Proposal | undefined {
  const span = linesOf(node)!;
  const indent = indentOf(node);
  const title = `else: ${brief(text)}`;
  if (scene.isPython) {
    const lines = layLines(["else:", `\t${text}`], indent, scene.style);
    const isEnded = node.source[span.end - 1] === "\n";
    return {
      kind: "else-branch",
      cost,
      edits: [{ start: span.end, end: span.end, text: isEnded ? lines : scene.style.eol + lines.trimEnd() }],
      title,
      at: node,
    };
  }
  const body = ` else {${scene.style.eol}${layLines([`\t${text}`, "}"], indent, scene.style).trimEnd()}`;
  return { kind: "else-branch", cost, edits: [{ start: node.end, end: node.end, text: body }], title, at: node };
}
