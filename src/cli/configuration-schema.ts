// The schema of loopwright.yaml. docs/configuration.md is made from it.

import { z } from "zod";

const limit = (words: string) => z.number().nonnegative().describe(words);

export const ConfigurationSchema = z
  .strictObject({
    ceilings: z
      .strictObject({
        iterations: z.int().positive().describe("trips round the loop (20)"),
        minutes: limit("active wall clock of a run (720)"),
        tokens: limit("tokens of all model calls (2000000)"),
        usd: limit("dollars of all model calls (5)"),
        phaseMinutes: limit("active wall clock of one visit to one phase (120)"),
      })
      .partial()
      .describe("limits that stop a run; a loop's own limit holds where it is lower than a default"),
    loops: z
      .record(z.string().regex(/^[a-z][a-z0-9-]*$/, "a name of a-z, 0-9 and -"), z.string())
      .describe("your own loops: a name, and the module whose default export is the loop, relative to this file"),
  })
  .partial();

export type ConfigurationValues = z.output<typeof ConfigurationSchema>;
