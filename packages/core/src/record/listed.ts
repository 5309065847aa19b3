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

/** A record's summary. */
export function summarize(record: RunRecord): RunSummary {
  const { loop, iterations, ceilings, usage, startedAt, at, parent, after, forked, error } = record;
  return {
    loop,
    status: record.ended?.outcome ?? (waitingGateOf(record) ? "waiting" : "open"),
    iterations,
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
