// Phases that do not do what a phase should, by name. Run in a process of its own, since one may never let go:
//
//   node stubborn.ts <dir> <name>
//
// Prints the result or the error, closes the project, and ends by itself.

import { type Context, defineLoop, LoopwrightError, openProject } from "loopwright";
import { z } from "zod";

type Ctx = Context<object, { count: number }>;

/** Each is a phase's `run`; none returns what it should, or in time. */
export const phases: Record<string, (ctx: Ctx) => unknown> = {
  "never settles": () => new Promise(() => {}),
  "ignores its signal": (ctx) =>
    ctx.effect("deaf", { run: () => new Promise(() => {}) }).then(() => ctx.end("declined")),
  "catches every error and asks again": async (ctx) => {
    for (let n = 0; ; n++) {
      try {
        await ctx.effect(`try ${n}`, { run: () => new Promise(() => {}) });
      } catch {}
    }
  },
  "catches every error and asks for the same key again": async (ctx) => {
    for (;;) {
      try {
        await ctx.effect("same", { run: () => null });
      } catch {}
    }
  },
  "catches every error and saves again": async (ctx) => {
    for (;;) {
      try {
        await ctx.save("file.txt", "text");
      } catch {}
    }
  },
  "catches the halt of a gate and asks another": async (ctx) => {
    for (let n = 0; ; n++) {
      try {
        await ctx.ask({ name: `gate ${n}`, question: "Well?", choices: ["yes"], default: "yes" });
      } catch {}
    }
  },
  "has a body side by side that never settles": (ctx) =>
    ctx
      .all({ stuck: () => new Promise(() => {}), quick: (scope) => scope.effect("quick", { run: () => null }) })
      .then(() => ctx.end("declined")),
};

/** Those that need no ceiling to be stopped. */
export const haltedOtherwise = [
  "catches every error and asks for the same key again",
  "catches the halt of a gate and asks another",
];

if (import.meta.filename === process.argv[1]) {
  const [dir, name] = process.argv.slice(2) as [string, string];
  const loop = defineLoop({
    name: "stubborn",
    version: 1,
    input: z.object({}),
    state: z.object({ count: z.number() }),
    initial: () => ({ count: 0 }),
    start: "work",
    iteration: "work",
    phases: { work: { to: [], run: (_state, ctx) => phases[name]!(ctx) as never } },
    ceilings: haltedOtherwise.includes(name) ? {} : { phaseMinutes: 0.002 },
  });
  // Should its test be gone, it goes too.
  setTimeout(() => process.exit(99), 60_000).unref();
  const project = await openProject({ dir });
  try {
    console.log(JSON.stringify({ result: await project.start(loop, {}) }));
  } catch (error) {
    const isOwn = error instanceof LoopwrightError;
    console.log(JSON.stringify({ error: { isOwn, code: isOwn && error.code, message: (error as Error).message } }));
  }
  await project.close();
}
