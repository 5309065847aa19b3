// What the compiler holds of a loop. This file is never run: `tsc` fails where an error that is expected does not come.

import { z } from "zod";
import { defineLoop, type Loop } from "../../packages/core/src/define.ts";
import type { Engine } from "../../packages/core/src/index.ts";
import type { RunResult } from "../../packages/core/src/journal/control.ts";
import { append } from "../../packages/core/src/record/patch.ts";

const input = z.object({ goal: z.number() });
const state = z.object({
  count: z.number(),
  note: z.string().optional(),
  log: z.array(z.object({ at: z.number() })),
  tags: z.array(z.string()).optional(),
});
const base = {
  name: "typed",
  version: 1,
  input,
  state,
  initial: () => ({ count: 0, log: [] }),
};

// A sound loop compiles: every target is listed, every listed target is taken.
export const sound: Loop<{ goal: number }, z.output<typeof state>> = defineLoop({
  ...base,
  start: "build",
  iteration: "build",
  phases: {
    build: {
      to: ["judge"],
      run: async (seen, ctx) => {
        const made = await ctx.effect("make", { input: { goal: ctx.input.goal }, run: () => ({ size: seen.count }) });
        made.size satisfies number;
        return ctx.to("judge", {
          count: made.size,
          log: append({ at: ctx.clock.now() }),
          tags: append("x"),
          note: undefined,
        });
      },
    },
    judge: {
      to: ["build", "close"],
      run: async (seen, ctx) => {
        if (seen.count > 3) return ctx.end("stagnant", { next: "build" });
        if (seen.count > 2) return ctx.to("build", { count: seen.count + 1 });
        return ctx.to("close");
      },
    },
    close: {
      to: ["build"],
      run: async (_seen, ctx) => {
        const { choice } = await ctx.ask({ name: "ok", question: "ok?", choices: ["yes", "no"], default: "no" });
        choice satisfies "yes" | "no";
        return ctx.end("escalated", {
          gate: { name: "more", question: "go on?", choices: { again: "build", stay: null }, default: "stay" },
        });
      },
    },
  },
});

// The result of a run has the type of the loop's state, and a start takes the loop's input.
export async function typedResult(engine: Engine): Promise<void> {
  const result: RunResult<z.output<typeof state>> = await engine.start(sound, { goal: 1 });
  result.state.count satisfies number;
  // @ts-expect-error the input has the wrong type
  await engine.start(sound, { goal: "one" });
  // @ts-expect-error the input lacks a key
  await engine.start(sound, {});
}

// A target that `to` does not list.
defineLoop({
  ...base,
  start: "build",
  iteration: "build",
  phases: {
    build: {
      to: ["judge"],
      // @ts-expect-error it goes to 'build', which its 'to' does not list
      run: (seen, ctx) => (seen.count > 1 ? ctx.to("build") : ctx.to("judge")),
    },
    judge: { to: [], run: (_seen, ctx) => ctx.end("stagnant") },
  },
});

// The same from an asynchronous phase.
defineLoop({
  ...base,
  start: "build",
  iteration: "build",
  phases: {
    build: {
      to: ["judge"],
      // @ts-expect-error it goes to 'build', which its 'to' does not list
      run: async (seen, ctx) => (seen.count > 1 ? ctx.to("build") : ctx.to("judge")),
    },
    judge: { to: [], run: (_seen, ctx) => ctx.end("stagnant") },
  },
});

// A `to` entry that is never taken.
defineLoop({
  ...base,
  start: "build",
  iteration: "build",
  phases: {
    build: {
      // @ts-expect-error it never goes to 'build'
      to: ["judge", "build"],
      run: (_seen, ctx) => ctx.to("judge"),
    },
    judge: { to: [], run: (_seen, ctx) => ctx.end("stagnant") },
  },
});

// A `to` entry that is not a phase.
defineLoop({
  ...base,
  start: "build",
  iteration: "build",
  phases: {
    build: {
      // @ts-expect-error 'polish' is not a phase
      to: ["polish"],
      run: (_seen, ctx) => ctx.to("polish"),
    },
  },
});

