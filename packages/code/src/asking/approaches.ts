// Approaches that failed: what the implementer said it would do, and what came of it. Pure.

import type { Approach } from "../task.ts";

const REMEMBERED = 12;
const LONGEST = 240;

/** The approach that an answer names in its line APPROACH; the first sentence of the diagnosis it went by, else. */
export function approachOf(answer: string, diagnosis: string): string {
  const named = /^[ \t>*_#-]*APPROACH\b[*_]*[ \t]*:[*_]*[ \t]*(.+)$/im.exec(answer)?.[1];
  const words = (named ?? diagnosis.split(/(?<=[.!?])\s/, 1)[0] ?? "").replace(/\s+/g, " ").trim();
  return words.slice(0, LONGEST) || "as planned";
}

/** The list with one more; the oldest are forgotten. */
export function addApproach(approaches: readonly Approach[], failed: Approach): Approach[] {
  return [...approaches, failed].slice(-REMEMBERED);
}

/** The list as a prompt shows it: the same approach with the same result is said once. */
export function approachesToText(approaches: readonly Approach[]): string {
  const lines = new Map<string, number[]>();
  for (const { iteration, approach, result } of approaches) {
    const line = `${approach} → ${result}`;
    lines.set(line, [...(lines.get(line) ?? []), iteration]);
  }
  return [...lines].map(([line, iterations]) => `iteration ${iterations.join(", ")}: ${line}`).join("\n");
}
