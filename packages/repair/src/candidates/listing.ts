// Candidates as they are listed: each a program that parses and that no earlier one is.

import { overlaps } from "./apply.ts";
import type { Candidate, Edit } from "./candidate.ts";
import type { Proposal } from "./edits/proposal.ts";
import type { Places } from "./places.ts";
import { type FormChange, joinChanges, tighten } from "./syntax/form.ts";

/** How a candidate changes the forms of files, by path. */
type Changes = ReadonlyMap<string, FormChange>;

/** Edits that move lines may spoil each other's places; what they make together is parsed. */
const structural = /block|branch|order|deletion|wrap|jump|condition-added|guard|initial-value|idiom/;

/** What is listed so far. */
export class Listing {
  readonly #places: Places;
  readonly #seen = new Set<string>();
  readonly #changes = new Map<Candidate, Changes>();

  constructor(places: Places) {
    this.#places = places;
  }

  /** A proposal as a candidate, unless it is no new program. */
  add({ kind, cost, title, at, edits: changes }: Proposal, path: string): Candidate | undefined {
    const edits = changes.map((change): Edit => ({ path, ...change }));
    return this.#list({ edits, kinds: [kind], cost, title: `${path}:${at.line}: ${title}` }, this.#changesOf(edits));
  }

  /** Two candidates as one, unless they cannot be made together or are no new program. */
  addPair(one: Candidate, other: Candidate): Candidate | undefined {
    if (one.edits.some((edit) => other.edits.some((another) => overlaps(edit, another)))) return undefined;
    const pair: Candidate = {
      edits: [...one.edits, ...other.edits],
      kinds: [...one.kinds, ...other.kinds],
      cost: one.cost + other.cost + 1,
      title: `${one.title}; ${other.title}`,
    };
    return this.#list(pair, this.#joined(one, other) ?? this.#changesOf(pair.edits));
  }

  #list(candidate: Candidate, changes: Changes | undefined): Candidate | undefined {
    if (!changes || changes.size === 0) return undefined;
    const key = keyOf(changes);
    if (this.#seen.has(key)) return undefined;
    this.#seen.add(key);
    this.#changes.set(candidate, changes);
    return candidate;
  }

  #changesOf(edits: readonly Edit[]): Changes | undefined {
    const changes = new Map<string, FormChange>();
    for (const path of new Set(edits.map((edit) => edit.path))) {
      const source = this.#places.scene(path)?.source;
      const change = source?.change(edits.filter((edit) => edit.path === path));
      if (!change) return undefined;
      changes.set(path, change);
    }
    return changes;
  }

  /** What two changes far enough from each other make; undefined where only parsing can tell. */
  #joined(one: Candidate, other: Candidate): Changes | undefined {
    const [ones, others] = [this.#changes.get(one), this.#changes.get(other)];
    if (!ones || !others) return undefined;
    const joined = new Map<string, FormChange>(ones);
    for (const [path, change] of others) {
      const before = ones.get(path);
      if (!before) {
        joined.set(path, change);
        continue;
      }
      if ([...one.kinds, ...other.kinds].some((kind) => structural.test(kind)) || areNear(one, other)) return undefined;
      const form = this.#places.scene(path)!.source.form;
      const both = joinChanges(form, before, change);
      const tight = both && tighten(form, both);
      if (!tight) return undefined;
      joined.set(path, tight);
    }
    return joined;
  }
}

function keyOf(changes: Changes): string {
  const keys = [...changes].map(([path, { from, to, tokens }]) => `${path}\n${from} ${to}\n${tokens.join("\u0001")}`);
  return keys.sort().join("\u0002");
}

/** Whether edits may stand in one statement. */
function areNear(one: Candidate, other: Candidate): boolean {
  const lines = ({ title }: Candidate): number => Number(/:(\d+): /.exec(title)?.[1]);
  return Math.abs(lines(one) - lines(other)) < 3;
}
