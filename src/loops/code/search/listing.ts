// Candidates as they are listed: each a program that parses and that no earlier one is.

import type { Candidate, Edit } from "./candidate.ts";
import type { Proposal } from "./edits/proposal.ts";
import type { Places } from "./places.ts";
import type { FormChange } from "./syntax/form.ts";

/** A list of candidates without doubles. */
export class Listing {
  readonly candidates: Candidate[] = [];
  readonly #places: Places;
  readonly #seen = new Set<string>();

  constructor(places: Places) {
    this.#places = places;
  }

  /** Lists a proposal, unless it is no new program. */
  add(proposal: Proposal, path: string): boolean {
    const edits = proposal.edits.map((change): Edit => ({ path, ...change }));
    const change = this.#places.scene(path)?.source.change(edits);
    if (!change || !this.#isNew(path, change)) return false;
    const { kind, cost, title, at } = proposal;
    this.candidates.push({ edits, kinds: [kind], cost, title: `${path}:${at.line}: ${title}` });
    return true;
  }

  #isNew(path: string, { from, to, tokens }: FormChange): boolean {
    const key = `${path}\n${from} ${to}\n${tokens.join("\u0001")}`;
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    return true;
  }
}
