import type { Loop } from "@loopwright/core";

/** The phases that a run comes to. One that nothing leads to is there for runs of an older version. */
export function reachedPhases({ start, phases }: Pick<Loop, "start" | "phases">): string[] {
  const reached = new Set([start, ...Object.values(phases).flatMap(({ to, handsOnTo = [] }) => [...to, ...handsOnTo])]);
  return Object.keys(phases).filter((name) => reached.has(name));
}
