// Figures: numbers, times and sizes as people read them. The same value always gives the same text, in any locale.

export { showScore } from "@loopwright/core/look";

/** A count with its thousands set apart; a fraction with three significant digits. */
export function showNumber(value: number): string {
  if (!Number.isInteger(value) && Math.abs(value) < 1000) return String(Number(value.toPrecision(3)));
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** A count and its noun, in the plural where it is not one. */
export function showCount(count: number, noun: string): string {
  return `${showNumber(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Dollars: cents, or three significant digits where it is less than a cent. */
export function showDollars(usd: number): string {
  if (usd === 0 || usd >= 0.01) return `$${usd.toFixed(2)}`;
  return `$${Number(usd.toPrecision(3))}`;
}

/** A length of time: two units at most. */
export function showDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const tenths = Math.round(ms / 100);
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return twoUnits(Math.floor(seconds / 60), "min", seconds % 60, "s");
  const minutes = Math.round(seconds / 60);
  return twoUnits(Math.floor(minutes / 60), "h", minutes % 60, "min");
}

function twoUnits(large: number, name: string, small: number, smallName: string): string {
  return small === 0 ? `${large} ${name}` : `${large} ${name} ${small} ${smallName}`;
}

/** A size in bytes, kilobytes, megabytes or gigabytes. */
export function showSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`;
  if (bytes < 1e9) return `${(bytes / 1e6).toFixed(1)} MB`;
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

/** A moment in UTC, to the second. */
export function showTime(at: number): string {
  return Number.isFinite(at) && Math.abs(at) <= 8.64e15
    ? `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`
    : "at no known time";
}

const BARS = "▁▂▃▄▅▆▇█";

/** The last scores as a row of bars, from 0 to 1. */
export function sparkline(scores: readonly number[], width = 24): string {
  const shown = scores.slice(-width);
  return shown.map((score) => BARS[Math.min(BARS.length - 1, Math.max(0, Math.floor(score * BARS.length)))]).join("");
}

/** How long ago, in its largest unit: 5 s, 3 min, 4 h, 12 d. */
export function showAge(ms: number): string {
  const units: [number, string][] = [
    [86_400_000, "d"],
    [3_600_000, "h"],
    [60_000, "min"],
  ];
  const [size, unit] = units.find(([size]) => ms >= size) ?? [1000, "s"];
  return `${Math.max(0, Math.floor(ms / size))} ${unit}`;
}