// A phase that is said to start the run, or an iteration, and does not exist.
defineLoop({
  ...base,
  start: "build",
  // @ts-expect-error 'polish' is not a phase
  iteration: "polish",
  phases: { build: { to: [], run: (_seen, ctx) => ctx.end("stagnant") } },
});
defineLoop({
  ...base,
  // @ts-expect-error 'polish' is not a phase
  start: "polish",
  iteration: "build",
  phases: { build: { to: [], run: (_seen, ctx) => ctx.end("stagnant") } },
});

// An ending whose next phase is not in `to`, plain or through a gate's choice.
defineLoop({
  ...base,
  start: "build",
  iteration: "build",
  phases: {
    build: {
      to: [],
      // @ts-expect-error it goes to 'build', which its 'to' does not list
      run: (_seen, ctx) => ctx.end("stagnant", { next: "build" }),
    },
  },
});
defineLoop({
  ...base,
  start: "build",
  iteration: "build",
  phases: {
    build: {
      to: [],
      // @ts-expect-error it goes to 'build', which its 'to' does not list
      run: (_seen, ctx) =>
        ctx.end("escalated", {
          gate: { name: "more", question: "go on?", choices: { again: "build", stay: null }, default: "stay" },
        }),
    },
  },
});

// An outcome that is the engine's to give.
defineLoop({
  ...base,
  start: "build",
  iteration: "build",
  phases: {
    build: {
      to: [],
      // @ts-expect-error only the engine ends a run at a ceiling
      run: (_seen, ctx) => ctx.end("ceiling"),
    },
  },
});

// Patches: the key, the type of the value, and lists.
defineLoop({
  ...base,
  start: "build",
  iteration: "build",
  phases: {
    build: {
      to: ["build"],
      run: (seen, ctx) => {
        // @ts-expect-error no such key in the state
        if (seen.count === 1) return ctx.to("build", { amount: 1 });
        // @ts-expect-error the wrong type of value
        if (seen.count === 2) return ctx.to("build", { count: "three" });
        // @ts-expect-error not a list
        if (seen.count === 3) return ctx.to("build", { count: append(3) });
        // @ts-expect-error the wrong type of entry
        if (seen.count === 4) return ctx.to("build", { log: append({ at: "noon" }) });
        // @ts-expect-error the same holds for an ending's patch
        ctx.end("stagnant", { patch: { count: "three" } });
        return ctx.to("build", { count: 1 });
      },
    },
  },
});

// A phase says where to go: a verdict is no transition.
defineLoop({
  ...base,
  start: "build",
  iteration: "build",
  phases: {
    build: {
      to: [],
      // @ts-expect-error a verdict is no transition
      run: (_seen, ctx) => ctx.verdict(undefined),
    },
  },
});

// The initial state must be a whole state.
defineLoop({
  ...base,
  // @ts-expect-error 'log' is missing
  initial: () => ({ count: 0 }),
  start: "build",
  iteration: "build",
  phases: { build: { to: [], run: (_seen, ctx) => ctx.end("stagnant") } },
});

// A child run takes its loop's input and gives its loop's state.
defineLoop({
  ...base,
  start: "build",
  iteration: "build",
  phases: {
    build: {
      to: ["build"],
      spawns: ["typed"],
      run: async (_seen, ctx) => {
        const child = await ctx.spawn("a", sound, { goal: 2 });
        child.state.count satisfies number;
        // @ts-expect-error the input of the child has the wrong type
        await ctx.spawn("b", sound, { goal: "two" });
        // @ts-expect-error the child's state has no such key
        return ctx.to("build", { count: child.state.amount });
      },
    },
  },
});

// Bodies side by side give their results by key; a gate's default and accepting choices are its own.
defineLoop({
  ...base,
  start: "build",
  iteration: "build",
  phases: {
    build: {
      to: ["build"],
      run: async (_seen, ctx) => {
        const both = await ctx.all({ left: async () => 1, right: async () => "two" });
        both.left satisfies number;
        both.right satisfies string;
        // @ts-expect-error no body of that key
        both.middle;
        // @ts-expect-error the default is not one of the choices
        await ctx.ask({ name: "a", question: "?", choices: ["yes", "no"], default: "maybe" });
        // @ts-expect-error an accepting choice is not one of the choices
        await ctx.ask({ name: "b", question: "?", choices: ["yes", "no"], default: "no", accepting: ["maybe"] });
        // @ts-expect-error an effect needs a body
        await ctx.effect("c", { input: 1 });
        return ctx.to("build");
      },
    },
  },
});
