// What a display knows of the run that it shows, the fold of the events that it was told, child runs left aside; and of that
// the frame of the live display, as lines that fit the terminal. Pure.

import { addUsage, type Ceilings, type Json, type LoopEvent } from "@loopwright/core/look";
import {
  cut,
  plainLine,
  showDollars,
  showDuration,
  showNumber,
  showScore,
  sparkline,
  type Terminal,
  widthOf,
} from "@loopwright/terminal";

export interface Watch {
  run: string | undefined;
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
}

/** A watch that has seen nothing yet; a resumed run's past is given. */
export function newWatch(past: Partial<Watch> = {}): Watch {
  const blank = { run: undefined, ceilings: undefined, phase: "", iteration: 0, scores: [], progress: undefined };
  return { ...blank, tokens: 0, usd: 0, active: 0, heardAt: Date.now(), ...past };
}

/** Takes an event into a watch, in place. The first run that is heard of is the one that is shown. */
export function watchEvent(watch: Watch, event: LoopEvent): void {
  if (event.type === "run-started" && (watch.run === undefined || takesOver(event, watch))) {
    const { run, ceilings, enter } = event;
    Object.assign(watch, { run, ceilings, iteration: enter.iteration });
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

const SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";

/** The lines of a moment. Each is shorter than the terminal is wide, so that none is ever broken. */
export function frameLines(
  watch: Watch,
  terminal: Pick<Terminal, "columns" | "style">,
  tick: number,
  now = Date.now(),
): string[] {
  const room = Math.max(20, terminal.columns - 1);
  const lines = [`${SPINNER[tick % SPINNER.length]} ${doingWords(watch, room - 2)}`];
  const scores = watch.scores.map(({ score }) => score);
  if (scores.length > 0) {
    const curve = sparkline(scores, Math.max(1, Math.min(40, room - 32)));
    const best = showScore(Math.max(...scores));
    lines.push(cut(`  score ${showScore(scores.at(-1)!)}  ${curve}  best ${best}`, room));
  }
  lines.push(terminal.style("dim", cut(`  ${usedWords(watch, now)}`, room)));
  return lines;
}

/** Where the run is. What is said of progress is cut first, then a long phase's name, and the count last. */
function doingWords({ phase, iteration, ceilings, progress }: Watch, room: number): string {
  const count = ceilings ? ` · iteration ${iteration} of ${showNumber(ceilings.iterations)}` : "";
  const name = plainLine(phase) || "starting";
  const head = cut(cut(name, Math.max(8, Math.min(Math.floor(room / 2), room - count.length))) + count, room);
  const said = progressWords(progress);
  const left = room - widthOf(head) - 3;
  return said === "" || left < 4 ? head : `${head} · ${cut(said, left)}`;
}

function usedWords(watch: Watch, now: number): string {
  const elapsed = showDuration(activeNow(watch, now));
  const { ceilings } = watch;
  if (!ceilings) return elapsed;
  return [
    `${elapsed} of ${showNumber(ceilings.minutes)} min`,
    `${showNumber(watch.tokens)} of ${showNumber(ceilings.tokens)} tokens`,
    `${showDollars(watch.usd)} of ${showDollars(ceilings.usd)}`,
  ].join(" · ");
}

/** More than this is never seen, and a frame is drawn many times. */
const MOST = { entries: 8, letters: 200, depth: 3 };

/** Whatever an effect said of its progress, in few words. */
export function progressWords(data: Json | undefined, depth = 0): string {
  if (typeof data === "number") return showNumber(data);
  if (typeof data !== "object") return plainLine(String(data ?? "").slice(0, MOST.letters));
  if (depth === MOST.depth) return "…";
  const entries = Object.entries<Json>(data ?? {}).slice(0, MOST.entries);
  const named = (name: string) => (Array.isArray(data) ? "" : `${plainLine(name.slice(0, MOST.letters))} `);
  return entries.map(([name, value]) => named(name) + progressWords(value, depth + 1)).join(", ");
}
