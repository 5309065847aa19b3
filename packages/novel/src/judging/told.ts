// What is told beside a change to whoever judges it or tells of it.

import type { WritingVariables } from "../manuscript/index.ts";
import { authorsWords } from "../said/authors-words.ts";
import type { NovelContext, NovelState } from "../task.ts";
import type { Level } from "../types.ts";

/** What the author has said in this iteration, in their own words. */
export function wordsSaid(ctx: NovelContext, { said = [] }: Pick<NovelState, "said">): string[] {
  return [...authorsWords(ctx.input), ...said.map(({ text }) => text)];
}

/** What a level is held against, as far as it takes room in a prompt. */
export function aboveOf(level: Level, { treatment, foundation, premise, history }: WritingVariables): string[] {
  return [premise, history, level === "treatment" ? "" : treatment, level === "prose" ? foundation : ""];
}
