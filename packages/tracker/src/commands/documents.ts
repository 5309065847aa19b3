// What `loopwright issue` prints with --json.

import { z } from "zod";
import { Change, Issue } from "../issue.ts";

const text = z.string();
const count = z.int().nonnegative();

const named = { id: text, title: text, loop: text };

export const documents = {
  issue: z
    .object({ issue: Issue, history: z.array(Change).optional().describe("with show") })
    .describe("`loopwright issue create`, `show`, `update`, `close`, `reopen`, `link`, `unlink`"),
  issues: z.object({ dir: text, issues: z.array(Issue) }).describe("`loopwright issue list`, `ready`"),
  drained: z
    .object({
      issues: z.array(
        z.strictObject({
          ...named,
          outcome: text.describe(
            "a run's outcome, or waiting; elsewhere: another process has it; refused: it cannot be worked on; killed: its worker was, twice; error: it stopped with one",
          ),
          exit: count,
        }),
      ),
      done: count,
      escalated: count.describe("those that wait for a person"),
      isStopped: z.boolean().describe("by Ctrl-C or a signal, before all were done"),
    })
    .describe("`loopwright issue drain`"),
  "drain-plan": z
    .object({ issues: z.array(z.strictObject(named)) })
    .describe("`loopwright issue drain --dry-run`: what is ready"),
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
      issues: z.array(z.record(text, z.json())).optional().describe("in the shape of beads, where no file is named"),
      file: text.optional(),
      count: count.optional(),
    })
    .describe("`loopwright issue export`"),
};
