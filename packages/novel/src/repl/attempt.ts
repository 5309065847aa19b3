// One thing that a session does: what goes wrong is said, and the session goes on.

import { LoopwrightError } from "@loopwright/core";
import type { Output } from "./words/output.ts";

/** Does something; an error is told, and nothing more comes of it. */
export async function attempt({ output }: { output: Output }, body: () => Promise<void>): Promise<void> {
  try {
    await body();
  } catch (error) {
    output.fail(error instanceof Error ? error.message : String(error));
    const isKnown = error instanceof LoopwrightError && process.env.LOOPWRIGHT_DEBUG !== "1";
    if (!isKnown && error instanceof Error) output.terminal.warn(error.stack ?? "");
  }
}
