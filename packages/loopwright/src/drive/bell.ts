// The terminal's bell, for whoever is near it.

import type { Bell, LoopEvent } from "@loopwright/core";
import type { Terminal } from "@loopwright/terminal";

/** The note that a loop leaves to have the bell rung: `{ times }`. */
const BELL = "bell";

const moments: Partial<Record<LoopEvent["type"], Bell>> = { "gate-opened": "gate", "run-ended": "end" };

/** Rings the terminal's bell as often as a loop's note says, and once at each moment that its package names. */
export function ringFor({ stdout, isJson, isQuiet }: Terminal, event: LoopEvent, bells: readonly Bell[] = []): void {
  if (!stdout.isTTY || isJson || isQuiet) return;
  const times = event.type === "loop-noted" && event.name === BELL ? timesOf(event.data) : 0;
  const moment = moments[event.type];
  const rings = times + (moment !== undefined && bells.includes(moment) ? 1 : 0);
  if (rings > 0) stdout.write("\u0007".repeat(rings));
}

function timesOf(data: unknown): number {
  const times = (data as { times?: unknown } | null)?.times;
  return typeof times === "number" ? Math.min(3, Math.max(1, times)) : 1;
}
