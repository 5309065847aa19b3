// The plans of chapters that are shown to whoever judges, tells of or rewrites their prose.

import { planOf, type WritingVariables } from "../manuscript/index.ts";

/** The plans of files of prose as one text; "" where they have none. */
export function beatsOf({ chapters }: Pick<WritingVariables, "chapters">, shown: readonly string[]): string {
  const plans = new Set(shown.map(planOf));
  return chapters
    .filter(({ path }) => plans.has(path))
    .map(({ text }) => text.trim())
    .join("\n\n");
}
