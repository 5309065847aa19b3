// Events: one discriminated union, noun-verb names. The durable ones are the chain (the journal); the transient ones
// are lost in a crash. Whatever a front end shows comes from them.

import type { ErrorRecord } from "../errors.ts";
import type { AnswerRecord, GateRecord } from "../gates.ts";
import type { Verdict } from "../judging/verdicts.ts";
import type { Outcome } from "../outcomes.ts";
import type { ProcessId } from "../ports.ts";
import type { CeilingHit, Ceilings, Usage } from "../rules/ceilings.ts";
import type { Json } from "./json.ts";
import type { PatchRecord } from "./patch.ts";

/** The entry into a phase: it begins a visit. */
export interface Entry {
  phase: string;
  visit: number;
  iteration: number;
}

/** A file that a run has made: where it stands in the run's folder, and its content's digest in the store. */
export interface Artifact {
  path: string;
  digest: string;
  size: number;
}

/** Why and how a run stops. */
export interface Ending {
  outcome: Outcome;
  reason: string;
  /** The phase that a resume enters; absent in the middle of a visit, which then goes on. */
  next?: string;
  /** The ceiling that was reached, and whose it is: the run's own, or that of a run above it. */
  hit?: CeilingHit & { run: string };
  /** The run that takes over, of the same loop, and what it is given. */
  by?: { run: string; input: Json };
}

/** The first event of a run: what it was given. */
export interface RunStarted {
  type: "run-started";
  loop: string;
  version: number;
  phases: string[];
  iterationPhase: string;
  input: Json;
  state: Readonly<Record<string, Json>>;
  seed: number;
  ceilings: Ceilings;
  config: Json;
  folder: string;
  attempt: string;
  parent?: { run: string; key: string };
  /** The run that it took over from, and what that one and those before it had used: ceilings hold over all of them. */
  after?: { run: string; usage: Usage; active: number };
  enter: Entry;
}

/** What happened, without the run and the time that the journal adds. */
export type DurableEvent =
  | RunStarted
  /** `given` is what a person has made, and `answer` what one has said, for the phase that is entered. */
  | {
      type: "run-resumed";
      by: ProcessId;
      enter?: Entry;
      ending?: Ending;
      given?: Artifact;
      answer?: AnswerRecord;
    }
  | {
      type: "run-migrated";
      version: number;
      phases: string[];
      iterationPhase: string;
      state: Readonly<Record<string, Json>>;
    }
  | { type: "run-forked"; from: string; iteration: number; seed: number; folder: string }
  | {
      type: "phase-finished";
      visit: number;
      phase: string;
      patch: PatchRecord;
      mayBeDone: boolean;
      enter?: Entry;
      ending?: Ending;
    }
  | { type: "visit-failed"; visit: number; phase: string; error: ErrorRecord; effect?: string }
  | {
      type: "effect-started";
      visit: number;
      key: string;
      tries: number;
      input: Json;
      digest: string;
      /** The number of the attempt that its child run is. */
      attempt?: number;
      /** What it may use: what the try is charged with if its end is never known. */
      estimate?: Usage;
      /** An earlier try, of which no result is known, was made with another input. */
      inputChanged?: true;
    }
  /** Charged before the effect has its end, or without one; `estimate` where another try of that cost begins. */
  | { type: "effect-charged"; visit: number; key: string; usage: Usage; estimate?: Usage }
  | { type: "effect-finished"; visit: number; key: string; result: Json; usage?: Usage }
  | { type: "effect-failed"; visit: number; key: string; error: ErrorRecord; usage?: Usage }
  | { type: "artifact-saved"; artifact: Artifact }
  /** `key` tells it from the other verdicts of its visit. */
  | { type: "verdict-recorded"; iteration: number; verdict: Verdict; key?: string }
  | { type: "workcell-restarted"; kind: string; reason: string }
  | { type: "gate-opened"; key: string; gate: GateRecord }
  | { type: "gate-answered"; key: string; id: string; name?: string; answer: AnswerRecord }
  | { type: "answer-refused"; id: string; choice: string; reason: string }
  | { type: "child-waiting"; key: string; child: string; gate: GateRecord }
  | { type: "ceilings-changed"; ceilings: Partial<Ceilings> }
  | ({ type: "ceiling-reached" } & CeilingHit)
  /** `atEnd` where the loop's last word tells it. */
  | { type: "loop-noted"; key?: string; name: string; data: Json; atEnd?: true }
  | ({ type: "run-ended"; iterations: number; score: number | null } & Ending);

/** What is only shown while it happens. */
export type TransientEvent =
  | { type: "phase-started"; phase: string; visit: number; iteration: number }
  | { type: "progress"; key: string; data: Json };

/** What every durable event carries: when, and how long the run has been active in all, in milliseconds. */
export interface Stamp {
  at: number;
  active: number;
}

/** An event of the journal with its place and its time. */
export type StampedEvent = DurableEvent & Stamp;

/** An event of a run's record. */
export type RecordedEvent = StampedEvent & { run: string; seq: number };

/** An event as listeners get it. */
export type LoopEvent = RecordedEvent | (TransientEvent & { run: string; at: number });

/** Told of events as they happen. */
export type EventListener = (event: LoopEvent) => void;
