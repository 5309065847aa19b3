// Events: each is one schema, and whatever stores, folds or shows an event reads it from here. The durable ones are the
// chain (the journal); the transient ones are lost in a crash.
//
// The core takes only the types: zod is loaded by whoever imports `@loopwright/core/events`.

import { z } from "zod";
import { outcomes } from "../outcomes.ts";
import type { Json } from "./json.ts";

export const json = z.json() as unknown as z.ZodType<Json>;
export const count = z.int().nonnegative();
export const outcome = z.enum(Object.keys(outcomes) as (keyof typeof outcomes)[]);
/** Milliseconds since 1970. */
const time = z.number();
const text = z.string();
const version = z.int();
const state = z.record(text, json).readonly();

/** The limits that stop a run. */
export const ceilings = z.strictObject({
  iterations: z.number(),
  /** Active wall clock of the whole run. */
  minutes: z.number(),
  tokens: z.number(),
  usd: z.number(),
  /** Active wall clock of one visit to one phase. */
  phaseMinutes: z.number(),
});
export interface Ceilings extends z.infer<typeof ceilings> {}

const hit = z.strictObject({ ceiling: ceilings.keyof(), limit: z.number(), used: z.number() });
/** The limit that stopped a run. */
export interface CeilingHit extends z.infer<typeof hit> {}

const usage = z.strictObject({ tokens: z.number(), usd: z.number() });
/** What an effect used up. */
export interface Usage extends z.infer<typeof usage> {}

export const error = z.strictObject({
  name: text.describe("such as TypeError"),
  code: text,
  message: text,
  kind: z.enum(["E0", "E1", "E2", "usage"]).describe("what it is thrown as again").optional(),
  data: z.record(text, z.union([text, z.number(), z.boolean()])).optional(),
  stack: text.describe("where it was thrown, down to where the engine called it").optional(),
});
/** An error as the journal keeps it. */
export interface ErrorRecord extends z.infer<typeof error> {}

export const finding = z.strictObject({
  code: text.min(1),
  severity: z.enum(["hard", "soft"]),
  /** 1 is the most urgent. */
  priority: z.literal([1, 2, 3, 4]),
  message: text,
  fix: text.optional(),
});
/** One thing that is wrong with a result, and what would put it right. */
export interface Finding extends z.infer<typeof finding> {}

export const verdict = z.strictObject({
  verdict: z.enum(["pass", "fail", "escalate"]),
  score: z.number().min(0).max(1),
  findings: z.array(finding).readonly(),
  reason: text.regex(/\S/, "it gives no reason"),
});
/** What was judged of a result. */
export interface Verdict extends z.infer<typeof verdict> {}

export const artifact = z.strictObject({ path: text, digest: text, size: count });
/** A file that a run has made: where it stands in the run's folder, and its content's digest in the store. */
export interface Artifact extends z.infer<typeof artifact> {}

const answer = z.strictObject({
  choice: text,
  note: text.optional(),
  /** A person, a policy that was told this choice, a policy that takes defaults, or time. */
  by: z.enum(["person", "flag", "default", "expiry"]),
  at: time,
});
/** An answer as it is on record: who gave it, and when. */
export interface AnswerRecord extends z.infer<typeof answer> {}

const gate = z.strictObject({
  id: text.describe("the gate's id"),
  name: text,
  question: text,
  choices: z.array(text),
  default: text,
  accepting: z.array(text),
  about: text,
  openedAt: time,
  expiresAt: time.optional(),
  /** For a gate that an ending opened: the phase that each choice leads to; null leaves the run as it is. */
  leadsTo: z.record(text, text.nullable()).optional(),
  answer: answer.optional(),
});
/** A gate as the journal keeps it. */
export interface GateRecord extends z.infer<typeof gate> {}

const entry = z.strictObject({ phase: text, visit: count, iteration: count });
/** The entry into a phase: it begins a visit. */
export interface Entry extends z.infer<typeof entry> {}

const ending = z.strictObject({
  outcome,
  reason: text,
  /** The phase that a resume enters; absent in the middle of a visit, which then goes on. */
  next: text.optional(),
  /** The ceiling that was reached, and whose it is: the run's own, or that of a run above it. */
  hit: hit.extend({ run: text }).optional(),
  /** The run that takes over, of the same loop, and what it is given. */
  by: z.strictObject({ run: text.describe("the run that takes over"), input: json }).optional(),
});
/** Why and how a run stops. */
export interface Ending extends z.infer<typeof ending> {}

const patch = z.strictObject({
  set: z.record(text, json).optional(),
  append: z.record(text, z.array(json).readonly()).optional(),
  drop: z.array(text).optional(),
});
/** A patch of the state as the journal keeps it. */
export interface PatchRecord extends z.infer<typeof patch> {}

