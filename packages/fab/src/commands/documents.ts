// What `loopwright fab` prints with --json, beside the events of a run.

import { z } from "zod";
import { GateVerdict } from "../verdict/gate-verdict.ts";

const text = z.string();
const issue = z.record(text, z.json());
const links = z.array(
  z.strictObject({
    run: text,
    issue: text,
    iteration_index: z.int().nonnegative(),
    parent_run_id: text.nullable(),
    outcome: text,
    score: z.number().nullable(),
    codes: z.array(text),
    plan: text,
  }),
);

export const documents = {
  lineage: z.object({ issue: text, title: text, status: text, links }).describe("`loopwright fab lineage`"),
  reviews: z.object({ issues: z.array(issue) }).describe("`loopwright fab review`: what waits for a person"),
  review: z
    .object({ issue, links, verdict: GateVerdict, pictures: z.array(text) })
    .describe("`loopwright fab review ISSUE`"),
};
