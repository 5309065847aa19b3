// The fold: what a run's events amount to (L3, L7). The same events always give the same record.
//
// It works on outlined events, so a record stays small however large the values are. A kept fold is this record as
// text: a cache, never the truth.

import { isFinal } from "../outcomes.ts";
import { addUsage, lessUsage, noUsage } from "../rules/ceilings.ts";
import { extendList, firstLink } from "./chain.ts";
import type {
  AnswerRecord,
  Artifact,
  Ceilings,
  Ending,
  Entry,
  ErrorRecord,
  GateRecord,
  PatchRecord,
  RunStarted,
  StampedEvent,
  Usage,
  Verdict,
} from "./events.ts";
import type { Json } from "./json.ts";

/** The note that the fast retry leaves, so that its re-tries are counted. */
export const FAST_RETRY = "fast-retry";

/** What is known of an effect of the visit under way, and what it was charged with over all its tries. */
export type EffectRecord = { digest: string; tries: number; at: number; charged?: Usage } & (
  | { status: "started" /** What it may yet use. */; estimate?: Usage }
  | { status: "finished"; result: Json }
  | { status: "failed"; error: ErrorRecord }
);

/** A run as its events tell it: what it was started with, and what came of it. */
export interface RunRecord extends Omit<RunStarted, "type" | "state" | "enter"> {
  run: string;
  seq: number;
  link: string;
  at: number;
  active: number;
  startedAt: number;
  /** Outlined: large values are names of blobs. */
  state: Record<string, Json>;
  /** Where it was forked from, until it goes on. */
  forked?: { run: string; iteration: number };
  /** Whether the fork gave it another seed, for the visit that it stands at. */
  reseeded?: true;
  /** The visit under way; undefined once its phase has ended the run. */
  entry?: Entry;
  /** What a person has made, for the visit under way. */
  given?: Artifact;
  /** What a person has answered to the gate that the run had ended at, for the visit that this led to. */
  answer?: AnswerRecord;
  /** Active milliseconds when the visit began. */
  entryActive: number;
  /** When the visit began. */
  entryAt: number;
  visits: number;
  iterations: number;
  /** By slot, so that a key may have any name. */
  effects: Record<string, EffectRecord>;
  gates: Record<string, GateRecord>;
  /** Effects of the loop's last word, until the run has ended. */
  finishing?: Record<string, EffectRecord>;
  /** What the visit has told already, notes and verdicts, by slot: it is not told again when the visit is run again. */
  told?: Record<string, true>;
  /** What the loop's last word told, by name. */
  lastNotes?: Record<string, Json>;
  waitingOn?: { child: string; gate: GateRecord };
  usage: Usage;
  restarts: number;
  retries: number;
  /** Active milliseconds by phase. */
  phaseTimes: Record<string, number>;
  scores: { iteration: number; score: number }[];
  verdict?: Verdict;
  /** Whether the run may end as done: a passing verdict or an accepting answer (L6). */
  mayBeDone: boolean;
  /** Decided, but the loop's finish has not run yet. */
  ending?: Ending;
  ended?: Ending;
  /** The error that the last visit ended with, until the run goes on. */
  error?: ErrorRecord;
}

/** A record with nothing in it yet. */
export function emptyRecord(run: string): RunRecord {
  return {
    run,
    seq: 0,
    link: firstLink(run),
    at: 0,
    active: 0,
    startedAt: 0,
    loop: "",
    version: 0,
    phases: [],
    iterationPhase: "",
    input: null,
    state: {},
    seed: 0,
    ceilings: {} as Ceilings,
    config: null,
    folder: "",
    attempt: "",
    entryActive: 0,
    entryAt: 0,
    visits: 0,
    iterations: 0,
    effects: {},
    gates: {},
    usage: noUsage,
    restarts: 0,
    retries: 0,
    phaseTimes: {},
    scores: [],
    mayBeDone: false,
  };
}

