// The normal form of a program: the tokens of its tree without comments, layout, redundant parentheses, commas,
// semicolons and the choice of quotes. Two programs with the same form do the same.

import type { Syntax } from "./tree.ts";

const silent = new Set([",", ";", "(", ")", "{", "}", ":"]);

/** The form of a tree; each node is told where its tokens stand. */
export function flatten(root: Syntax, into: string[] = []): string[] {
  root.formStart = into.length;
  addForm(root, into);
  root.formEnd = into.length;
  return into;
}

function addForm(node: Syntax, into: string[]): void {
  if (node.role === "comment") return;
  if (node.role === "group") {
    for (const child of node.parts) flatten(child, into);
    return;
  }
  // Its text has no nodes of its own.
  if (node.type === "format_specifier" && node.parts.length === 0) {
    into.push(node.text);
    return;
  }
  if (node.role === "string") {
    into.push(plainString(node));
    return;
  }
  if (node.children.length === 0) {
    // The colon of a slice is all that tells what stands before it from what stands behind.
    const isHeard = !silent.has(node.type) || node.parent?.role === "slice";
    if (node.isNamed || isHeard) into.push(node.text);
    return;
  }
  // A lone statement under a condition is the same as a block of one.
  const isLone = needsBlock(node);
  if (isLone) into.push("block(");
  into.push(`${node.role === "tuple" || node.type === "statement_block" ? node.role : node.type}(`);
  for (const child of inNormalOrder(node)) flatten(child, into);
  into.push(")");
  if (isLone) into.push(")");
}

/** `b * a` is `a * b`, and the larger of two is it in any order. */
function inNormalOrder(node: Syntax): readonly Syntax[] {
  if (node.role === "arguments" && /^(?:Math\.)?(?:min|max)$/.test(node.parent?.child("function")?.text ?? "")) {
    return node.parts.toSorted((a, b) => (a.text < b.text ? -1 : 1));
  }
  if (node.role !== "binary" && node.role !== "compare") return node.children;
  const [left, operator, right] = node.children;
  if (!left || !operator || !right || node.children.length !== 3 || !/^(?:\*|&|\||\^|[!=]==?)$/.test(operator.type))
    return node.children;
  return left.text <= right.text ? node.children : [right, operator, left];
}

function needsBlock(node: Syntax): boolean {
  if (node.role === "block" || !node.isNamed) return false;
  const above = node.parent?.role;
  if (above === "if") return node.field === "consequence";
  if (above === "else") return node.role !== "if";
  return (above === "for" || above === "count" || above === "while") && node.field === "body";
}

function plainString(node: Syntax): string {
  const match = /^([a-zA-Z]*)("""|'''|"|')([\s\S]*)\2$/.exec(node.text);
  if (!match) return node.text;
  const [, prefix = "", , content = ""] = match;
  return /["'\\\n]/.test(content) ? node.text : `${prefix.toLowerCase()}"${content}"`;
}

/** A change of a form: the tokens from `from` up to `to` become others. */
export interface FormChange {
  from: number;
  to: number;
  tokens: readonly string[];
}

/** The smallest change that does the same, which is equal for equal outcomes; undefined where nothing changes. */
export function tighten(form: readonly string[], change: FormChange): FormChange | undefined {
  const { from, to, tokens } = change;
  if (tokens.length === to - from && tokens.every((token, index) => token === form[from + index])) return undefined;
  // What follows the change takes part: an inserted copy of what follows may begin later than it seems.
  const grown = tokens.length - (to - from);
  const at = (index: number): string | undefined => {
    if (index < from) return form[index];
    return index < from + tokens.length ? tokens[index - from] : form[index - grown];
  };
  const length = form.length + grown;
  let start = from;
  while (start < length && start < form.length && at(start) === form[start]) start++;
  if (start === length && start === form.length) return undefined;
  let tail = form.length - to;
  while (tail < Math.min(form.length, length) - start && at(length - 1 - tail) === form[form.length - 1 - tail]) tail++;
  tail = Math.min(tail, form.length - start, length - start);
  const changed: string[] = [];
  for (let index = start; index < length - tail; index++) changed.push(at(index)!);
  return { from: start, to: form.length - tail, tokens: changed };
}

/** Two changes of one form as one; undefined where they touch each other. */
export function joinChanges(form: readonly string[], one: FormChange, other: FormChange): FormChange | undefined {
  const [first, second] = one.from <= other.from ? [one, other] : [other, one];
  if (first.to > second.from) return undefined;
  return {
    from: first.from,
    to: second.to,
    tokens: [...first.tokens, ...form.slice(first.to, second.from), ...second.tokens],
  };
}
