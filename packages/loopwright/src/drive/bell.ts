// The terminal's bell, for whoever is near it.

import type { LoopEvent } from "@loopwright/core";
import type { Terminal } from "@loopwright/terminal";

/** The note that a loop leaves to have the bell rung: `{ times }`. */
const BELL = "bell";

/** Rings the terminal's bell as often as a loop's note says. */
export function ringFor({ stdout, isJson, isQuiet }: Terminal, event: LoopEvent): void {
  if (event.type !== "loop-noted" || event.name !== BELL || !stdout.isTTY || isJson || isQuiet) return;
  const times = (event.data as { times?: unknown } | null)?.times;
  stdout.write("\u0007".repeat(typeof times === "number" ? Math.min(3, Math.max(1, times)) : 1));
}
