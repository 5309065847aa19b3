// What loops go through, and how.

import type { Syntax } from "../../syntax/tree.ts";
import { linesOf, statementsIn } from "../../words/layout.ts";
import type { Scene } from "../../words/scene.ts";
import { atom, wrap } from "../../words/words.ts";
import type { Operator } from "../operator.ts";
import { brief, type Proposal, pieceOf, rankCost, replaceText } from "../proposal.ts";

const python = [
  "list(_)",
  "sorted(_)",
  "reversed(_)",
  "_[1:]",
  "_[:-1]",
  "_[::-1]",
  "_.items()",
  "range(len(_))",
  "enumerate(_)",
  "set(_)",
  "_.copy()",
  "_.values()",
];
const script = [
  "[..._]",
  "[..._].reverse()",
  "_.slice(1)",
  "_.slice(0, -1)",
  "_.entries()",
  "Object.keys(_)",
  "Object.values(_)",
  "Object.entries(_)",
  "_.slice()",
  "[..._].sort()",
];

/** Other things to go through. */
export const iterables: Operator = function* (node, scene) {
  if (node.role === "count") yield* countedLoop(node, scene);
  if (node.role !== "for" && node.role !== "for-clause") return;
  const over = node.child("right");
  if (!over) return;
  if (!scene.isPython) {
    const operator = node.child("operator");
    if (operator) yield replaceText(operator, operator.text === "of" ? "in" : "of", "loop", 3.5);
  }
  // Changing what one goes through wants a copy.
  const isChanged = changes(node, over.text);
  for (const [rank, form] of (scene.isPython ? python : script).entries()) {
    const own = pieceOf(over, scene.isPython);
    const text = form.replace("_", () => (/_[.[]/.test(form) ? wrap(own, 20) : own.text));
    yield replaceText(over, text, "loop", (rank === 0 && isChanged ? 1.5 : 3.8) + 0.8 * rankCost(rank));
  }
  if (node.role === "for") yield* withoutBreak(node);
  const others = scene
    .usablesAt(node)
    .filter(({ kind, text, what }) => /^(?:list|dict|set)$/.test(kind) && text !== over.text && what !== "import");
  for (const [rank, { text, kind }] of others.slice(0, 5).entries()) {
    yield replaceText(over, text, "loop", 4.4 + 0.6 * rankCost(rank));
    if (kind === "dict") yield replaceText(over, `${text}.values()`, "loop", 4.6 + 0.6 * rankCost(rank));
  }
};

function changes(loop: Syntax, text: string): boolean {
  return [...loop.walk()].some((node) => {
    if (node.role !== "member" || node.child("object")?.text !== text) return node.role === "delete";
    return /^(?:remove|pop|append|add|discard|splice|push|delete|shift|unshift|insert|clear)$/.test(
      node.child("property")?.text ?? "",
    );
  });
}

/** Loops over an index: from the end, from the second, by pairs. */
function* countedLoop(node: Syntax, { isPython }: Scene): Generator<Proposal> {
  const [first, condition, step] = [node.child("initializer"), node.child("condition"), node.child("increment")];
  const name = first?.parts[0]?.child("name")?.text;
  const from = first?.parts[0]?.child("value");
  const bound = condition?.role === "compare" ? condition.child("right") : undefined;
  if (!first || !condition || !step || !name || !from || !bound) return;
  const start = first.start;
  const end = step.end;
  const become = (text: string, cost: number): Proposal => ({
    kind: "loop",
    cost,
    edits: [{ start, end, text }],
    title: `the loop becomes for (${brief(text)})`,
    at: node,
  });
  const low = wrap(pieceOf(bound, isPython), 13);
  const operator = condition.child("operator")!.text;
  if (operator === "<=") yield become(`let ${name} = ${bound.text}; ${name} >= ${from.text}; ${name}--`, 4);
  if (operator === "<") yield become(`let ${name} = ${low} - 1; ${name} >= ${from.text}; ${name}--`, 4);
  if (/^>/.test(operator)) yield become(`let ${name} = ${bound.text}; ${name} < ${from.text}; ${name}++`, 5.5);
}

/** The end of a loop that ends too early, or after the first. */
function* withoutBreak(node: Syntax): Generator<Proposal> {
  const body = node.child("body");
  const last = body && statementsIn(body).at(-1);
  const span = last && linesOf(last);
  if (last && span && (last.role === "break" || last.role === "continue") && statementsIn(body).length > 1)
    yield { kind: "deletion", cost: 4, edits: [{ ...span, text: "" }], title: `delete ${last.text}`, at: last };
}

/** Comprehensions with a filter more or less, or of another kind. */
export const comprehensions: Operator = function* (node, scene) {
  if (node.role !== "comprehension") return;
  for (const part of node.parts.filter(({ role }) => role === "if-clause")) {
    const before = node.source.slice(0, part.start).match(/\s*$/)![0].length;
    yield {
      kind: "comprehension",
      cost: 5,
      edits: [{ start: part.start - before, end: part.end, text: "" }],
      title: `drop ${brief(part.text)}`,
      at: node,
    };
  }
  const target = node.parts.find(({ role }) => role === "for-clause")?.child("left");
  if (target?.role === "name" && !node.parts.some(({ role }) => role === "if-clause")) {
    const last = node.parts.at(-1)!;
    const name = atom(target.text);
    const body = node.child("body");
    const made = body && body.role !== "name" && body.role !== "pair" ? [body.text] : [];
    const tests = [
      ...made,
      target.text,
      scene.words.isSomething(name).text,
      `${target.text} > 0`,
      scene.words.not(name).text,
    ];
    for (const [rank, text] of tests.entries())
      yield {
        kind: "comprehension",
        cost: 5 + rankCost(rank),
        edits: [{ start: last.end, end: last.end, text: ` if ${text}` }],
        title: `only if ${text} in ${brief(node.text)}`,
        at: node,
      };
  }
  if (node.type === "generator_expression" && node.parent?.role !== "arguments") {
    yield {
      ...replaceText(node, `[${node.text.slice(1, -1)}]`, "comprehension", 2.5),
      title: "the generator becomes a list",
    };
  }
  if (node.type === "list_comprehension") {
    yield {
      ...replaceText(node, `{${node.text.slice(1, -1)}}`, "comprehension", 5.5),
      title: "the list becomes a set",
    };
  }
};