/** Takes an outlined event into a record, in place. */
export function applyEvent(record: RunRecord, event: StampedEvent): void {
  record.at = event.at;
  record.active = event.active;
  switch (event.type) {
    case "run-started": {
      const { type, at, active, enter, ...facts } = event;
      Object.assign(record, facts, { startedAt: at, state: { ...event.state } });
      if (event.after) record.usage = event.after.usage;
      enterPhase(record, enter);
      break;
    }
    case "run-resumed":
      if (record.ended?.outcome === "failed") record.restarts = 0;
      for (const key of ["ended", "error", "waitingOn", "lastNotes", "forked"] as const) delete record[key];
      // A last word that was broken off goes on.
      if (!record.ending || event.ending) delete record.finishing;
      if (event.enter) enterPhase(record, event.enter);
      if (event.given) record.given = event.given;
      if (event.answer) record.answer = event.answer;
      if (event.ending) record.ending = event.ending;
      break;
    case "run-migrated":
      Object.assign(record, { version: event.version, phases: event.phases, iterationPhase: event.iterationPhase });
      record.state = { ...event.state };
      break;
    case "run-forked":
      if (event.seed !== record.seed) record.reseeded = true;
      record.forked = { run: event.from, iteration: event.iteration };
      Object.assign(record, { seed: event.seed, folder: event.folder });
      delete record.parent;
      delete record.after;
      break;
    case "phase-finished":
      patchState(record.state, event.patch);
      record.mayBeDone = event.mayBeDone;
      countTime(record, event.phase);
      leavePhase(record);
      if (event.enter) enterPhase(record, event.enter);
      if (event.ending) record.ending = event.ending;
      break;
    case "visit-failed":
      record.error = event.error;
      if (event.effect !== undefined) retryEffect(record, event.effect);
      break;
    case "effect-started": {
      const effects = effectsOf(record, event.visit);
      const charged = effects[slot(event.key)]?.charged;
      const { digest, tries, at, estimate } = event;
      const started = { digest, tries, at, ...(charged && { charged }), ...(estimate && { estimate }) };
      effects[slot(event.key)] = { ...started, status: "started" };
      break;
    }
    case "effect-charged":
      charge(record, event);
      break;
    case "effect-finished":
      charge(record, event);
      settleEffect(record, event, { status: "finished", result: event.result });
      break;
    case "effect-failed":
      charge(record, event);
      settleEffect(record, event, { status: "failed", error: event.error });
      break;
    case "verdict-recorded":
      record.verdict = event.verdict;
      record.scores.push({ iteration: event.iteration, score: event.verdict.score });
      if (event.key !== undefined) markTold(record, event.key);
      break;
    case "workcell-restarted":
      record.restarts += 1;
      break;
    case "gate-opened":
      record.gates[slot(event.key)] = event.gate;
      break;
    case "gate-answered": {
      const gate = record.gates[slot(event.key)]!;
      record.gates[slot(event.key)] = { ...gate, answer: event.answer };
      if (!record.entry) record.mayBeDone = mayBeDoneAfter(gate, event.answer.choice, record.mayBeDone);
      break;
    }
    case "child-waiting":
      record.waitingOn = { child: event.child, gate: event.gate };
      break;
    case "ceilings-changed":
      record.ceilings = { ...record.ceilings, ...event.ceilings };
      break;
    case "run-ended": {
      const { type, at, active, iterations, score, ...ending } = event;
      record.ended = ending;
      delete record.ending;
      delete record.finishing;
      if (isFinal(ending.outcome)) leavePhase(record);
      break;
    }
    case "artifact-saved":
    case "answer-refused":
    case "ceiling-reached":
      break;
    case "loop-noted":
      if (event.name === FAST_RETRY) record.retries += retriesIn(event.data);
      if (event.key !== undefined) markTold(record, event.key);
      if (event.atEnd) record.lastNotes = { ...record.lastNotes, [event.name]: event.data };
      break;
  }
}

function markTold(record: RunRecord, key: string): void {
  record.told = { ...record.told, [slot(key)]: true };
}

