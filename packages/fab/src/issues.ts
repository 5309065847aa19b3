// The issues behind runs: what a run says of itself is said once, whatever dies in between.

import type { CommandContext } from "@loopwright/core";
import { openTracker, type Tracker } from "@loopwright/tracker";
import type { FabContext } from "./task.ts";

export { rootOf } from "@loopwright/tracker";

/** What an issue asks for. */
export type Asset = {
  kind: string;
  prompt?: string;
  gate: string;
  template?: string;
};

/** Does something to the issues of the run's project, as one effect; it must be the same when it is done again. */
export async function tracked<Result>(
  ctx: FabContext,
  key: string,
  work: (tracker: Tracker<Asset>) => Promise<Result>,
): Promise<Result> {
  return ctx.effect(key, {
    run: async () => {
      const tracker = await openTracker<Asset>({ dir: ctx.project!, by: `loopwright fab (${ctx.run})` });
      try {
        return await work(tracker);
      } finally {
        await tracker.close();
      }
    },
  });
}

/** Opens the tracker of a command's project. */
export async function withTracker<Result>(
  { dir }: CommandContext,
  work: (tracker: Tracker<Asset>) => Promise<Result>,
): Promise<Result> {
  const tracker = await openTracker<Asset>({ dir });
  try {
    return await work(tracker);
  } finally {
    await tracker.close();
  }
}
