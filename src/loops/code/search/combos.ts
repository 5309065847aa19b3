// Two small edits in one statement, taken as one: both bounds, both operators, a bound and its comparison.

import { overlapsSpan } from "./apply.ts";
import type { Proposal } from "./edits/proposal.ts";
import { isStatement } from "./syntax/roles.ts";
import type { Syntax } from "./syntax/tree.ts";

/** What is combined costs at most this on its own. */
const CHEAP = 4.6;
const EACH = 14;

/** The combinations of cheap edits within each statement. */
export function combine(proposals: readonly Proposal[]): Proposal[] {
  const byStatement = new Map<Syntax, Proposal[]>();
  for (const proposal of proposals) {
    if (proposal.cost > CHEAP || proposal.kind === "deletion") continue;
    const statement = statementOf(proposal);
    if (!statement) continue;
    const own = byStatement.get(statement) ?? [];
    byStatement.set(statement, own);
    own.push(proposal);
  }
  const combined: Proposal[] = [];
  for (const own of byStatement.values()) {
    const likely = own.toSorted((a, b) => a.cost - b.cost).slice(0, EACH);
    for (const [at, one] of likely.entries())
      for (const other of likely.slice(at + 1)) {
        const both = join(one, other);
        if (both) combined.push(both);
      }
  }
  return combined;
}

function join(one: Proposal, other: Proposal): Proposal | undefined {
  const isApart = one.edits.every((edit) => other.edits.every((another) => !overlapsSpan(edit, another)));
  if (!isApart) return undefined;
  // The same change twice is one thought.
  const isSame = one.kind === other.kind && one.edits[0]?.text === other.edits[0]?.text && one.title === other.title;
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
