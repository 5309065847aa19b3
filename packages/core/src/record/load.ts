// Loading a run: the kept fold where it holds, and the rows after it; without one, all rows (L3).

import type { Loop } from "../define.ts";
import { LoopwrightError } from "../errors.ts";
import type { Journal, Row } from "../ports.ts";
import { inline, inlineState, linkOf } from "./chain.ts";
import type { StampedEvent } from "./events.ts";
import { applyEvent, emptyRecord, type RunRecord } from "./fold.ts";
import type { Json } from "./json.ts";
import type { State } from "./patch.ts";

export interface LoadedRun {
  record: RunRecord;
  state: State;
  input: Json;
  /** Characters of the rows after the kept fold. */
  tail: number;
}

/** The record of a run, without the large values of its state. */
export async function loadRecord(journal: Journal, run: string): Promise<{ record: RunRecord; tail: number }> {
  const record = (await keptRecord(journal, run)) ?? emptyRecord(run);
  const rows = await journal.read(run, record.seq);
  if (record.seq === 0 && rows.length === 0) throw new LoopwrightError("RUN_NOT_FOUND", `there is no run '${run}'`);
  let tail = 0;
  for (const row of rows) {
    if (row.seq !== record.seq + 1 || row.link !== linkOf(record.link, row.body)) throw damaged(run, record.seq + 1);
    takeRow(record, row);
    tail += row.body.length;
  }
  checkFolder(record);
  return { record, tail };
}

/** A journal may come from anywhere: the folder that it names is written, and deleted by `prune`. */
function checkFolder({ run, folder }: RunRecord): void {
  if (/^\d{8}-\d{6}_[a-z0-9-]+(?:\/[\w-]+)*$/.test(folder)) return;
  const message = `run ${run} names a folder that no run has: ${JSON.stringify(folder)}; its journal was changed`;
  throw new LoopwrightError("JOURNAL_DAMAGED", message);
}

/** Takes one row into a record. */
export function takeRow(record: RunRecord, row: Row): void {
  applyEvent(record, parseRow(record.run, row));
  record.seq = row.seq;
  record.link = row.link;
}

/** The event of a row; an error that names the run where the row is torn. */
export function parseRow(run: string, row: Row): StampedEvent {
  try {
    return JSON.parse(row.body) as StampedEvent;
  } catch {
    throw damaged(run, row.seq);
  }
}

/** A kept fold is used only if it is whole and the row it ends at is still the one that it was made from. */
async function keptRecord(journal: Journal, run: string): Promise<RunRecord | undefined> {
  const fold = await journal.fold(run);
  if (!fold) return undefined;
  const record = parseFold(fold.body);
  if (record?.run !== run || record.seq !== fold.seq || record.link !== fold.link) return undefined;
  const row = await journal.row(run, fold.seq);
  if (!row) throw damaged(run, fold.seq);
  return row.link === fold.link ? record : undefined;
}

function parseFold(text: string): RunRecord | undefined {
  try {
    return JSON.parse(text) as RunRecord;
  } catch {
    return undefined;
  }
}

export function damaged(run: string, seq: number): LoopwrightError {
  return new LoopwrightError(
    "JOURNAL_DAMAGED",
    `run ${run}: event ${seq} is missing or was changed; 'verify' names what is damaged`,
  );
}

/** A run with its state whole, ready to be driven. */
export async function loadRun(journal: Journal, run: string): Promise<LoadedRun> {
  const { record, tail } = await loadRecord(journal, run);
  return { record, tail, state: await inlineState(record.state, journal), input: await inline(record.input, journal) };
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
