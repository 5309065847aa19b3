// The frame of the live display: what is under way, as lines that fit the terminal. Pure.

import type { Json } from "@loopwright/core";
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
import { activeNow, type Watch } from "./watch.ts";

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
  if (data === undefined || data === null) return "";
  if (typeof data === "number") return showNumber(data);
  if (typeof data !== "object") return plainLine(String(data).slice(0, MOST.letters));
  if (depth === MOST.depth) return "…";
  const entries = Object.entries(data).slice(0, MOST.entries);
  const words = entries.map(([name, value]) => {
    const said = progressWords(value as Json, depth + 1);
    return Array.isArray(data) ? said : `${plainLine(name.slice(0, MOST.letters))} ${said}`;
  });
  return words.join(", ");
}
