// How `--dry-run` reaches the builder's prompt: without the phase that tells the issue of the run.

import type { SetUpFirstPrompt } from "@loopwright/core";
import type { FabInput } from "./task.ts";

export const firstPrompt: SetUpFirstPrompt = ({ input, settings }) => {
  const { file, work } = input as unknown as Partial<FabInput>;
  if (file !== undefined || work?.builder !== "model")
    return { reason: "no model builds; those who judge are asked once the asset is there" };
  return { settings: settings ?? null, start: "generate" };
};