const holder = z.strictObject({
  host: text,
  boot: text,
  namespace: text,
  pid: z.int(),
  started: text,
  /** Tells two openings of one journal in one process apart. */
  opening: text.optional(),
});
/** A process, known again after its number was given to another. */
export interface ProcessId extends z.infer<typeof holder> {}

/** A kind of event: what it says to a person, and what it holds. */
const event = <Shape extends z.ZodRawShape>(meaning: string, shape: Shape) => z.strictObject(shape).describe(meaning);

/** What happened, without the run and the time that the journal adds. */
export const durableEvents = {
  "run-started": event("A run has begun.", {
    loop: text,
    version,
    phases: z.array(text),
    iterationPhase: text,
    input: json,
    state,
    seed: z.number(),
    ceilings,
    config: json,
    folder: text,
    attempt: text,
    parent: z.strictObject({ run: text, key: text }).optional(),
    /** What that one and those before it had used: ceilings hold over all of them. */
    after: z
      .strictObject({ run: text.describe("the run that it took over from"), usage, active: z.number() })
      .optional(),
    enter: entry,
  }),
  "run-resumed": event("A run goes on; it enters a phase anew where one is named.", {
    by: holder,
    enter: entry.optional(),
    ending: ending.optional(),
    given: artifact.describe("what a person has made, for that phase").optional(),
    /** What a person has said, for the phase that is entered. */
    answer: answer.optional(),
  }),
  "run-migrated": event("A run was carried over to a newer version of its loop.", {
    version,
    phases: z.array(text),
    iterationPhase: text,
    state,
  }),
  "run-forked": event("A run begins as a copy of another one.", {
    from: text,
    iteration: count,
    seed: z.number(),
    folder: text,
  }),
  "phase-finished": event("A phase has ended, and its state is committed: a checkpoint.", {
    visit: count,
    phase: text,
    patch,
    mayBeDone: z.boolean(),
    enter: entry.optional(),
    ending: ending.optional(),
  }),
  "visit-failed": event("A phase ended by throwing.", { visit: count, phase: text, error, effect: text.optional() }),
  "effect-started": event("A call to the outside is about to be made.", {
    visit: count,
    key: text,
    tries: count,
    input: json,
    digest: text,
    /** What it may use: what the try is charged with if its end is never known. */
    estimate: usage.optional(),
    /** An earlier try, of which no result is known, was made with another input. */
    inputChanged: z.literal(true).optional(),
  }),
  "effect-charged": event(
    "A call to the outside is charged for before its end, or without one: by its estimate where that is all that is known.",
    {
      visit: count,
      key: text,
      usage,
      /** Where another try of that cost begins. */
      estimate: usage.optional(),
    },
  ),
  "effect-finished": event("A call to the outside has its result; it is never made again.", {
    visit: count,
    key: text,
    result: json,
    usage: usage.optional(),
  }),
  "effect-failed": event("A call to the outside has failed.", {
    visit: count,
    key: text,
    error,
    usage: usage.optional(),
  }),
  "artifact-saved": event("A file was saved.", { artifact }),
  "verdict-recorded": event("A critic has judged the result.", {
    iteration: count,
    verdict,
    /** Tells it from the other verdicts of its visit. */
    key: text.optional(),
  }),
  "workcell-restarted": event("A workcell was lost and started again.", { kind: text, reason: text }),
  "gate-opened": event("A person is asked. The last line of a command whose run waits.", { key: text, gate }),
  "gate-answered": event("A gate has its answer.", {
    key: text,
    id: text,
    name: text.describe("the gate's name").optional(),
    answer,
  }),
  "answer-refused": event("An answer came for something that is no longer asked.", {
    id: text,
    choice: text,
    reason: text,
  }),
  "child-waiting": event("A child run waits at a gate.", { key: text, child: text, gate }),
  "ceilings-changed": event("A person changed the limits.", { ceilings: ceilings.partial() }),
  "ceiling-reached": hit.describe("A limit stops the run."),
  "loop-noted": event("A note of the loop's own.", {
    key: text.optional(),
    name: text,
    data: json,
    /** The loop's last word tells it. */
    atEnd: z.literal(true).optional(),
  }),
  "run-ended": ending
    .extend({ iterations: count, score: verdict.shape.score.nullable() })
    .describe("A run has ended. The last line of a command that drives one."),
};

/** What is only shown while it happens. */
export const transientEvents = {
  "phase-started": entry.describe("A phase was entered. Not kept in the journal."),
  progress: event("How far an effect is. Not kept in the journal.", { key: text, data: json }),
};

type EventsOf<Schemas extends Record<string, z.ZodType>> = {
  [Type in keyof Schemas]: { type: Type } & z.infer<Schemas[Type]>;
}[keyof Schemas];

export type DurableEvent = EventsOf<typeof durableEvents>;
export type TransientEvent = EventsOf<typeof transientEvents>;

/** The first event of a run: what it was given. */
export type RunStarted = Extract<DurableEvent, { type: "run-started" }>;

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
