// Where a statement can be inserted.

import type { Syntax } from "../../syntax/tree.ts";
import { insertAfter, insertBefore, linesOf, statementsIn } from "../../words/layout.ts";
import type { Scene } from "../../words/scene.ts";
import type { Change } from "../proposal.ts";

/** A place between statements. */
export interface Gap {
  /** What is in scope there. */
  at: Syntax;
  where: "before" | "after";
  insert(lines: readonly string[]): Change | undefined;
}

/** The gaps that a statement opens: before it, and after it where it is its block's last. */
export function gapsAt(statement: Syntax, scene: Scene): Gap[] {
  const above = statement.parent;
  if (!above || (above.role !== "block" && above.role !== "case") || above.parent?.role === "class") return [];
  if (above.type === "class_body" || above.type === "switch_body") return [];
  if (statement.role === "documentation" || !linesOf(statement) || !statement.above("function", "function-expression"))
    return [];
  const gaps: Gap[] = [
    { at: statement, where: "before", insert: (lines) => insertBefore(statement, lines, scene.style) },
  ];
  const isLast = statementsIn(above).at(-1) === statement;
  if (isLast && !/^(?:return|raise|break|continue)$/.test(statement.role)) {
    gaps.push({ at: endOf(statement), where: "after", insert: (lines) => insertAfter(statement, lines, scene.style) });
  }
  return gaps;
}

/** Whether a node opens the body of a function or a loop. */
export function isFirst(statement: Syntax): boolean {
  const above = statement.parent;
  return above?.role === "block" && statementsIn(above).find(({ role }) => role !== "documentation") === statement;
}

/** A place behind a statement: what it declares has its value there. */
function endOf(statement: Syntax): Syntax {
  let last = statement;
  while (last.children.length > 0) last = last.children.at(-1)!;
  return last;
}
