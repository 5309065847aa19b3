// Loading a run: the kept fold where it holds, and the rows after it; without one, all rows (L3).

import type { Loop } from "../define.ts";
import { LoopwrightError } from "../errors.ts";
import type { Outcome } from "../outcomes.ts";
import type { Journal, KeptFold, Row } from "../ports.ts";
import { inline, inlineState, linkOf } from "./chain.ts";
import type { StampedEvent, Usage } from "./events.ts";
import { applyEvent, emptyRecord, lastScore, type RunRecord, waitingGateOf } from "./fold.ts";
import type { Json } from "./json.ts";
import type { State } from "./patch.ts";

export interface LoadedRun {
  record: RunRecord;
  state: State;
  input: Json;
  config: Json;
}

/** The record of a run, without the large values of its state; one that was read before is brought up to date. */
export async function loadRecord(journal: Journal, given: string | RunRecord): Promise<RunRecord> {
  const known = typeof given === "string" ? await keptRecord(journal, given) : given;
  const run = typeof given === "string" ? given : given.run;
  const after = known && (await rowsAfter(journal, known));
  const record = after ? foldRows(run, after, known) : foldRows(run, await journal.read(run));
  // Folders are named after it, and deleted by `prune`.
  if (run.includes("/") || /^\.*$/.test(run))
    throw new LoopwrightError("JOURNAL_DAMAGED", `no run is called ${JSON.stringify(run)}; the journal was changed`);
  return record;
}

/** What a run's rows amount to, each held against the link before it: all of them, or those that follow on a record. */
export function foldRows(run: string, rows: readonly Row[], record: RunRecord = emptyRecord(run)): RunRecord {
  if (record.seq === 0 && rows.length === 0) throw runNotFound(run);
  for (const row of rows) {
    if (row.seq !== record.seq + 1 || row.link !== linkOf(record.link, row.body)) throw damaged(run, record.seq + 1);
    takeRow(record, row);
  }
  return record;
}

/** Takes one row into a record; an event that cannot have followed is damage, however well it is linked. */
export function takeRow(record: RunRecord, row: Row): StampedEvent {
  const event = parseRow(record.run, row);
  try {
    applyEvent(record, event);
  } catch {
    throw damaged(record.run, row.seq);
  }
  Object.assign(record, { seq: row.seq, link: row.link });
  return event;
}

/** The event of a row; an error that names the run where the row is truncated. */
export function parseRow(run: string, row: Row): StampedEvent {
  try {
    return JSON.parse(row.body) as StampedEvent;
  } catch {
    throw damaged(run, row.seq);
  }
}

/** The fold of a record, to be kept: a cache (L3). */
export function recordToFold(record: RunRecord): KeptFold {
  const { seq, link } = record;
  return { seq, link, body: JSON.stringify(record), summary: JSON.stringify(summarize(record)) };
}

/** The record of the kept fold, where that is whole. */
async function keptRecord(journal: Journal, run: string): Promise<RunRecord | undefined> {
  const fold = await journal.fold(run);
  const record = fold && parseFold(fold.body);
  if (record?.run !== run || record.seq !== fold!.seq || record.link !== fold!.link) return undefined;
  return record;
}

/** The rows after a record; undefined where the row that it ends at is not the one that it was made from. */
async function rowsAfter(journal: Journal, { run, seq, link }: RunRecord): Promise<Row[] | undefined> {
  const [last, ...rows] = await journal.read(run, seq - 1);
  if (last?.seq !== seq) throw damaged(run, seq);
  return last.link === link ? rows : undefined;
}

function parseFold(text: string): RunRecord | undefined {
  try {
    return JSON.parse(text) as RunRecord;
  } catch {
    return undefined;
  }
}

export function runNotFound(run: string): LoopwrightError {
  return new LoopwrightError("RUN_NOT_FOUND", `there is no run '${run}'`);
}

export function damaged(run: string, seq: number): LoopwrightError {
  const message = `run ${run}: event ${seq} is missing or was changed; 'verify' names what is damaged`;
  return new LoopwrightError("JOURNAL_DAMAGED", message);
}

/** A run with its state whole, ready to be driven. */
export async function loadRun(journal: Journal, given: string | RunRecord): Promise<LoadedRun> {
  const record = await loadRecord(journal, given);
  const [input, config] = await Promise.all([inline(record.input, journal), inline(record.config, journal)]);
  return { record, state: await inlineState(record.state, journal), input, config };
}

/** Refuses a run that the loop no longer fits (L8); true if its state must be migrated first. */
export function needsMigration(loop: Loop, record: RunRecord): boolean {
  if (record.loop !== loop.name) throw unfit(record, `it is a run of the loop '${record.loop}', not of '${loop.name}'`);
  if (record.version !== loop.version) {
    if (loop.migrate && loop.version > record.version) return true;
    throw unfit(
      record,
      `it was made with version ${record.version} of the loop '${loop.name}', and this is version ${loop.version}`,
    );
  }
  const gone = record.phases.filter((phase) => !Object.hasOwn(loop.phases, phase));
  if (gone.length > 0) throw unfit(record, `the loop '${loop.name}' no longer has the phase '${gone.join("', '")}'`);
  return false;
}

/** Refuses a run that would enter a phase which the loop does not have (L8). */
export function checkPhase(loop: Loop, record: RunRecord, phase: string): void {
  if (Object.hasOwn(loop.phases, phase)) return;
  throw unfit(record, `it stands before the phase '${phase}', which the loop no longer has`);
}

function unfit(record: RunRecord, why: string): LoopwrightError {
  const message = `run ${record.run} cannot go on: ${why}. Use the loop as it was, or raise its version and give it a 'migrate'.`;
  return new LoopwrightError("LOOP_CHANGED", message);
}

/** What a list of runs shows of one. */
export interface RunSummary extends Usage, Pick<RunRecord, "loop" | "iterations" | "startedAt" | "at"> {
  /** How it stands: its outcome, `waiting` at a gate, or `open`: under way, or cut off. */
  status: Outcome | "waiting" | "open";
  ceiling: number;
  score: number | null;
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
