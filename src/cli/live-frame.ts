// The frame of the live display: what is under way, as lines that fit the terminal. Pure.

import type { Json } from "../core/json.ts";
import { showDollars, showDuration, showNumber, showScore } from "../report/figures.ts";
import { sparkline } from "./figures.ts";
import { cut, plainLine, type Terminal } from "./terminal.ts";
import { activeNow, type Watch } from "./watch.ts";

const SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";

/** The lines of a moment. Each is shorter than the terminal is wide, so that none is ever torn. */
export function frameLines(watch: Watch, terminal: Terminal, tick: number, now = Date.now()): string[] {
  const room = Math.max(20, terminal.columns - 1);
  const { ceilings } = watch;
  const count = ceilings ? `iteration ${watch.iteration} of ${showNumber(ceilings.iterations)}` : "";
  const doing = [plainLine(watch.phase) || "starting", count, progressWords(watch.progress)].filter(
    (part) => part !== "",
  );
  const lines = [`${SPINNER[tick % SPINNER.length]} ${cut(doing.join(" · "), room - 2)}`];
  const scores = watch.scores.map(({ score }) => score);
  if (scores.length > 0) {
    const best = `best ${showScore(Math.max(...scores))}`;
    lines.push(
      cut(`  score ${showScore(scores.at(-1)!)}  ${sparkline(scores, Math.min(40, room - 32))}  ${best}`, room),
    );
  }
  lines.push(terminal.style("dim", cut(`  ${usedWords(watch, now)}`, room)));
  return lines;
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

/** Whatever an effect said of its progress, in few words. */
export function progressWords(data: Json | undefined): string {
  if (data === undefined || data === null) return "";
  if (typeof data !== "object") return plainLine(String(data));
  if (Array.isArray(data)) return plainLine(data.map((item) => progressWords(item)).join(", "));
  const words = Object.entries(data).map(([name, value]) => `${name} ${figure(value as Json)}`);
  return plainLine(words.join(", "));
}

function figure(value: Json): string {
  return typeof value === "number" ? showNumber(value) : progressWords(value);
}
