// What a run of the repair loop is given, and what it remembers.

import type { Context } from "@loopwright/core";
import { HiddenResult, Report } from "@loopwright/workspace";
import { z } from "zod";
import { SearchState } from "./search-state.ts";

/** What a run is given. */
export const RepairTask = z.strictObject({
  /** The tests that choose, as files whose constants an edit may use. */
  tests: z
    .array(z.object({ path: z.string().min(1), content: z.string() }))
    .min(1)
    .optional(),
  /** Whether the workcell has held-out tests. They decide, and the search hears no more of them than that some fail. */
  held_out: z.boolean().default(false),
});
export type RepairTask = z.output<typeof RepairTask>;

/** Why a run is about to stop. */
const Stopping = z.object({ outcome: z.enum(["done", "failed", "stagnant"]), reason: z.string() });

/** What a run remembers. */
export const RepairState = z.object({
  /** The workspace as the last phase that changed it left it. */
  snapshot: z.string().optional(),
  /** The last test run, without the tests that were held out of it. */
  test_report: Report.optional(),
  /** Results of held-out tests in their order, without any name. */
  hidden_results: z.array(HiddenResult),
  search: SearchState.optional(),
  stopping: Stopping.optional(),
  /** How many files the repair was applied to, where the run is done. */
  applied: z.number().int().min(0).optional(),
});
export type RepairState = z.output<typeof RepairState>;

export type RepairContext = Context<RepairTask, RepairState>;

/** What a run knows before its first phase. */
export function initialState(): RepairState {
  return { hidden_results: [] };
}

/** What a run is best started with. An iteration is a batch of candidates: it takes seconds, and many are worth it. */
export const startOptions = { ceilings: { iterations: 40 } };
