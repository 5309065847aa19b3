// A visit: one entry into a phase, and what can halt it.
//
// A halt unwinds the phase: once halted every call on its context rejects and what it returns is discarded, so that
// a stray catch is harmless. What the visit has recorded so far stays, and a resume goes on from there (L2).

import type { Signal } from "../ports.ts";
import type { CeilingHit, Ceilings, DurableEvent, Ending, Entry, GateRecord, Usage } from "../record/events.ts";
import { effectsOf, type RunRecord } from "../record/fold.ts";
import { checkCeilings, hitToReason } from "../rules/ceilings.ts";
import type { ActiveRun } from "./active-run.ts";

/** The number of the visit in which a loop's `finish` runs. */
export const FINISH = 0;

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

/** What is recorded with the phase's end: verdicts, artifacts and notes, in the order of the phase's own calls. */
export interface Notes {
  readonly noted: DurableEvent[];
  /** Whether the run may end as done, as far as verdicts and answers have been seen; undefined if none was (L6). */
  mayBeDone: boolean | undefined;
  /** Whether every verdict so far passes; undefined before the first. */
  allPass?: boolean;
  /** Whether a person's answer, and not a verdict, was the last word on it. */
  isAnswered?: boolean;
}

export class Visit implements Notes {
  readonly run: ActiveRun;
  readonly entry: Entry;
  /** The keys that the phase has asked for, so that one no longer asked for is found (L8). */
  readonly asked = new Set<string>();
  /** Which effect an error came from, so that a visit that ends by throwing can name it (L2). */
  readonly thrownBy = new WeakMap<object, string>();
  readonly noted: DurableEvent[] = [];
  readonly streams = new Map<string, () => number>();
  mayBeDone: boolean | undefined;
  allPass?: boolean;
  isAnswered?: boolean;
  closed = false;
  halted: HaltReason | undefined;
  /** Whether what is under way must stop; a gate that waits lets it finish. */
  aborted = false;
  readonly #halting = Promise.withResolvers<void>();
  readonly #outer: AbortSignal;
  readonly #interrupt = () => void this.halt(haltFrom(this.#outer, this.run));
  #controller: AbortController | undefined;
  #underWay = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(run: ActiveRun, entry: Entry, outer: AbortSignal) {
    this.run = run;
    this.entry = entry;
    this.mayBeDone = run.record.mayBeDone;
    this.#outer = outer;
    if (outer.aborted) this.#interrupt();
    else outer.addEventListener("abort", this.#interrupt);
    this.#watchTime();
  }

  /** Aborted when what is under way must stop. Made when it is first asked for: most visits need none. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.aborted || this.closed) this.#controller.abort(this.#haltNow());
    }
    return this.#controller.signal;
  }

  /** Resolves when what is under way must stop. */
  get halting(): Promise<void> {
    return this.#halting.promise;
  }

  /** Unwinds the phase; the first reason counts. Effects under way are aborted, but not because a gate waits. */
  halt(reason: HaltReason): Halt {
    if (!this.closed) {
      if (!this.halted || reason.kind === "fault") this.halted = reason;
      if (reason.kind !== "waiting" || this.#underWay === 0) this.#abort();
    }
    return new Halt(this.halted ?? reason);
  }

  #abort(): void {
    this.aborted = true;
    this.#controller?.abort(this.#haltNow());
    this.#halting.resolve();
  }

  #haltNow(): Halt {
    return new Halt(this.halted ?? interruption("its visit is over"));
  }

  /** Counts an effect as under way while its body runs. */
  async during<T>(body: () => Promise<T>): Promise<T> {
    this.#underWay += 1;
    try {
      return await body();
    } finally {
      this.#underWay -= 1;
      if (this.halted && this.#underWay === 0) this.halt(this.halted);
    }
  }

  /** Whether the phase has left effects behind that are still under way. */
  get isBusy(): boolean {
    return this.#underWay > 0;
  }

  /** Throws if the visit is halted. Not at once, so that a phase that catches and asks again cannot spin; and once the
   * visit is closed it never settles, so that such a phase rests for good and keeps no process alive. */
  async guard(): Promise<void> {
    if (!this.halted && !this.closed) return;
    await new Promise((resolve) => setImmediate(resolve));
    if (this.closed) await new Promise(() => {});
    throw this.#haltNow();
  }

  /** What is recorded of the visit's effects. */
  get effects(): RunRecord["effects"] {
    return effectsOf(this.run.record, this.entry.visit);
  }

  /** Halts the visit if the kill switch or a ceiling, its own or a parent's, forbids an act of this cost (L5). */
  checkAct(estimate?: Partial<Usage>): void {
    if (this.entry.visit === FINISH) return;
    const stop = this.run.ports.killSwitch?.();
    if (stop !== undefined) throw this.halt(interruption(stop));
    for (let run: ActiveRun | undefined = this.run; run; run = run.parent) {
      const hit = run.hit(estimate);
      if (hit) throw this.halt(haltAt(this.run, ceilingEnding(run, hit)));
    }
  }

  #watchTime(): void {
    if (this.entry.visit === FINISH) return;
    // Looked at every minute: timers of one length are cheap, and none can be longer than 24 days.
    const left = Math.min(Math.max(this.run.timeLeft(), 0) + 1, 60_000);
    this.#timer = setTimeout(() => {
      const hit = this.run.hit();
      if (hit) this.halt({ kind: "ending", ending: ceilingEnding(this.run, hit) });
      else if (!this.closed) this.#watchTime();
    }, left);
  }

  /** Ends the visit: whatever its phase left behind can do nothing more. */
  close(): void {
    this.closed = true;
    clearTimeout(this.#timer);
    this.#outer.removeEventListener("abort", this.#interrupt);
    this.#abort();
  }
}

/** The halt that an aborted signal means for a run: what stops a parent only interrupts its child. */
export function haltFrom(signal: AbortSignal, run: ActiveRun): HaltReason {
  const reason = signal.reason instanceof Halt ? signal.reason.reason : undefined;
  if (reason?.kind === "fault") return reason;
  return reason?.kind === "ending" ? haltAt(run, reason.ending) : interruption("it was interrupted");
}

/** An ending as it concerns a run: a ceiling of a run above it only interrupts it. */
export function haltAt({ record }: ActiveRun, ending: Ending): HaltReason {
  const { outcome, reason, hit } = ending;
  if (outcome === "cancelled") return { kind: "ending", ending: { outcome, reason } };
  if (!hit) return interruption(reason);
  if (hit.run === record.run) return { kind: "ending", ending: { outcome: "ceiling", reason: hitToReason(hit), hit } };
  return {
    kind: "ending",
    ending: { outcome: "interrupted", reason: `run ${hit.run}, which it belongs to, reached a ceiling`, hit },
  };
}

/** The halt of a run that someone or something stopped. */
export function interruption(reason: string): HaltReason {
  return { kind: "ending", ending: { outcome: "interrupted", reason } };
}

/** The ending of a run that reached a ceiling. */
export function ceilingEnding({ record }: ActiveRun, hit: CeilingHit): Ending & { outcome: "ceiling" } {
  return { outcome: "ceiling", reason: hitToReason(hit), hit: { ...hit, run: record.run } };
}

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
