// Effects with a result of 2 KB, and the two bare commits that they are measured against.

import { defineLoop } from "@loopwright/core";
import { z } from "zod";
import { proseWriter } from "./prose.ts";

const RESULT_SIZE = 2_048;
const INPUT_SIZE = 100;
const INTENT_SIZE = 200;
const EFFECTS_PER_PHASE = 4;

/** What one effect is asked and answers, and the text of an intent as large as a small event. */
export interface Call {
  question: string;
  answer: string;
  intent: string;
}

/** The texts of so many effects. */
export function callsOf(seed: number | string, count: number): Call[] {
  const write = proseWriter(seed);
  return Array.from({ length: count }, () => ({
    question: write(INPUT_SIZE),
    answer: write(RESULT_SIZE),
    intent: write(INTENT_SIZE),
  }));
}

/** Where the effect loop takes its calls from, and leaves the milliseconds that each took. */
export interface CallFeed {
  calls: readonly Call[];
  times: number[];
}

/** A loop of one phase that makes four effects in turn. */
export function effectLoop(feed: CallFeed) {
  return defineLoop({
    name: "bench-effects",
    version: 1,
    input: z.object({}),
    state: z.object({ visits: z.number() }),
    initial: () => ({ visits: 0 }),
    start: "call",
    iteration: "call",
    phases: {
      call: {
        to: ["call"],
        run: async (_state, ctx) => {
          for (let count = 0; count < EFFECTS_PER_PHASE; count++) {
            const { question, answer } = feed.calls[(ctx.iteration - 1) * EFFECTS_PER_PHASE + count]!;
            const from = performance.now();
            await ctx.effect(`ask-${count}`, { input: { question }, run: async () => answer });
            feed.times.push(performance.now() - from);
          }
          return ctx.to("call", { visits: ctx.iteration });
        },
      },
    },
  });
}

/** The iterations that so many effects take. */
export function iterationsFor(calls: readonly Call[]): number {
  return Math.floor(calls.length / EFFECTS_PER_PHASE);
}