function countTime(record: RunRecord, phase: string): void {
  const before = Object.hasOwn(record.phaseTimes, phase) ? record.phaseTimes[phase]! : 0;
  record.phaseTimes[phase] = before + record.active - record.entryActive;
}

function retriesIn(note: Json): number {
  const count = (note as { retry_count?: unknown } | null)?.retry_count;
  return typeof count === "number" ? count : 0;
}

function enterPhase(record: RunRecord, entry: Entry): void {
  leavePhase(record);
  record.entry = entry;
  record.entryActive = record.active;
  record.entryAt = record.at;
  record.visits = entry.visit;
  record.iterations = entry.iteration;
}

function leavePhase(record: RunRecord): void {
  delete record.entry;
  record.effects = {};
  record.gates = {};
  delete record.told;
  delete record.given;
  delete record.answer;
  delete record.reseeded;
}

/** Charges a run with what one of its effects used (L5). */
function charge(
  record: RunRecord,
  { visit, key, usage, estimate }: { visit: number; key: string; usage?: Usage; estimate?: Usage },
): void {
  if (!usage) return;
  record.usage = addUsage(record.usage, usage);
  const effect = effectsOf(record, visit)[slot(key)]!;
  effect.charged = addUsage(effect.charged ?? noUsage, usage);
  if (effect.status === "started") effect.estimate = estimate ?? lessUsage(effect.estimate ?? noUsage, usage);
}

function retryEffect(record: RunRecord, key: string): void {
  const { digest, tries, at, charged } = record.effects[slot(key)]!;
  record.effects[slot(key)] = { digest, tries, at, ...(charged && { charged }), status: "started" };
}

function settleEffect(
  record: RunRecord,
  { visit, key }: { visit: number; key: string },
  settled: { status: "finished"; result: Json } | { status: "failed"; error: ErrorRecord },
): void {
  const effects = effectsOf(record, visit);
  const { digest, tries, charged } = effects[slot(key)]!;
  effects[slot(key)] = { digest, tries, at: record.at, ...(charged && { charged }), ...settled };
}

/** The effects of the visit under way, or of the loop's last word, whose number is 0. */
export function effectsOf(record: RunRecord, visit: number): Record<string, EffectRecord> {
  if (visit !== 0) return record.effects;
  record.finishing ??= {};
  return record.finishing;
}

/** The record's own copy of the state: lists grow in place, so that a long history costs only what is new. */
function patchState(state: Record<string, Json>, patch: PatchRecord): void {
  for (const key of patch.drop ?? []) delete state[key];
  Object.assign(state, patch.set);
  for (const [key, added] of Object.entries(patch.append ?? {})) state[key] = extendList(state[key], added);
}

/** Where a key's record stands: never under a name that every object has. */
export function slot(key: string): string {
  return `:${key}`;
}

/** Whether a run may end as done once a gate was answered; a gate that accepts nothing says nothing about it (L6). */
export function mayBeDoneAfter<B extends boolean | undefined>(
  gate: GateRecord,
  choice: string,
  before: B,
): B | boolean {
  return gate.accepting.length === 0 ? before : gate.accepting.includes(choice);
}

/** The gate that a run waits at, if it does. */
export function openGateOf(record: RunRecord): { key: string; gate: GateRecord } | undefined {
  for (const [place, gate] of Object.entries(record.gates)) if (!gate.answer) return { key: place.slice(1), gate };
  return undefined;
}

/** The gate that a run waits at, its child's included, and the run that it belongs to. */
export function waitingGateOf(record: RunRecord): (GateRecord & { run: string }) | undefined {
  const { run, waitingOn } = record;
  if (waitingOn) return { ...waitingOn.gate, run: waitingOn.child };
  const open = openGateOf(record)?.gate;
  return open && { ...open, run };
}

/** The score of the last verdict, or null before the first. */
export function lastScore(record: RunRecord): number | null {
  return record.scores.at(-1)?.score ?? null;
}
