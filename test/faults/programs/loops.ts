// The loops that the fault tests run, in their own process or in another.

import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { append, type Context, defineLoop, fail, type Json, type Loop, pass } from "loopwright";
import { z } from "zod";

/** Text that does not compress, the same for the same name. */
export function noise(name: string | number, length: number): string {
  const parts: string[] = [];
  for (let n = 0; n * 88 < length; n++) parts.push(createHash("sha512").update(`${name} ${n}`).digest("base64"));
  return parts.join("").slice(0, length);
}

/** Makes a value or a file in every round, until there are enough. With `idle` it waits as long in each effect. */
export const fill = defineLoop({
  name: "fill",
  version: 1,
  input: z.object({
    rounds: z.number(),
    bytes: z.number(),
    files: z.boolean().optional(),
    idle: z.number().optional(),
  }),
  state: z.object({ values: z.array(z.string()), digests: z.array(z.string()) }),
  initial: () => ({ values: [], digests: [] }),
  start: "work",
  iteration: "work",
  phases: {
    work: {
      to: ["judge"],
      run: async ({ values, digests }, ctx) => {
        const round = ctx.input.files ? digests.length : values.length;
        if (ctx.input.files) {
          const artifact = await ctx.effect("file", {
            input: round,
            run: (effect) => effect.save("value.txt", noise(round, ctx.input.bytes)),
          });
          return ctx.to("judge", { digests: append(artifact.digest) });
        }
        const value = await ctx.effect("value", {
          input: round,
          run: async () => {
            if (ctx.input.idle) await setTimeout(ctx.input.idle);
            return noise(round, ctx.input.bytes);
          },
        });
        return ctx.to("judge", { values: append(value) });
      },
    },
    judge: {
      to: ["work"],
      run: ({ values, digests }, ctx) => {
        const count = values.length + digests.length;
        const isEnough = count >= ctx.input.rounds;
        ctx.verdict(isEnough ? pass(1, `${count} are enough`) : fail(count / ctx.input.rounds, `only ${count}`));
        return isEnough ? ctx.end("done") : ctx.to("work");
      },
    },
  },
});

/** The ceilings that let `fill` go on for as long as it likes. */
export const roomy = { iterations: 100_000 };

/** What a test's phase was told. */
export const told = z.object({ told: z.array(z.any()) });
export type Told = z.output<typeof told>;

/** A loop of one phase that ends as done. */
export function once(work: (ctx: Context<Json, Told>) => Promise<Partial<Told>>): Loop<Json, Told> {
  return defineLoop({
    name: "once",
    version: 1,
    input: z.json(),
    state: told,
    initial: () => ({ told: [] }),
    start: "work",
    iteration: "work",
    phases: {
      work: {
        to: [],
        run: async (_state, ctx) => {
          const patch = await work(ctx as Context<Json, Told>);
          ctx.verdict(pass(1, "fine"));
          return ctx.end("done", { patch });
        },
      },
    },
  }) as Loop<Json, Told>;
}
