// What is noticed of a run whatever front end shows it: the terminal's bell, and a server that answers with another model than it was asked
// for. That is said once for each pair, and the run goes on, for the names of one model differ too.

import { type Bell, type LoopEvent, outcomes, TERMINATED_EXIT } from "@loopwright/core";
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

/** What to say of an event, where another model has answered than the one that was asked for; the command shows what is served. */
export function otherModels(doctor: string): (event: LoopEvent) => string | undefined {
  const told = new Set<string>();
  return (event) => {
    if (event.type !== "effect-finished") return undefined;
    const { model, details } = (event.result ?? {}) as {
      model?: unknown;
      details?: { asked?: unknown; endpoint?: unknown };
    };
    const asked = details?.asked;
    if (typeof model !== "string" || typeof asked !== "string" || isSame(asked, model)) return undefined;
    const words = `${details?.endpoint} was asked for ${asked}, and ${model} has answered`;
    if (told.has(words)) return undefined;
    told.add(words);
    return `${words}; \`${doctor}\` shows what it serves`;
  };
}

/** Whether two names are one model's: servers add a date, a maker or a path. */
export function isSame(asked: string, answered: string): boolean {
  const [a, b] = [asked, answered].map((name) => name.trim().toLowerCase());
  return a!.includes(b!) || b!.includes(a!);
}

// Ctrl-C: once finishes the current write and stops cleanly, twice stops at once. SIGTERM and SIGHUP count as once.

/** Aborted at the first interrupt; `exit` is what a command that was stopped by it ends with. */
export type Interrupts = AbortSignal & Disposable & { exit(): number };

/** The signal that a run is driven with; `notice` is called at the first interrupt. */
export function watchInterrupts(notice: () => void): Interrupts {
  const controller = new AbortController();
  let exit: number = outcomes.interrupted.exit;
  const stop = (name: NodeJS.Signals) => {
    if (controller.signal.aborted && name === "SIGINT") process.exit(exit);
    if (controller.signal.aborted) return;
    if (name === "SIGTERM") exit = TERMINATED_EXIT;
    controller.abort();
    notice();
  };
  const names: NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const name of names) process.on(name, stop);
  const dispose = () => {
    for (const name of names) process.off(name, stop);
  };
  return Object.assign(controller.signal, { exit: () => exit, [Symbol.dispose]: dispose });
}
