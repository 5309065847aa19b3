// A loop to look at while it runs: its input says how long it takes, what it says meanwhile, and what goes wrong.

import { existsSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { defineLoop, passIf } from "loopwright";
import { z } from "zod";

const Input = z.object({
  rounds: z.number().default(5),
  /** Steps of progress in an iteration, and how long each takes. */
  steps: z.number().default(3),
  ms: z.number().default(20),
  /** The round in which its second step lasts until there is a file `go`. */
  holds: z.number().optional(),
  reason: z.string().default("not there yet"),
  progress: z.json().optional(),
  /** What the loop writes to the terminal by itself. */
  prints: z.string().optional(),
  /** In which round it breaks, and how. */
  breaks: z.object({ round: z.number(), how: z.enum(["throws", "crashes"]) }).optional(),
  /** How long it takes to finish, whatever it is told. */
  finishMs: z.number().default(0),
  asks: z.boolean().default(false),
});

// Whoever wants to kill this process finds it here.
writeFileSync("pid", String(process.pid));

export default defineLoop({
  name: "shown",
  version: 1,
  input: Input,
  state: z.object({ round: z.number(), finishMs: z.number() }),
  initial: ({ finishMs }) => ({ round: 0, finishMs }),
  start: "work",
  iteration: "work",
  phases: {
    work: {
      to: ["judge"],
      run: async (state, ctx) => {
        const { steps, ms, holds, progress, prints, breaks } = ctx.input;
        const round = state.round + 1;
        await ctx.effect("steps", {
          input: round,
          run: async (effect) => {
            for (let step = 1; step <= steps; step++) {
              effect.progress(progress ?? { step, of: steps });
              do await wait(ms, undefined, { signal: effect.signal });
              while (holds === round && step === 2 && !existsSync("go"));
            }
            effect.charge({ tokens: 1234, usd: 0.01 });
            if (prints !== undefined) console.log(prints, round);
            if (breaks?.round !== round) return;
            if (breaks.how === "throws") throw new Error("the loop is broken");
            setImmediate(() => {
              throw new Error("out of the blue");
            });
            await wait(10_000);
          },
        });
        return ctx.to("judge", { round });
      },
    },
    judge: {
      to: ["work"],
      run: async ({ round }, ctx) => {
        const { rounds, reason, asks } = ctx.input;
        const isEnough = round >= rounds;
        ctx.verdict(passIf(isEnough, Math.min(1, round / rounds), isEnough ? "as wanted" : reason));
        if (!isEnough) return ctx.to("work");
        if (!asks) return ctx.end("done");
        const choices = ["yes", "no", "never"] as const;
        const { choice } = await ctx.ask({ name: "take", question: "Take it?", choices, default: "no", about: round });
        return choice === "yes" ? ctx.end("done") : ctx.to("work");
      },
    },
  },
  finish: async ({ finishMs }) => {
    await wait(finishMs);
  },
});
