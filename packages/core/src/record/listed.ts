// What a list of runs shows of a record.

import type { Outcome } from "../outcomes.ts";
import { lastScore, type RunRecord, waitingGateOf } from "./fold.ts";

/** What a list of runs shows of one. */
export interface RunSummary {
  loop: string;
  /** How it stands: its outcome, `waiting` at a gate, or `open`: under way, or cut off. */
  status: Outcome | "waiting" | "open";
  iterations: number;
  ceiling: number;
  score: number | null;
  tokens: number;
  usd: number;
  startedAt: number;
  at: number;
  parent?: string;
  /** The run that it took over from. */
  after?: string;
  /** The run that it was forked from, until it goes on. */
  forked?: string;
  /** The code of the error that stopped it, until it goes on. */
  error?: string;
}

/** How many iterations a run has had. A fork that has not gone on stands before the one that it begins again. */
export function iterationsHad({ iterations, forked }: RunRecord): number {
  return forked ? forked.iteration - 1 : iterations;
}

/** A record's summary. */
export function summarize(record: RunRecord): RunSummary {
  const { loop, ceilings, usage, startedAt, at, parent, after, forked, error } = record;
  return {
    loop,
    status: record.ended?.outcome ?? (waitingGateOf(record) ? "waiting" : "open"),
    iterations: iterationsHad(record),
    ceiling: ceilings.iterations,
    score: lastScore(record),
    ...usage,
    startedAt,
    at,
    ...(parent && { parent: parent.run }),
    ...(after && { after: after.run }),
    ...(forked && { forked: forked.run }),
    ...(error && { error: error.code }),
  };
}
