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
  lineage: { words: "`loopwright fab lineage`", shape: { issue: text, title: text, status: text, links } },
  reviews: { words: "`loopwright fab review`: what waits for a person", shape: { issues: z.array(issue) } },
  review: {
    words: "`loopwright fab review ISSUE`",
    shape: { issue, links, verdict: GateVerdict, pictures: z.array(text) },
  },
};
