// defineLoop: a loop is named phases and the transitions between them, and it reads as its diagram.
//
// A phase's `to` is checked both ways: a target that it does not list, and one that it never takes, fail to compile.

import type { z } from "zod";
import type { Context, FinishContext } from "./context.ts";
import { UsageError } from "./errors.ts";
import type { GateSpec } from "./gates.ts";
import type { PhaseOutcome } from "./outcomes.ts";
import type { Ceilings, Ending } from "./record/events.ts";

/** A phase's word on where to go: `ctx.to(…)`. */
export interface Goto<Name extends string = string> {
  readonly kind: "goto";
  readonly to: Name;
  readonly patch: Readonly<Record<string, unknown>>;
}

/** A phase's word that the run stops: `ctx.end(…)`. */
export interface End<Name extends string = string> {
  readonly kind: "end";
  readonly outcome: PhaseOutcome;
  readonly reason: string | undefined;
  readonly patch: Readonly<Record<string, unknown>>;
  /** The phase that a resume enters, where the outcome is not final. */
  readonly next?: Name;
  readonly gate?: EndGate<Name>;
  /** What the run is given that takes over. */
  readonly by?: unknown;
}

/** A gate that an ending opens; each choice names the phase it leads to, or null where the run stays as it is. */
export type EndGate<Name extends string = string> = Omit<GateSpec, "choices" | "default" | "about"> & {
  choices: Readonly<Record<string, Name | null>>;
  default: string;
};

/** What a phase returns. */
export type Transition<Name extends string = string> = Goto<Name> | End<Name>;

/** A phase: what it does, and where it can go. */
export interface Phase<Input, State> {
  /** Where it can go; empty for one that only ends the run. */
  readonly to: readonly string[];
  readonly run: (state: State, ctx: Context<Input, State>) => Transition | Promise<Transition>;
  /** The loops whose runs it starts with `ctx.spawn`, for whoever draws the loop. */
  readonly spawns?: readonly string[];
  /** The phases that a run which takes over goes on with, for whoever draws the loop. */
  readonly handsOnTo?: readonly string[];
}

/** A file that a person has made, and the phase that takes it in as an iteration of its own. */
export interface ByHand<Name extends string = string> {
  /** Finds the file at `ctx.given`. */
  readonly phase: Name;
  /** What it is called in the iteration's folder. */
  readonly file: string;
  /** Throws UsageError where the bytes cannot be meant, or the run can do nothing with them. */
  readonly check: (bytes: Uint8Array, input: never) => void | Promise<void>;
}

/** What `defineLoop` takes. */
export interface LoopSpec<In extends z.ZodType, St extends z.ZodObject, Phases> {
  name: string;
  version: number;
  /** What a run is given, and what it remembers. */
  input: In;
  state: St;
  initial: (input: z.output<In>) => z.output<St>;
  start: keyof Phases & string;
  /** Entering this phase starts an iteration. */
  iteration: NoInfer<keyof Phases & string>;
  phases: Phases;
  /** How it takes in what a person has made: `resume --with FILE`. */
  byHand?: ByHand<NoInfer<keyof Phases & string>>;
  /** The loop's own limits, where they are lower than the defaults. */
  ceilings?: Partial<Ceilings>;
  /** Runs at every ending, again after a crash: restores the best result, writes final files. Calls no model. */
  finish?: (state: z.output<St>, ending: Ending, ctx: FinishContext<z.output<In>>) => void | Promise<void>;
  /** Carries state of an older version over. */
  migrate?: (state: Readonly<Record<string, unknown>>, fromVersion: number) => z.output<St>;
}

type AnySpec<Input> = LoopSpec<z.ZodType<Input>, z.ZodObject, Record<string, Phase<never, never>>>;

/** A loop as the engine runs it, whatever its types. */
export type Loop<Input = unknown, State = unknown> = Readonly<
  Omit<AnySpec<Input>, "initial" | "finish" | "migrate">
> & {
  readonly initial: (input: never) => State;
  readonly finish?: (state: never, ending: Ending, ctx: FinishContext<never>) => void | Promise<void>;
  readonly migrate?: (state: Readonly<Record<string, unknown>>, fromVersion: number) => State;
};

/** The targets that a phase's results name. */
type Taken<Result> = Result extends Goto<infer Name> ? Name : Result extends End<infer Name> ? Name : never;

/** unknown for a sound phase; else a type that nothing fits, with the fault in words. */
type CheckPhase<P, Names> = P extends { run: (...args: never[]) => infer Result; to: readonly (infer To)[] }
  ? [Exclude<To, Names>] extends [never]
    ? [Exclude<Taken<Awaited<Result>>, To>] extends [never]
      ? [Exclude<To, Taken<Awaited<Result>>>] extends [never]
        ? unknown
        : { to: `it never goes to '${Exclude<To, Taken<Awaited<Result>>> & string}'` }
      : { run: `it goes to '${Exclude<Taken<Awaited<Result>>, To> & string}', which its 'to' does not list` }
    : { to: `'${Exclude<To, Names> & string}' is not a phase` }
  : never;

/** Defines a loop. Its phases, state and transitions are checked by the compiler, and its names here. */
export function defineLoop<
  In extends z.ZodType,
  St extends z.ZodObject,
  const Phases extends Record<string, Phase<z.output<In>, z.output<St>>>,
>(
  spec: LoopSpec<In, St, Phases & { [Name in keyof Phases]: CheckPhase<Phases[Name], keyof Phases> }>,
): Loop<z.output<In>, z.output<St>> {
  const loop = spec as unknown as Loop<z.output<In>, z.output<St>>;
  if (!/^[a-z][a-z0-9-]*$/.test(loop.name))
    throw new UsageError("LOOP_INVALID", `'${loop.name}' is no name for a loop: use a-z, 0-9 and -`);
  const targets = Object.entries(loop.phases).flatMap(([from, phase]) => phase.to.map((to) => ({ from, to })));
  const named = [
    { from: "start", to: loop.start },
    { from: "iteration", to: loop.iteration },
    ...(loop.byHand ? [{ from: "byHand", to: loop.byHand.phase }] : []),
  ];
  const missing = [...named, ...targets].find(({ to }) => !Object.hasOwn(loop.phases, to));
  if (!missing) return Object.freeze(loop);
  const message = `loop '${loop.name}': '${missing.from}' names '${missing.to}', which is not a phase`;
  throw new UsageError("LOOP_INVALID", message);
}
