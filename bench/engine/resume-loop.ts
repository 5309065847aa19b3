// The loop that is resumed: two effects in every phase, a draft of 3 KB, and a line of history per iteration.

import { append, type Context, defineLoop, fail } from "@loopwright/core";
import { z } from "zod";
import { proseWriter } from "./prose.ts";

const DRAFT_SIZE = 3_072;
const RESULT_SIZE = 200;
const LINE_SIZE = 60;

/** The loop, with a word to whoever watches each time a phase's code begins to run. */
export function resumeLoop(onPhase: (visit: number) => void) {
  return defineLoop({
    name: "bench-resume",
    version: 1,
    input: z.object({}),
    state: z.object({ draft: z.string(), history: z.array(z.string()) }),
    initial: () => ({ draft: "", history: [] }),
    start: "generate",
    iteration: "generate",
    phases: {
      generate: {
        to: ["execute"],
        run: async (_state, ctx) => {
          onPhase(ctx.iteration * 3 - 2);
          await callTwice(ctx, "generate");
          return ctx.to("execute", { draft: proseWriter(`draft ${ctx.iteration}`)(DRAFT_SIZE) });
        },
      },
      execute: {
        to: ["evaluate"],
        run: async (_state, ctx) => {
          onPhase(ctx.iteration * 3 - 1);
          await callTwice(ctx, "execute");
          return ctx.to("evaluate");
        },
      },
      evaluate: {
        to: ["generate"],
        run: async (_state, ctx) => {
          onPhase(ctx.iteration * 3);
          await callTwice(ctx, "evaluate");
          ctx.verdict(fail(0.5, "not yet"));
          return ctx.to("generate", { history: append(proseWriter(`line ${ctx.iteration}`)(LINE_SIZE)) });
        },
      },
    },
  });
}

/** Two effects in turn, whose results depend on nothing but their place in the run. */
async function callTwice(ctx: Context<unknown, never>, phase: string): Promise<void> {
  for (const key of ["first", "second"]) {
    const run = async () => proseWriter(`${ctx.iteration} ${phase} ${key}`)(RESULT_SIZE);
    await ctx.effect(key, { input: { phase }, run });
  }
}
