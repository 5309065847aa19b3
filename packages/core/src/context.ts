// The context: everything that a phase can reach. Nothing else reaches outside (L7).

import type { End, EndGate, Goto, Loop } from "./define.ts";
import type { Answer, GateSpec } from "./gates.ts";
import type { RunResult } from "./journal/control.ts";
import type { Outcome, PhaseOutcome } from "./outcomes.ts";
import type { ModelAnswer, ModelRequest, Workcell } from "./ports.ts";
import type { Artifact, Ceilings, Usage, Verdict } from "./record/events.ts";
import type { Json } from "./record/json.ts";
import type { Patch } from "./record/patch.ts";
import type { SavePlace } from "./run/active-run.ts";

/** What a phase can reach; everything else is out of its reach, so that a visit can be run again after a crash. */
export interface Context<Input, State> {
  readonly input: Input;
  readonly run: string;
  /** Counted by the engine from 1; never resets. */
  readonly iteration: number;
  /** What a person has made, in the phase that takes it in. */
  readonly given: Artifact | undefined;
  /** What was answered to the gate at which the run had ended, in the phase that this has led to. */
  readonly answer: Answer | undefined;
  /** Whether a fork has given the run another seed, in the phase that it begins with: what was drawn before is drawn again. */
  readonly reseeded: boolean;
  /** The folder of the run's project, for what a user may have put there; undefined for a run that has none. */
  readonly project: string | undefined;
  /** The run's limits as they stand: a person may have raised them since it started. */
  readonly ceilings: Readonly<Ceilings>;
  /** Aborted when the run must stop; effects get it too. */
  readonly signal: AbortSignal;
  /** The time of the last result that the phase has seen; never backwards, and the same again after a crash. */
  readonly clock: { now(): number };

  to<Name extends string>(name: Name, patch?: Patch<State>): Goto<Name>;
  /** Stops the run. An outcome that is not final says which phase a resume enters; without, this one again. */
  end(outcome: PhaseOutcome, details?: EndDetails<State>): End<never>;
  end<const Name extends string>(outcome: PhaseOutcome, details: EndDetails<State> & { next: Name }): End<Name>;
  /** Another run of the same loop takes over, with this input; whoever drives the one goes on with the other. */
  end(outcome: "superseded", details: EndDetails<State> & { by: Input }): End<never>;
  end<const Name extends string>(outcome: "escalated", details: EndDetails<State> & { gate: EndGate<Name> }): End<Name>;
  /** Records a verdict with this phase's end, or with the gate that it asks next. A malformed one is recorded as a fail (L9). */
  verdict(verdict: unknown): Verdict;

  /** One call to the outside: journaled, and never made again once its result is recorded. */
  effect<Result>(key: string, spec: EffectSpec<Result>): Promise<Result>;
  /** Runs bodies side by side; each has a context of its own, whose keys begin with the body's. */
  all<Bodies extends Record<string, (ctx: Context<Input, State>) => Promise<unknown>>>(
    bodies: Bodies,
    options?: { limit?: number },
  ): Promise<{ [Key in keyof Bodies]: Awaited<ReturnType<Bodies[Key]>> }>;
  model(role: string): { call(key: string, request: ModelRequest): Promise<ModelAnswer> };
  /** Asks a person, and waits as long as it takes, with no process alive if need be. */
  ask<Choice extends string>(gate: GateSpec<Choice>): Promise<Answer<Choice>>;
  /** Starts a child run, or goes on with it, once; the result is how it ended. */
  spawn<ChildInput, ChildState>(
    key: string,
    loop: Loop<ChildInput, ChildState>,
    input: NoInfer<ChildInput>,
    options?: SpawnOptions,
  ): Promise<ChildResult<ChildState>>;
  /** The workcell of a kind, at a snapshot; it is started when an effect first needs it. */
  workcell<Cell extends Workcell>(kind: string, snapshot?: string): WorkcellHandle<Cell>;
  /** Saves a file into the iteration's folder, or the attempt's or the run's; it is recorded with this phase's end. What
   * comes before the first iteration stands in `iter-000`. */
  save(name: string, bytes: Uint8Array | string, place?: SavePlace): Promise<Artifact>;
  load(artifact: Artifact): Promise<Uint8Array>;
  /** A stream of numbers from 0 to 1, the same for the same seed, visit and name. */
  random(stream: string): () => number;
  /** Tells whoever watches something of the loop's own: it is on record, and shown, when this returns. */
  tell(name: string, data: Json): Promise<void>;
}

/** Why a run ends, and what it remembers last. */
export interface EndDetails<State> {
  reason?: string;
  patch?: Patch<State>;
}

/** One call to the outside, and what it depends on. */
export interface EffectSpec<Result> {
  /** What the call depends on. It must be the same when the visit is run again after a crash (L8). */
  input?: unknown;
  /** What it may cost; an effect that would break a ceiling is not started, and one whose end is not known is charged with it. */
  estimate?: Partial<Usage> | (() => Partial<Usage>);
  run: (effect: EffectContext) => Result | Promise<Result>;
}

/** What the body of an effect is given. */
export interface EffectContext {
  /** The same for every try of this effect, and of no other. */
  readonly idempotencyKey: string;
  /** Whether there was an earlier try, which may have reached the outside: its process died, or it failed. */
  readonly mayHaveRun: boolean;
  /** 1 for the first try. */
  readonly tries: number;
  readonly signal: AbortSignal;
  /** Saves a file; it is recorded with the effect's result. */
  save(name: string, bytes: Uint8Array | string, place?: SavePlace): Promise<Artifact>;
  /** Shown to whoever watches, and not kept. */
  progress(data: Json): void;
  /** Counts what was used against the ceilings. It is on record before long, also where the effect never comes to an end. */
  charge(usage: Partial<Usage>): void;
  /** Says that the effect makes another try inside itself, for what it has charged is used up: one as dear as its estimate, and
   * checked against the ceilings like a new effect. */
  again(): Promise<void>;
}

/** How a child run is started. */
export interface SpawnOptions {
  /** One of N parallel tries: its folder is attempt-NNN, so each has a number of its own, from 1 on. */
  attempt?: number;
  /** Its own limits, beside those of the runs that it belongs to. */
  ceilings?: Partial<Ceilings>;
  /** Cancels it when aborted: it cannot win any more. */
  cancel?: AbortSignal;
}

/** How a child run ended. */
export interface ChildResult<S> extends Pick<RunResult<S>, "run" | "reason" | "iterations" | "score" | "state"> {
  outcome: Outcome;
}

/** A workcell at a snapshot, for effects in it. */
export interface WorkcellHandle<Cell extends Workcell> {
  /** An effect in the workcell, from the snapshot. A lost workcell (E0) is restarted and the effect made again. */
  effect<Result>(
    key: string,
    spec: Omit<EffectSpec<Result>, "run"> & { run: (cell: Cell, effect: EffectContext) => Promise<Result> },
  ): Promise<Result>;
}

/** What a loop's `finish` can reach: the best result can be put back, whatever ended the run. */
export interface FinishContext<Input> extends Pick<Context<Input, unknown>, "input" | "workcell" | "load"> {
  readonly iterations: number;
  readonly scores: readonly { iteration: number; score: number }[];
  /** Milliseconds that the run has been active. */
  readonly active: number;
  save(name: string, bytes: Uint8Array | string): Promise<Artifact>;
  /** Tells whoever watches something of the loop's own: it is on record with the run's end, and stands in summary.json. */
  tell(name: string, data: Json): void;
}
