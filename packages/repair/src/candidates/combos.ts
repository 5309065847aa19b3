// Two small edits in one statement, taken as one: both bounds, both operators, a bound and its comparison.

import { overlapsSpan } from "./apply.ts";
import type { Proposal } from "./edits/proposal.ts";
import { isStatement } from "./syntax/roles.ts";
import type { Syntax } from "./syntax/tree.ts";

/** What is combined costs at most this on its own; where it is the same thought twice, a little more. */
const CHEAP = 4.6;
const CHEAP_ALIKE = 6.5;
const EACH = 14;

/** The combinations of cheap edits within each statement. */
export function combine(proposals: readonly Proposal[]): Proposal[] {
  const byStatement = new Map<Syntax, Proposal[]>();
  for (const proposal of proposals) {
    if (proposal.cost > (proposal.idea ? CHEAP_ALIKE : CHEAP) || proposal.kind === "deletion") continue;
    const statement = statementOf(proposal);
    if (!statement) continue;
    const own = byStatement.get(statement) ?? [];
    byStatement.set(statement, own);
    own.push(proposal);
  }
  const combined: Proposal[] = alikeBeside(byStatement);
  for (const own of byStatement.values()) {
    const sorted = own.toSorted((a, b) => a.cost - b.cost);
    const likely = sorted.filter(({ cost }) => cost <= CHEAP).slice(0, EACH);
    combined.push(...alike(sorted.slice(0, 80)));
    for (const [at, one] of likely.entries())
      for (const other of likely.slice(at + 1)) {
        const both = join(one, other);
        if (both) combined.push(both);
      }
  }
  return combined;
}

/** The same thought in two statements that follow each other. */
function alikeBeside(byStatement: ReadonlyMap<Syntax, readonly Proposal[]>): Proposal[] {
  const found: Proposal[] = [];
  for (const [statement, own] of byStatement) {
    const siblings = statement.parent?.parts ?? [];
    const next = siblings[siblings.indexOf(statement) + 1];
    const theirs = new Map((next ? (byStatement.get(next) ?? []) : []).map((proposal) => [proposal.idea, proposal]));
    for (const one of own) {
      const other = one.idea === undefined ? undefined : theirs.get(one.idea);
      const both = other && join(one, other);
      if (both) found.push(both);
    }
  }
  return found;
}

/** The same thought at all places of a statement where it comes up. */
function* alike(proposals: readonly Proposal[]): Generator<Proposal> {
  const ideas = proposals.filter(({ idea }) => idea);
  // Everywhere, and wherever the place looks alike: `a.lat` and `b.lat`, but not `c`.
  const groups = [
    ...Map.groupBy(ideas, ({ idea }) => idea!).values(),
    ...Map.groupBy(ideas, ({ idea, at }) => `${idea}\n${shapeOf(at)}`).values(),
  ];
  for (const same of groups) {
    if (same.length < 2) continue;
    const apart = same.filter((one, at) => same.slice(0, at).every((other) => join(one, other)));
    const edits = apart.flatMap((one) => one.edits);
    const title = apart.map((one) => one.title).join(", ");
    if (apart.length > 1) yield { ...apart[0]!, cost: apart[0]!.cost + 1, edits, title };
  }
}

function shapeOf(node: Syntax): string {
  return `${node.role} ${node.child("property")?.text ?? ""} ${node.parent?.role} ${node.parent?.parent?.child("function")?.text ?? ""}`;
}

function join(one: Proposal, other: Proposal): Proposal | undefined {
  const isApart = one.edits.every((edit) => other.edits.every((another) => !overlapsSpan(edit, another)));
  if (!isApart) return undefined;
  // The same change twice is one thought.
  const isSame =
    (one.idea !== undefined && one.idea === other.idea) || (one.kind === other.kind && one.title === other.title);
  return {
    kind: `${one.kind}+${other.kind}`,
    cost: isSame ? one.cost + 1.5 : one.cost + other.cost + 0.5,
    edits: [...one.edits, ...other.edits],
    title: `${one.title}, ${other.title}`,
    at: one.at,
  };
}

/** The statement that holds all of an edit, when it is one without a block. */
function statementOf({ at, edits }: Proposal): Syntax | undefined {
  let node: Syntax | undefined = at;
  while (node && !isStatement(node.role)) node = node.parent;
  if (!node) return undefined;
  const { start, end } = node;
  return edits.every((edit) => edit.start >= start && edit.end <= end) ? node : undefined;
}
