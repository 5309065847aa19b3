// Overhearing: every answer of a model as it came, also those that had no usable form, for the debug store.

import type { NovelContext } from "./task.ts";

/** A context whose models' answers are told to `hear`, whatever is made of them. */
export function overhear(ctx: NovelContext, hear: (text: string) => void): NovelContext {
  // The context stands behind as the prototype, since some of its values change while a phase runs.
  return Object.create(ctx, {
    model: {
      value: (role: string) => ({
        call: async (...args: Parameters<ReturnType<NovelContext["model"]>["call"]>) => {
          const answer = await ctx.model(role).call(...args);
          hear(answer.text);
          return answer;
        },
      }),
    },
    all: {
      value: (bodies: Parameters<NovelContext["all"]>[0], options?: { limit?: number }) => {
        const heard = Object.entries(bodies).map(([key, body]) => [
          key,
          (own: NovelContext) => body(overhear(own, hear)),
        ]);
        return ctx.all(Object.fromEntries(heard), options);
      },
    },
  }) as NovelContext;
}
