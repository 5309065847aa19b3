// Leases: who may write a run, and when another may take over. The rules, for every journal alike (L4).

import { LoopwrightError } from "../errors.ts";
import type { ProcessId } from "../ports.ts";
import { lifeOf } from "./process-id.ts";

/** A lease as a journal keeps it. `beat` changes with every sign of life. */
export interface LeaseRow {
  token: number;
  holder: ProcessId | undefined;
  beat: number;
  active: number;
}

/** How long a holder elsewhere may be silent before it is taken to be dead. */
export const SILENCE_MS = 8_000;
const LOOK_MS = 500;

/** Waits until a lease is free: given back, its holder dead, or silent for too long elsewhere. Throws if it is held.
 * Gives back the lease that was seen to be free: if it has changed since, it is not (`isSame`).
 *
 * Silence is counted in looks that were answered, for time also passes while this process sleeps or the disk hangs, and with
 * it perhaps the holder. */
export async function waitUntilFree(
  run: string,
  self: ProcessId,
  look: () => Promise<LeaseRow | undefined>,
  silence: number = SILENCE_MS,
): Promise<LeaseRow | undefined> {
  const first = await look();
  if (isFree(first, self)) return first;
  if (lifeOf(first!.holder!, self) === "alive") throw held(run, first!.holder!);
  for (let looks = Math.ceil(silence / LOOK_MS); looks > 0; looks--) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const now = await look();
    if (isFree(now, self)) return now;
    if (!isSame(now, first)) throw held(run, now!.holder!);
  }
  return first;
}

/** Whether nothing was heard of a lease between two looks. */
export function isSame(one: LeaseRow | undefined, other: LeaseRow | undefined): boolean {
  return one?.token === other?.token && one?.beat === other?.beat;
}

/** Whether a lease can be had at once. */
function isFree(lease: LeaseRow | undefined, self: ProcessId): boolean {
  return !lease?.holder || lifeOf(lease.holder, self) === "dead";
}

/** The error for a run that someone else holds. */
export function held(run: string, holder: ProcessId): LoopwrightError {
  const message = `run ${run} is held by process ${holder.pid} on ${holder.host}; wait for it, stop it, or take the run over`;
  return new LoopwrightError("LEASE_HELD", message, { data: { pid: holder.pid, host: holder.host } });
}

/** The error for a run that is not there. */
export function noRun(run: string): LoopwrightError {
  return new LoopwrightError("RUN_NOT_FOUND", `there is no run '${run}'`);
}

/** The error for a writer whose run was taken over. */
export function lost(run: string): LoopwrightError {
  return new LoopwrightError(
    "LEASE_LOST",
    `run ${run} was taken over by another process; this one may no longer write to it`,
  );
}
