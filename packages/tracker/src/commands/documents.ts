// What `loopwright issue` prints with --json.

import { z } from "zod";
import { edgeKinds, IterationFields, priorities, statuses } from "../issue.ts";

const json = z.json();
const object = z.record(z.string(), json);
const text = z.string();
const time = z.iso.datetime({ offset: true });
const count = z.int().nonnegative();

const issue = z.strictObject({
  id: text,
  title: text,
  description: text,
  status: z.enum(statuses),
  priority: z.enum(priorities),
  tags: z.array(text),
  asset: object.optional().describe("what it asks for, in the words of whoever works on it"),
  iteration: IterationFields.extend({ index: count.optional() }).describe("what a loop keeps on it"),
  runs: z.array(text),
  key: text.optional(),
  assignee: text.optional(),
  createdAt: time,
  updatedAt: time,
  closedAt: time.optional(),
  closeReason: text.optional(),
  edges: z.array(
    z.strictObject({
      kind: z.enum(edgeKinds),
      from: text,
      to: text,
      at: time.optional(),
      by: text.optional(),
      rest: object.optional(),
    }),
  ),
  beads: object.optional().describe("what an imported line has beyond this"),
});

const change = z.strictObject({
  at: time,
  by: text,
  what: z.enum(["created", "changed", "claimed", "released", "linked", "unlinked", "imported"]),
  why: text.optional(),
  fields: z.record(text, z.strictObject({ from: json, to: json })).optional(),
});

export const documents = {
  issue: z
    .object({ issue, history: z.array(change).optional().describe("with show") })
    .describe("`loopwright issue create`, `show`, `update`, `close`, `reopen`, `link`, `unlink`"),
  issues: z.object({ dir: text, issues: z.array(issue) }).describe("`loopwright issue list`, `ready`"),
  "issue-dry-run": z
    .object({ would: text })
    .describe("`loopwright issue` with `--dry-run`, where it would change something"),
  "issue-import": z
    .object({
      created: count,
      updated: count,
      kept: count.describe("here already, as new or newer"),
      skipped: count.describe("deleted there, or no issue"),
      dryRun: z.boolean(),
    })
    .describe("`loopwright issue import`"),
  "issue-export": z
    .object({
      issues: z.array(object).optional().describe("in the shape of beads, where no file is named"),
      file: text.optional(),
      count: count.optional(),
    })
    .describe("`loopwright issue export`"),
};
