// Events as `--json` prints them: one per line, in a shape that is documented and versioned (docs/json.md). It is
// narrower than the journal's: what is large or the engine's own stays behind.

import { join } from "node:path";
import type { ErrorRecord, GateRecord, Json, LoopEvent, RunResult } from "@loopwright/core";
import { JSON_VERSION } from "@loopwright/terminal";

type Fields = Readonly<Record<string, unknown>>;
type EventOf<Type extends LoopEvent["type"]> = Extract<LoopEvent, { type: Type }>;

/** What each event carries beside its type, its run and its time. */
const fieldsOf: { [Type in LoopEvent["type"]]: (event: EventOf<Type>, root: string) => Fields } = {
  "run-started": ({ loop, version, seed, ceilings, config, folder, parent, after, enter }, root) => ({
    loop,
    version,
    seed,
    ceilings,
    config,
    folder: join(root, folder),
    parent: parent?.run,
    after: after?.run,
    phase: enter.phase,
  }),
  "run-resumed": ({ enter, given }) => ({ phase: enter?.phase, iteration: enter?.iteration, given }),
  "run-migrated": ({ version }) => ({ version }),
  "run-forked": ({ from, iteration, seed, folder }, root) => ({ from, iteration, seed, folder: join(root, folder) }),
  "phase-started": ({ phase, visit, iteration }) => ({ phase, visit, iteration }),
  "phase-finished": ({ phase, visit, enter, ending }) => ({
    phase,
    visit,
    next: enter?.phase ?? null,
    outcome: ending?.outcome,
  }),
  "visit-failed": ({ phase, visit, error, effect }) => ({ phase, visit, error: errorFields(error), effect }),
  "effect-started": ({ visit, key, tries }) => ({ visit, key, tries }),
  "effect-charged": ({ visit, key, usage: { tokens, usd } }) => ({ visit, key, tokens, usd }),
  "effect-finished": ({ visit, key, usage }) => ({ visit, key, tokens: usage?.tokens, usd: usage?.usd }),
  "effect-failed": ({ visit, key, error, usage }) => ({
    visit,
    key,
    error: errorFields(error),
    tokens: usage?.tokens,
    usd: usage?.usd,
  }),
  "artifact-saved": ({ artifact }) => ({ ...artifact }),
  "verdict-recorded": ({ iteration, verdict }) => ({ iteration, ...verdict }),
  "workcell-restarted": ({ kind, reason }) => ({ kind, reason }),
  "gate-opened": ({ gate }) => gateFields(gate),
  "gate-answered": ({ id, name, answer }) => ({
    gate: id,
    name,
    choice: answer.choice,
    note: answer.note,
    by: answer.by,
  }),
  "answer-refused": ({ id, choice, reason }) => ({ gate: id, choice, reason }),
  "child-waiting": ({ child, gate }) => ({ child, ...gateFields(gate) }),
  "ceilings-changed": ({ ceilings }) => ({ ceilings }),
  "ceiling-reached": ({ ceiling, limit, used }) => ({ ceiling, limit, used }),
  "loop-noted": ({ name, data }) => ({ name, data }),
  progress: ({ key, data }) => ({ key, data }),
  "run-ended": ({ outcome, reason, iterations, score, by }) => ({ outcome, reason, iterations, score, by: by?.run }),
};

/** A line of `--json`. */
export function eventToLine(event: LoopEvent, root: string): Fields {
  const toFields = fieldsOf[event.type] as (event: LoopEvent, root: string) => Fields;
  return line(event.type, event.run, event.at, toFields(event, root));
}

/** The last line of a command that drives a run: how it ended, or the gate that it waits at. */
export function resultToLine(result: RunResult, root: string, at: number): Fields {
  const folder = join(root, result.folder);
  if (result.outcome === "waiting" && result.gate) {
    const { run, ...gate } = result.gate;
    return line("gate-opened", run, at, { ...gateFields(gate), folder });
  }
  const { outcome, reason, iterations, score } = result;
  return line("run-ended", result.run, at, { outcome, reason, iterations, score, folder });
}

function line(type: string, run: string, at: number, fields: Fields): Fields {
  return { v: JSON_VERSION, type, run, at: new Date(at).toISOString(), ...fields };
}

function gateFields({ id, name, question, choices, default: fallback, expiresAt }: GateRecord): Fields {
  const expires = expiresAt === undefined ? undefined : new Date(expiresAt).toISOString();
  return { gate: id, name, question, choices, default: fallback, expires };
}

/** An error as `--json` prints it. */
export function errorFields({ name, code, message, stack }: ErrorRecord): Json {
  return { name, code, message, ...(stack !== undefined && { stack }) };
}
