// A visit: one entry into a phase, and what can halt it.
//
// A halt unwinds the phase: once halted every call on its context rejects and what it returns is discarded, so that
// a stray catch is harmless. What the visit has recorded so far stays, and a resume goes on from there (L2).

import type { ActiveRun } from "./active-run.ts";
import { type CeilingHit, hitToReason } from "./ceilings.ts";
import type { DurableEvent, Ending, Entry } from "./events.ts";
import type { GateRecord } from "./gates.ts";

/** Why a visit is unwound. */
export type HaltReason =
  | { kind: "waiting"; gate: GateRecord; child?: string }
  | { kind: "ending"; ending: Ending; taken?: readonly string[] }
  | { kind: "fault"; error: unknown };

/** What a halted context rejects with. Nothing but the engine needs to catch it. */
export class Halt extends Error {
  readonly reason: HaltReason;

  constructor(reason: HaltReason) {
    super("the run has stopped here; a resume goes on from this phase");
    this.name = "Halt";
    this.reason = reason;
  }
}

export class Visit {
  readonly run: ActiveRun;
  readonly entry: Entry;
  /** The keys that the phase has asked for, so that one no longer asked for is found (L8). */
  readonly asked = new Set<string>();
  /** Which effect an error came from, so that a visit that ends by throwing can name it (L2). */
  readonly thrownBy = new WeakMap<object, string>();
  /** Verdicts, artifacts and notes, committed with the phase's end. */
  readonly noted: DurableEvent[] = [];
  readonly streams = new Map<string, () => number>();
  /** Resolves when the visit is halted. */
  readonly halting: Promise<void>;
  closed = false;
  halted: HaltReason | undefined;
  #controller = new AbortController();
  #underWay = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(run: ActiveRun, entry: Entry, outer: AbortSignal) {
    this.run = run;
    this.entry = entry;
    this.halting = new Promise((halt) => this.signal.addEventListener("abort", () => halt(), { once: true }));
    const interrupt = () => this.halt(haltFrom(outer));
    if (outer.aborted) interrupt();
    else outer.addEventListener("abort", interrupt, { once: true, signal: this.signal });
    this.#watchTime();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Unwinds the phase; the first reason counts. Effects under way are aborted, but not because a gate waits. */
  halt(reason: HaltReason): Halt {
    if (!this.closed) {
      this.halted ??= reason;
      if (reason.kind !== "waiting" || this.#underWay === 0) this.#controller.abort(new Halt(this.halted));
    }
    return new Halt(this.halted ?? reason);
  }

  /** Counts an effect as under way while its body runs. */
  async during<T>(body: Promise<T>): Promise<T> {
    this.#underWay += 1;
    try {
      return await body;
    } finally {
      this.#underWay -= 1;
      if (this.halted && this.#underWay === 0) this.halt(this.halted);
    }
  }

  /** Throws if the visit is halted. Not at once, so that a phase that catches and asks again cannot spin. */
  async guard(): Promise<void> {
    if (!this.halted && !this.closed) return;
    await new Promise((resolve) => setImmediate(resolve));
    throw new Halt(this.halted ?? interruption("its visit is over"));
  }

  /** Halts the visit if the kill switch or a ceiling, its own or a parent's, forbids an act of this cost (L5). */
  checkAct(estimate?: { tokens?: number; usd?: number }): void {
    const stop = this.run.ports.killSwitch?.();
    if (stop !== undefined) throw this.halt(interruption(stop));
    for (let run: ActiveRun | undefined = this.run; run; run = run.parent) {
      const hit = run.hit(estimate);
      if (hit)
        throw this.halt(run === this.run ? ceilingEnding(hit) : interruption("its parent reached a ceiling", hit));
    }
  }

  #watchTime(): void {
    const left = this.run.timeLeft();
    if (left > 2 ** 31 - 1) return;
    this.#timer = setTimeout(() => {
      const hit = this.run.hit();
      if (hit) this.halt(ceilingEnding(hit));
      else if (!this.closed) this.#watchTime();
    }, Math.max(left, 0) + 1);
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.#timer);
    if (!this.signal.aborted) this.#controller.abort(new Halt(interruption("its visit is over")));
  }
}

/** The halt that an aborted signal means: a parent's own reasons are not its child's. */
export function haltFrom(signal: AbortSignal): HaltReason {
  const reason = signal.reason instanceof Halt ? signal.reason.reason : undefined;
  if (reason?.kind === "fault") return reason;
  if (reason?.kind !== "ending") return interruption("it was interrupted");
  const { outcome, reason: words, hit } = reason.ending;
  if (outcome === "cancelled") return { kind: "ending", ending: { outcome, reason: words } };
  return interruption(hit ? "its parent reached a ceiling" : words, hit);
}

/** The halt of a run that someone or something stopped. */
export function interruption(reason: string, hit?: CeilingHit): HaltReason {
  return { kind: "ending", ending: { outcome: "interrupted", reason, ...(hit && { hit }) } };
}

/** The halt of a run that reached a ceiling. */
export function ceilingEnding(hit: CeilingHit): HaltReason {
  return { kind: "ending", ending: { outcome: "ceiling", reason: hitToReason(hit), hit } };
}
