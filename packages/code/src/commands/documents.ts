// What the package's commands print with --json.

import { z } from "zod";

export const documents = {
  estimate: z
    .object({
      rows: z.array(
        z.strictObject({
          scope: z.string(),
          minIterations: z.int().nonnegative(),
          seconds: z.record(z.string(), z.number()).describe("by tokens per second"),
          usd: z.number().nullable(),
          developer: z.string().describe("what a developer would need"),
          failures: z.string().describe("what usually goes wrong"),
        }),
      ),
      calls: z.array(z.strictObject({ call: z.string(), tokens: z.int(), seconds: z.record(z.string(), z.number()) })),
    })
    .describe("`loopwright code --estimate`"),
  amendments: z.object({ run: z.string(), amendments: z.array(z.json()) }).describe("`loopwright amendments`"),
};
