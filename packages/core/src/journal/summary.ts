// What a run's folder says of it: `run.json` while it lives, `summary.json` at every stop.

import type { RunRecord } from "../record/fold.ts";
import { lastScore, openGateOf } from "../record/fold.ts";
import { type Json, plainJson } from "../record/json.ts";
import { iterationsHad } from "../record/listed.ts";

/** `run.json`: what the run is, and the head of its chain (L10). */
export function runToJson(record: RunRecord, input: Json): Json {
  const { run, loop, version, config, seed, ceilings, parent, startedAt, seq, link } = record;
  return plainJson({
    run,
    loop,
    version,
    startedAt: new Date(startedAt).toISOString(),
    seed,
    ceilings,
    config,
    input,
    parent,
    head: { seq, link },
  });
}

/** `summary.json`: how it stands or ended, and what it cost. */
export function recordToSummary(record: RunRecord): Json {
  const waiting = record.waitingOn?.gate ?? openGateOf(record)?.gate;
  return plainJson({
    run: record.run,
    outcome: record.ended?.outcome ?? (waiting ? "waiting" : null),
    reason: record.ended?.reason ?? waiting?.question ?? record.error?.message ?? null,
    iterations: iterationsHad(record),
    score: lastScore(record),
    scores: record.scores,
    retries: record.retries,
    restarts: record.restarts,
    tokens: record.usage.tokens,
    usd: record.usage.usd,
    notes: record.lastNotes,
    seconds: seconds(record.active),
    secondsByPhase: Object.fromEntries(Object.entries(record.phaseTimes).map(([phase, ms]) => [phase, seconds(ms)])),
  });
}

function seconds(ms: number): number {
  return Math.round(ms / 10) / 100;
}
