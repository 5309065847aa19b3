// What is told beside a change to whoever judges it or tells of it.

import type { WritingVariables } from "../manuscript/index.ts";
import type { Level } from "../types.ts";

/** What a level is held against, as far as it takes room in a prompt. */
export function aboveOf(level: Level, { treatment, foundation, premise, history }: WritingVariables): string[] {
  return [premise, history, level === "treatment" ? "" : treatment, level === "prose" ? foundation : ""];
}
