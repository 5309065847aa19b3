// Leases: who may write a run, and when another may take over (L4).
//
// On one host liveness decides, at once: the same boot, the same pid namespace, and a process of that pid which
// started then and is no zombie. Anything else is elsewhere, and there only silence tells. Only what is known to be gone is
// dead: a process that cannot be looked at (no /proc, no right to read it, no file descriptor left) counts as alive.

import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { LoopwrightError } from "../errors.ts";
import type { ProcessId } from "../record/events.ts";

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

/** The error for a writer whose run was taken over. */
export function lost(run: string): LoopwrightError {
  const message = `run ${run} was taken over by another process; this one may no longer write to it`;
  return new LoopwrightError("LEASE_LOST", message);
}

const ZOMBIE = "zombie";

/** This process. */
export function thisProcess(): ProcessId {
  return {
    host: hostname(),
    boot: orElse(hostname(), () => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    namespace: orElse("", () => readlinkSync("/proc/self/ns/pid")),
    pid: process.pid,
    started: startOf(process.pid) ?? "",
    opening: randomUUID(),
  };
}

/** "dead" or "alive" for a process of this host and namespace, "elsewhere" for one that cannot be seen from here. */
export function lifeOf(holder: ProcessId, self: ProcessId): "alive" | "dead" | "elsewhere" {
  if (holder.boot !== self.boot || holder.namespace !== self.namespace) return "elsewhere";
  const started = startOf(holder.pid);
  if (started === undefined || (started !== ZOMBIE && holder.started === "")) return isThere(holder.pid);
  return started === holder.started ? "alive" : "dead";
}

/** When a process started; undefined where that cannot be told. */
function startOf(pid: number): string | undefined {
  const stat = orElse("", () => readFileSync(`/proc/${pid}/stat`, "utf8"));
  // The name stands in parentheses and may hold anything, so the fields are counted after the last one.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, started] = [fields[0], fields[19]];
  return state && "ZX".includes(state) ? ZOMBIE : started;
}

/** Asks the kernel, which needs no file: whether there is a process of this number. */
function isThere(pid: number): "alive" | "dead" {
  try {
    process.kill(pid, 0);
    return "alive";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH" ? "dead" : "alive";
  }
}

function orElse(fallback: string, read: () => string): string {
  try {
    return read();
  } catch {
    return fallback;
  }
}
