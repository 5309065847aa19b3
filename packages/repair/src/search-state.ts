// What a run remembers of its search.

import { Observation } from "@loopwright/workspace";
import { z } from "zod";

const count = z.number().int().min(0);
const Names = z.array(z.string());

/** A candidate that passes every visible test. */
export const Plausible = z.object({
  stage: z.enum(["singles", "pairs"]),
  index: count,
  cost: z.number(),
  title: z.string(),
  /** Why it was not taken: what the tests said when it was put into the workspace. */
  refused: z.string().optional(),
});
export type Plausible = z.infer<typeof Plausible>;

/** A candidate that fixes some of the failing tests, and breaks none. */
export const Improved = z.object({ index: count, fixed: Names });
export type Improved = z.infer<typeof Improved>;

export const SearchState = z.object({
  /** The workspace as it was: every candidate is a change of it, and without a repair it is what stays. */
  base: z.string(),
  /** The tests that choose, as they stood at the start. */
  failing: Names,
  passing: Names,
  /** The tests that decide, where none were given: every third of those there are. */
  held_out: Names,
  suspects: z.array(z.object({ path: z.string(), line: count, suspicion: z.number() })),
  stage: z.enum(["singles", "pairs", "exhausted"]),
  /** How many candidates of this stage were tried, and how many it has. */
  cursor: count,
  stage_size: count,
  /** How many were tried in all, and how many of them were cut, died, or did not load. */
  tried: count,
  ended: z.object({ limit: count, died: count, unloadable: count }),
  /** Single edits that help; pairs are made of them. */
  improved: z.array(Improved),
  /** The most failing tests that a candidate fixed without breaking one. */
  most_fixed: count,
  /** How far the best candidate had come after each batch. */
  history: z.array(Observation),
  plausible: z.array(Plausible),
  /** The repair that stands in the workspace, by its place among the plausible ones. */
  chosen: count.optional(),
  /** Its diff. */
  diff: z.string(),
});
export type SearchState = z.infer<typeof SearchState>;

/** What is known before the first batch. */
export function beginSearch(
  found: Pick<SearchState, "base" | "failing" | "passing" | "held_out" | "suspects">,
): SearchState {
  return {
    ...found,
    stage: "singles",
    cursor: 0,
    stage_size: 0,
    tried: 0,
    ended: { limit: 0, died: 0, unloadable: 0 },
    improved: [],
    most_fixed: 0,
    history: [],
    plausible: [],
    diff: "",
  };
}
