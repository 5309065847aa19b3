// Figures that only a terminal shows; the others are the report's.

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
