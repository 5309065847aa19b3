// The workload as loops: generate → execute → evaluate → generate …

import { append, defineLoop, fail } from "@loopwright/core";
import { z } from "zod";
import type { Texts } from "./texts.ts";

/** What a loop takes its texts from, and where it leaves the time at which each iteration began. */
export interface Feed {
  texts: readonly Texts[];
  marks: number[];
  phases: number;
}

/** An empty feed. */
export function emptyFeed(): Feed {
  return { texts: [], marks: [], phases: 0 };
}

/** The loop whose texts replace those of the iteration before. */
export function draftLoop(feed: Feed) {
  const next = (iteration: number) => {
    feed.phases += 1;
    return feed.texts[iteration - 1]!;
  };
  return defineLoop({
    name: "bench-draft",
    version: 1,
    input: z.object({ task: z.string() }),
    state: z.object({
      task: z.string(),
      draft: z.string(),
      log: z.string(),
      critique: z.string(),
      history: z.array(z.string()),
    }),
    initial: ({ task }) => ({ task, draft: "", log: "", critique: "", history: [] }),
    start: "generate",
    iteration: "generate",
    phases: {
      generate: {
        to: ["execute"],
        run: (_state, ctx) => {
          feed.marks.push(performance.now());
          return ctx.to("execute", { draft: next(ctx.iteration).draft });
        },
      },
      execute: { to: ["evaluate"], run: (_state, ctx) => ctx.to("evaluate", { log: next(ctx.iteration).log }) },
      evaluate: {
        to: ["generate"],
        run: (_state, ctx) => {
          const { critique, line } = next(ctx.iteration);
          ctx.verdict(fail(0.5, "not yet"));
          return ctx.to("generate", { critique, history: append(line) });
        },
      },
    },
  });
}

/** The loop that keeps all it ever wrote: each phase extends a list, without bound. */
export function historyLoop(feed: Feed, onIteration: (iteration: number) => void = () => {}) {
  return defineLoop({
    name: "bench-history",
    version: 1,
    input: z.object({ task: z.string() }),
    state: z.object({
      task: z.string(),
      drafts: z.array(z.string()),
      logs: z.array(z.string()),
      critiques: z.array(z.string()),
    }),
    initial: ({ task }) => ({ task, drafts: [], logs: [], critiques: [] }),
    start: "generate",
    iteration: "generate",
    phases: {
      generate: {
        to: ["execute"],
        run: (_state, ctx) => {
          onIteration(ctx.iteration);
          feed.marks.push(performance.now());
          return ctx.to("execute", { drafts: append(feed.texts[ctx.iteration - 1]!.draft) });
        },
      },
      execute: {
        to: ["evaluate"],
        run: (_state, ctx) => ctx.to("evaluate", { logs: append(feed.texts[ctx.iteration - 1]!.log) }),
      },
      evaluate: {
        to: ["generate"],
        run: (_state, ctx) => {
          ctx.verdict(fail(0.5, "not yet"));
          return ctx.to("generate", { critiques: append(feed.texts[ctx.iteration - 1]!.critique) });
        },
      },
    },
  });
}
