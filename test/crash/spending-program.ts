// Drives a run that spends, in a process of its own: it starts it or goes on with it. SIGTERM interrupts the run.
//
//   node test/crash/spending-program.ts <dir> <address of the models>
//
// Prints how it ended when it lets go of the run.

import { type Context, defineLoop, FormatError, openProject, pass } from "@loopwright/core";
import { obtainObject, obtainText, openModels } from "@loopwright/models";
import { resolveModels } from "@loopwright/models/configuration";
import { z } from "zod";

type Ctx = Context<unknown, unknown>;

const frame = {
  version: 1,
  input: z.object({}),
  state: z.object({}),
  initial: () => ({}),
  start: "work",
  iteration: "work",
} as const;

const write = (ctx: Ctx, key: string) =>
  obtainText(ctx, key, { role: "writer", prompt: `Write a few words about ${key}, and about the sea.` });

/** An answer that never fits costs its tries, and nothing else. */
const list = (ctx: Ctx, key: string) =>
  obtainObject(ctx, key, z.array(z.number()), { role: "judge", prompt: `Give ${key} some numbers.` }).catch((error) => {
    if (!(error instanceof FormatError)) throw error;
  });

const leaf = defineLoop({
  ...frame,
  name: "leaf",
  phases: {
    work: {
      to: ["work"],
      run: async (_state, ctx) => {
        await ctx.all({ a: (side) => write(side, "boats"), b: (side) => list(side, "boats") });
        if (ctx.iteration < 2) return ctx.to("work");
        ctx.verdict(pass(1, "written"));
        return ctx.end("done");
      },
    },
  },
});

const middle = defineLoop({
  ...frame,
  name: "middle",
  phases: {
    work: {
      to: [],
      spawns: ["leaf"],
      run: async (_state, ctx) => {
        await ctx.spawn("inner", leaf, {});
        await ctx.ask({ name: "ok", question: "Is it good?", choices: ["yes", "no"], default: "no" });
        await write(ctx, "harbors");
        ctx.verdict(pass(1, "written"));
        return ctx.end("done");
      },
    },
  },
});

export const spending = defineLoop({
  ...frame,
  name: "spending",
  phases: {
    work: {
      to: [],
      spawns: ["leaf", "middle"],
      run: async (_state, ctx) => {
        await ctx.all({
          left: (side) => side.spawn("leaf", leaf, {}),
          right: (side) => side.spawn("middle", middle, {}),
          own: (side) => write(side, "tides"),
        });
        ctx.verdict(pass(1, "all written"));
        return ctx.end("done");
      },
    },
  },
});

if (import.meta.main) {
  const [dir, url] = process.argv.slice(2) as [string, string];
  const configuration = resolveModels(
    {
      endpoints: { local: { url, concurrency: 3 } },
      models: { default: { endpoint: "local", model: "small", maxTokens: 120, context: 8_000 } },
      retry: { waits: [0.01, 0.01, 0.01], timeout: 20 },
    },
    {},
  );
  const stop = new AbortController();
  process.once("SIGTERM", () => stop.abort());
  const project = await openProject({ dir, models: openModels(configuration) });
  const run = (await project.ports.journal.runs()).find((id) => !id.includes("."));
  const options = { signal: stop.signal };
  const result = run ? await project.resume(spending, run, options) : await project.start(spending, {}, options);
  await project.close();
  console.log(result.outcome);
}
