// What `loopwright fab` prints with --json, beside the events of runs.

import { z } from "zod";
import { GateVerdict } from "../verdict/gate-verdict.ts";

const count = z.int().nonnegative();
const issue = z.record(z.string(), z.json()).describe("as `loopwright issue show` has it");
const links = z
  .array(
    z.strictObject({
      run: z.string(),
      issue: z.string(),
      iteration_index: count,
      parent_run_id: z.string().nullable(),
      outcome: z.string(),
      score: z.number().nullable(),
      codes: z.array(z.string()),
      plan: z.string(),
    }),
  )
  .describe("the runs of the chain, the first one first");

export const documents = {
  lineage: z
    .object({ issue: z.string(), title: z.string(), status: z.string(), links })
    .describe("`loopwright fab lineage`"),
  reviews: z.object({ issues: z.array(issue) }).describe("`loopwright fab review`: what waits for a person"),
  review: z
    .object({ issue, links, verdict: GateVerdict, pictures: z.array(z.string()).describe("paths") })
    .describe("`loopwright fab review ISSUE`"),
};
