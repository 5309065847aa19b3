// Small loops for tests.

import {
  append,
  type Ceilings,
  type Context,
  defineLoop,
  type End,
  type Ending,
  type FinishContext,
  fail,
  type Json,
  type Loop,
  pass,
} from "@loopwright/core";
import { z } from "zod";

const json = z.custom<Json>(() => true);

export const NoteState = z.object({ result: json.optional(), list: z.array(z.string()).default([]) });
export type NoteState = z.output<typeof NoteState>;
export type NoteContext = Context<Json, NoteState>;

interface SinglePhaseOptions {
  name?: string;
  ceilings?: Partial<Ceilings>;
  finish?: (state: NoteState, ending: Ending, ctx: FinishContext<Json>) => void | Promise<void>;
}

/** A loop of one phase, `work`, that ends the run. */
export function singlePhase(
  run: (ctx: NoteContext, state: NoteState) => End<never> | Promise<End<never>>,
  options: SinglePhaseOptions = {},
): Loop<Json, NoteState> {
  return defineLoop({
    name: "single",
    version: 1,
    input: json,
    state: NoteState,
    initial: () => ({ list: [] }),
    start: "work",
    iteration: "work",
    phases: { work: { to: [], run: (state, ctx) => run(ctx, state) } },
    ...options,
  });
}

/** Ends a run as done, on a verdict that passes. */
export function passed<Input, State>(ctx: Context<Input, State>, patch: Parameters<typeof ctx.to>[1] = {}): End<never> {
  ctx.verdict(pass(1, "it is good"));
  return ctx.end("done", { patch });
}

export interface ClimbOptions {
  /** Called by the effect of each step, with the iteration. */
  onStep?: (iteration: number, key: string) => void | Promise<void>;
  ceilings?: Partial<Ceilings>;
  usage?: { tokens?: number; usd?: number };
  finish?: (state: { height: number; log: string[] }, ending: Ending) => void;
}

/** A loop of two phases: each iteration climbs by one in an effect, and is judged, until the top is reached. */
export function climb({ onStep, usage, ...rest }: ClimbOptions = {}) {
  return defineLoop({
    name: "climb",
    version: 1,
    input: z.object({ top: z.number() }),
    state: z.object({ height: z.number(), log: z.array(z.string()) }),
    initial: () => ({ height: 0, log: [] }),
    start: "step",
    iteration: "step",
    phases: {
      step: {
        to: ["judge"],
        run: async (state, ctx) => {
          const height = await ctx.effect("climb", {
            input: { from: state.height },
            run: async (effect) => {
              await onStep?.(ctx.iteration, effect.idempotencyKey);
              if (usage) effect.charge(usage);
              return state.height + 1;
            },
          });
          return ctx.to("judge", { height, log: append(`at ${height}`) });
        },
      },
      judge: {
        to: ["step"],
        run: (state, ctx) => {
          const isThere = state.height >= ctx.input.top;
          const score = Math.min(1, state.height / ctx.input.top);
          ctx.verdict(isThere ? pass(score, "the top is reached") : fail(score, `only at ${state.height}`));
          return isThere ? ctx.end("done") : ctx.to("step");
        },
      },
    },
    ...rest,
  });
}
