// Signals: what other processes want of a run. Only its writer moves them into the chain (L4).

import type { Signal } from "../ports.ts";
import { type Ceilings, checkCeilings } from "../rules/ceilings.ts";
import type { ActiveRun } from "./active-run.ts";
import { ceilingEnding, type HaltReason, haltFrom, interruption } from "./visit.ts";

/** What forbids the next visit: a cancel, a pause, the kill switch, a ceiling. Raised ceilings are taken up first. */
export async function haltBefore(run: ActiveRun, signal: AbortSignal): Promise<HaltReason | undefined> {
  await raiseCeilings(run, run.signals);
  const request = haltOf(run.signals, ["cancel", "pause"]);
  if (request) return request;
  if (signal.aborted) return haltFrom(signal, run);
  const stop = run.ports.killSwitch?.();
  if (stop !== undefined) return interruption(stop);
  const hit = run.hit();
  return hit && { kind: "ending", ending: ceilingEnding(run, hit) };
}

/** The halt that a signal of these kinds asks for. */
export function haltOf(signals: readonly Signal[], kinds: readonly ("cancel" | "pause")[]): HaltReason | undefined {
  const request = signals.find(({ body }) => (kinds as readonly string[]).includes(body.kind));
  if (!request) return undefined;
  const outcome = request.body.kind === "cancel" ? "cancelled" : "interrupted";
  const reason = request.body.kind === "cancel" ? "a person cancelled it" : "a person paused it";
  return { kind: "ending", ending: { outcome, reason }, taken: [request.id] };
}

/** Takes up the ceilings that others have changed. */
export async function raiseCeilings(run: ActiveRun, signals: readonly Signal[]): Promise<void> {
  for (const { id, body } of signals) {
    if (body.kind !== "raise") continue;
    await run.commit([{ type: "ceilings-changed", ceilings: checkCeilings(body.ceilings as Partial<Ceilings>) }], [id]);
  }
}
