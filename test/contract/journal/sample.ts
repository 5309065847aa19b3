// What the suite for journals is written with: a journal under test, processes, rows, commits, and what a failure must be.

import { expect } from "vitest";
import { LoopwrightError } from "../../../packages/core/src/errors.ts";
import { thisProcess } from "../../../packages/core/src/journal/leases.ts";
import type { Commit, Journal, KeptFold, Lease, Row, Signal } from "../../../packages/core/src/ports.ts";
import { linkOf } from "../../../packages/core/src/record/chain.ts";
import type { ProcessId } from "../../../packages/core/src/record/events.ts";
import { sha256 } from "../../../packages/core/src/record/json.ts";

/** A journal under test. */
export interface Opened {
  journal: Journal;
  /** Another way into the same stored runs, as another process would have it. */
  again: () => Promise<Journal>;
}

/** The process that runs the tests, and one of another machine. */
export const self = thisProcess();
export const elsewhere: ProcessId = {
  host: "far-away",
  boot: "another-boot",
  namespace: "pid:[1]",
  pid: 77,
  started: "5",
};
/** After so many milliseconds without a word a holder elsewhere counts as dead. */
export const SILENCE = 600;

/** Exactly one of the acquires wins, and the others learn that the run is held. */
export async function expectOneWinner(tries: Promise<Lease>[]): Promise<void> {
  const results = await Promise.allSettled(tries);
  const lost = results.filter((result) => result.status === "rejected");
  expect(results.length - lost.length).toBe(1);
  for (const { reason } of lost) expect(reason).toMatchObject({ code: "LEASE_HELD" });
}

/** A blobs map that fails after its first entry, as a disk would in the middle of a commit. */
export class BrokenMap extends Map<string, string> {
  override *[Symbol.iterator](): MapIterator<[string, string]> {
    yield* super[Symbol.iterator]();
    throw new Error("broken");
  }
}

/** The first rows of a run, linked as they must be. */
export function chain(length: number, name = "run"): Row[] {
  const rows: Row[] = [];
  for (let seq = 1; seq <= length; seq++) {
    const body = JSON.stringify({ type: "loop-noted", name, data: seq });
    rows.push({ seq, body, link: linkOf(rows.at(-1)?.link ?? "", body) });
  }
  return rows;
}

/** The row that follows. */
export function rowAfter(rows: readonly Row[]): Row {
  const last = rows.at(-1)!;
  const body = JSON.stringify({ type: "loop-noted", name: "after", data: last.seq });
  return { seq: last.seq + 1, body, link: linkOf(last.link, body) };
}

/** A commit of rows, and of what else is given. */
export function commit(rows: readonly Row[], more: Partial<Commit> = {}): Commit {
  return { rows, blobs: new Map(), ...more };
}

/** Creates a run whose id must be free. */
export async function created(
  journal: Journal,
  run: string,
  rows: readonly Row[] = chain(1),
  more: Partial<Commit> = {},
  holder: ProcessId = self,
): Promise<Lease> {
  const lease = await journal.create(run, holder, commit(rows, more));
  if (!lease) throw new Error(`run '${run}' is there already`);
  return lease;
}

/** Blobs by their hashes. */
export function blob(...texts: string[]): Map<string, string> {
  return new Map(texts.map((text) => [sha256(text), text]));
}

/** A fold as of a row. */
export function fold(seq: number): KeptFold {
  return { seq, link: sha256(`link ${seq}`), body: `body ${seq} ü`, summary: `summary ${seq}` };
}

/** A signal of an id. */
export function signal(id: string): Signal {
  return { id, at: 17, body: { kind: "cancel" } };
}

/** The error of Loopwright's own that a call must fail with. */
export async function failure(act: Promise<unknown>): Promise<LoopwrightError> {
  const error = await act.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error, "it did not fail as one of Loopwright's own errors").toBeInstanceOf(LoopwrightError);
  return error as LoopwrightError;
}
