// What a display knows of the run that it shows: the fold of the events that it was told, child runs left aside.

import { addUsage, type Ceilings, type Json, type LoopEvent } from "@loopwright/core";

export interface Watch {
  run: string | undefined;
  loop: string;
  folder: string;
  ceilings: Ceilings | undefined;
  phase: string;
  iteration: number;
  scores: { iteration: number; score: number }[];
  tokens: number;
  usd: number;
  /** Active milliseconds when the last event came, and when that was. */
  active: number;
  heardAt: number;
  progress: Json | undefined;
  retries: number;
}

/** A watch that has seen nothing yet; a resumed run's past is given. */
export function newWatch(past: Partial<Watch> = {}): Watch {
  const blank = { run: undefined, loop: "", folder: "", ceilings: undefined, phase: "", iteration: 0, scores: [] };
  return { ...blank, tokens: 0, usd: 0, active: 0, heardAt: Date.now(), progress: undefined, retries: 0, ...past };
}

/** Takes an event into a watch, in place. The first run that is heard of is the one that is shown. */
export function watchEvent(watch: Watch, event: LoopEvent): void {
  if (event.type === "run-started" && (watch.run === undefined || takesOver(event, watch))) {
    const { run, loop, folder, ceilings, enter } = event;
    Object.assign(watch, { run, loop, folder, ceilings, iteration: enter.iteration });
  }
  if (event.run !== watch.run) return;
  if ("usage" in event && event.usage) Object.assign(watch, addUsage(watch, event.usage));
  if ("active" in event) Object.assign(watch, { active: event.active, heardAt: Date.now() });
  switch (event.type) {
    case "phase-started":
      Object.assign(watch, { phase: event.phase, iteration: event.iteration, progress: undefined });
      break;
    case "progress":
      watch.progress = event.data;
      break;
    case "effect-finished":
    case "effect-failed":
      watch.progress = undefined;
      break;
    case "verdict-recorded":
      watch.scores.push({ iteration: event.iteration, score: event.verdict.score });
      break;
    case "ceilings-changed":
      if (watch.ceilings) watch.ceilings = { ...watch.ceilings, ...event.ceilings };
      break;
    default:
  }
}

/** Whether a run goes on with what the one has begun that is shown. */
export function takesOver(event: LoopEvent, watch: Pick<Watch, "run">): boolean {
  return event.type === "run-started" && event.after !== undefined && event.after.run === watch.run;
}

/** Active milliseconds by now. */
export function activeNow(watch: Watch, now = Date.now()): number {
  return watch.active + Math.max(0, now - watch.heardAt);
}
