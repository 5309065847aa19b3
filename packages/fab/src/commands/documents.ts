// What `loopwright fab` prints with --json, beside the events of runs.

import { z } from "zod";
import { GateVerdict } from "../verdict/gate-verdict.ts";

const count = z.int().nonnegative();
const issue = z.record(z.string(), z.json()).describe("as `loopwright issue show` has it");
const named = { id: z.string(), title: z.string() };
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
  drained: z
    .object({
      issues: z.array(
        z.strictObject({
          ...named,
          outcome: z
            .string()
            .describe("a run's outcome; elsewhere: another process works on it; lost: its worker died"),
          exit: count,
        }),
      ),
      passed: count,
      escalated: count,
      isStopped: z.boolean().describe("by Ctrl-C or a signal, before all were done"),
    })
    .describe("`loopwright fab --drain`"),
  "drain-plan": z
    .object({ issues: z.array(z.strictObject(named)) })
    .describe("`loopwright fab --drain --dry-run`: what is ready"),
};
