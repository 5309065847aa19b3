// What the REPL prints with --json, beside the events of its runs.

import { z } from "zod";

const time = z.iso.datetime();

export const documents = {
  "novel-said": z.object({ at: time, text: z.string() }).describe("`loopwright novel`: what the REPL says"),
  "novel-asked": z
    .object({
      at: time,
      question: z.string(),
      choices: z.array(z.string()).optional(),
      default: z.string().optional(),
    })
    .describe("`loopwright novel`: what it asks beside a run's gates"),
  "novel-plan": z
    .object({
      folder: z.string(),
      name: z.string(),
      target: z.string().nullable(),
      models: z.record(z.string(), z.string().nullable()),
      dryRun: z.boolean(),
      prompt: z
        .object({
          role: z.string(),
          model: z.string().nullable(),
          id: z.string().optional(),
          system: z.string().optional(),
          user: z.string(),
          images: z.number(),
          tokens: z.number(),
          does: z.string().optional(),
        })
        .nullable()
        .describe("what the feedback on the input, or the first level that is missing, would ask first"),
      promptReason: z.string().optional().describe("why there is none"),
    })
    .describe("`loopwright novel --dry-run`"),
};
